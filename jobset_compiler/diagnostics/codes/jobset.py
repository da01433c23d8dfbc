"""4xx: the JobSet at its own API: server-side apply, schema, webhook; and what it would create."""

from __future__ import annotations

from jobset_compiler.diagnostics.codes.code import ERROR, WARNING, Code

DUPLICATE_KEYS = Code(
    "JSC401",
    "jobset-duplicate-keys",
    ERROR,
    "Two items of a keyed list in the JobSet have the same key, so that it cannot be applied.",
    "The controller submits the JobSet by server-side apply, which refuses lists that are maps by key (ports by containerPort and protocol, env, "
    "volumes and containers by name) when a key occurs twice. Ports are the usual case: the controller writes its copy of the runtime's ports onto "
    "them one by one, and a port without a name replaces the first one without a name. Give every port a name.",
)
UNDECLARED_FIELD = Code(
    "JSC402",
    "jobset-undeclared-field",
    ERROR,
    "The runtime accepts a field that the installed JobSet does not know, so that the JobSet cannot be applied.",
    "Trainer 2.2 is built with newer Kubernetes types than the JobSet release that it pins; and --jobset-version can name an older JobSet than the one that "
    "a release of Trainer is made for. Trainer 2.1 and later write groupName into every JobSet, which JobSet 0.8 does not have. Leave the field out, or "
    "install a newer JobSet.",
)
JOBSET_SCHEMA = Code(
    "JSC403",
    "jobset-schema",
    ERROR,
    "The JobSet breaks a rule of its schema.",
    "What patches and runtime come to together is checked again by the JobSet's own schema: pods without containers, labels that are no "
    "labels, startupPolicy InOrder together with dependsOn. The TrainJob itself is accepted and its JobSet never appears.",
)
IN_PLACE_RESTART_GATED = Code(
    "JSC404",
    "in-place-restart-gated",
    ERROR,
    "restartStrategy InPlaceRestart needs a feature gate that is off by default.",
    "The schema knows the value (JobSet 0.11), the webhook refuses it until the feature gate InPlaceRestart of the JobSet controller is on.",
)
FIRST_JOB_DEPENDS = Code(
    "JSC405",
    "first-job-depends",
    ERROR,
    "The first replicatedJob has dependsOn.",
    "A replicatedJob can only wait for those before it, so the first one can wait for none, not even with an empty list.",
)
JOBSET_SUBDOMAIN = Code(
    "JSC406",
    "jobset-subdomain",
    ERROR,
    "network.subdomain cannot be the name of a Service.",
    "The subdomain names the headless Service: an RFC 1035 label of at most 63 characters.",
)
MANAGED_BY = Code(
    "JSC407",
    "jobset-managed-by",
    ERROR,
    "managedBy of the JobSet is no domain-prefixed path.",
    "A manager is written as domain/path with at most 63 characters; the JobSet controller itself is jobset.sigs.k8s.io/jobset-controller.",
)
TOO_MANY_PODS = Code(
    "JSC408",
    "too-many-pods",
    ERROR,
    "replicas times parallelism is more than JobSet can count.",
    "The product must not exceed 2147483647 for any replicatedJob.",
)
GROUP_NAME = Code(
    "JSC409",
    "group-name",
    ERROR,
    "groupName of a replicatedJob is no RFC 1035 label.",
    "The group's name becomes a label (JobSet 0.9): at most 63 lower case letters, digits and dashes, the first a letter.",
)
JOB_NAME = Code(
    "JSC410",
    "job-name",
    ERROR,
    "The names of the Jobs would be too long or malformed.",
    "A Job is called <TrainJob>-<replicatedJob>-<index>, which must be an RFC 1035 label of at most 63 characters. Nothing shortens it: the "
    "JobSet is refused, long after the TrainJob was accepted. The hint says how many characters are too many. A TrainJob's name that begins with a digit "
    "or has dots fails here as well.",
)
POD_NAME = Code(
    "JSC411",
    "pod-name",
    ERROR,
    "The names of the pods would be too long or malformed.",
    "A pod is called <Job>-<index>-<5 random characters>, which must fit 63 characters: for a replicatedJob called node and up to "
    "ten pods the TrainJob's name can have 48 characters.",
)
DEPENDENCY = Code(
    "JSC412",
    "dependency-target",
    ERROR,
    "dependsOn names a replicatedJob that does not stand before.",
    "JobSet creates replicatedJobs in their order; dependsOn can only point backwards.",
)
SUCCESS_TARGET = Code(
    "JSC413",
    "success-policy-target",
    ERROR,
    "successPolicy names a replicatedJob that does not exist.",
    "targetReplicatedJobs lists names of replicatedJobs of this JobSet.",
)
RESTART_JOB_GATED = Code(
    "JSC414",
    "restart-job-gated",
    ERROR,
    "Failure policy actions that restart one Job need a feature gate that is off by default.",
    "The schema knows RestartJob and RestartJobAndIgnoreMaxRestarts (JobSet 0.12), the webhook refuses them until the feature gate RestartJob of the "
    "JobSet controller is on.",
)
FAILURE_RULE_NAME = Code(
    "JSC415",
    "failure-rule-name",
    ERROR,
    "The name of a failure policy rule is malformed or taken.",
    "Rule names are unique, have at most 128 letters, digits, underscores, commas and colons, and begin with a letter.",
)
FAILURE_TARGET = Code(
    "JSC416",
    "failure-policy-target",
    ERROR,
    "A failure policy rule names a replicatedJob that does not exist.",
    "targetReplicatedJobs lists names of replicatedJobs of this JobSet.",
)
FAILURE_REASON = Code(
    "JSC417",
    "failure-reason",
    ERROR,
    "A failure policy rule names a reason for which Jobs do not fail.",
    "onJobFailureReasons are reasons of a Job's Failed condition; those of pods and containers (OOMKilled) do not reach the Job.",
)
COORDINATOR = Code(
    "JSC418",
    "coordinator",
    ERROR,
    "The coordinator is no pod of the JobSet.",
    "replicatedJob, jobIndex and podIndex must mean a pod of an Indexed Job, counted from 0.",
)
COORDINATOR_LABEL_REFUSED = Code(
    "JSC419",
    "coordinator-label",
    ERROR,
    "The coordinator's host name is too long for a label.",
    "JobSet writes the coordinator's host name as a label on everything: at most 63 characters, in which the JobSet's name occurs twice where there "
    "is no subdomain.",
)
CLAIM_TEMPLATE = Code(
    "JSC420",
    "claim-template",
    ERROR,
    "A claim template of volumeClaimPolicies cannot be used.",
    "Every template (JobSet 0.11) needs a name of its own that no volume of a pod has, short enough for <template>-<TrainJob>, and a container that mounts it.",
)
DEPENDS_ON_ITSELF = Code(
    "JSC421",
    "depends-on-itself",
    WARNING,
    "A replicatedJob depends on itself and never starts.",
    "JobSet's webhook counts the job itself among those before it. It is accepted, and then waits for ever.",
)
JOB_REFUSED = Code(
    "JSC430",
    "job-refused",
    ERROR,
    "The Job API would refuse a Job of the JobSet.",
    "The JobSet is accepted, its Jobs are not: the JobSet controller reports JobCreationFailed and tries for ever. The message is the API server's.",
)
SELECTOR_REFUSED = Code(
    "JSC431",
    "job-selector-refused",
    ERROR,
    "The selector of a Job does not fit its pods.",
    "Leave selector and manualSelector out: Kubernetes makes a selector for every Job.",
)
CONTAINER_REFUSED = Code(
    "JSC432",
    "container-refused",
    ERROR,
    "A container would be refused when the Job is created.",
    "Every container needs an image and a name that is an RFC 1123 label. The node container's image comes from spec.trainer.image or the runtime.",
)
ENV_REFUSED = Code(
    "JSC433",
    "env-refused",
    ERROR,
    "An environment variable would be refused when the Job is created.",
    "A variable has a name, and a value or one source, not both; a source has a name and a key.",
)
VOLUME_REFUSED = Code(
    "JSC434",
    "volume-refused",
    ERROR,
    "A volume would be refused when the Job is created.",
    "Volume names are unique RFC 1123 labels, a volume has one source, and the source says what it mounts.",
)
MOUNT_REFUSED = Code(
    "JSC435",
    "volume-mount-refused",
    ERROR,
    "A volume mount would be refused when the Job is created.",
    "Every mount names a volume of the pod (or a template of volumeClaimPolicies), and no two mounts of a container have the same path.",
)
RESOURCES_REFUSED = Code(
    "JSC436",
    "resources-refused",
    ERROR,
    "Resources of a container would be refused when the Job is created.",
    "Requests must not exceed limits. Extended resources (GPUs and other devices) and huge pages cannot be overcommitted: they need a limit, and a request, "
    "where there is one, must equal it. A TrainJob's resourcesPerNode replaces the runtime's (up to 2.2) or is merged into them by key (2.3), "
    "which is where the two may part.",
)
PORT_REFUSED = Code(
    "JSC437",
    "port-refused",
    ERROR,
    "A port would be refused when the Job is created.",
    "Port numbers are 1 to 65535, protocols TCP, UDP or SCTP, and names are unique in a container.",
)
POD_REFUSED = Code(
    "JSC438",
    "pod-refused",
    ERROR,
    "A pod would be refused when the Job is created.",
    "Labels, selectors, policies and names of the pod template; the message is the API server's.",
)
SCHEDULING_REFUSED = Code(
    "JSC439",
    "scheduling-refused",
    ERROR,
    "Tolerations, affinities or spread constraints would be refused when the Job is created.",
    "A toleration with operator Exists has no value, a key is a label key, weights are 1 to 100, operators take as many values as they can use.",
)
PROBE_REFUSED = Code(
    "JSC440",
    "probe-refused",
    ERROR,
    "A probe or a hook of a container's life would be refused when the Job is created.",
    "Each has exactly one handler; ports are numbers or names with a letter; only readiness probes may need more than one success, and they end nothing.",
)
SECURITY_REFUSED = Code(
    "JSC441",
    "security-refused",
    ERROR,
    "A security context would be refused when the Job is created.",
    "Numbers of users and groups, profiles, kernel parameters and options of Windows; what belongs to a pod and what to a container.",
)
POD_FORBIDDEN = Code(
    "JSC442",
    "pod-forbidden-by-plugin",
    WARNING,
    "An admission plugin that is on by default would refuse the pod.",
    "Priorities and overheads come from a PriorityClass and a RuntimeClass: name the class (priorityClassName, runtimeClassName) instead of writing what it "
    "brings. Whether a class of the cluster or a webhook makes it right nobody can know offline.",
)
POD_GROUP_REFUSED = Code(
    "JSC443",
    "pod-group-refused",
    ERROR,
    "The PodGroup breaks a rule of its scheduler's CRD.",
    "Coscheduling's PodGroup (scheduler-plugins) must have one member at least. The controller applies the PodGroup before the JobSet, so that nothing is "
    "created at all; its log has the reason.",
)
