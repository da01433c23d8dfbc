"""2xx: which runtime a TrainJob means, and what its overrides make of it."""

from __future__ import annotations

from jobset_compiler.diagnostics.codes.code import ERROR, INFO, WARNING, Code

RUNTIME_NOT_FOUND = Code(
    "JSC201",
    "runtime-not-found",
    ERROR,
    "The runtime that the TrainJob names is not among the inputs.",
    "The server refuses a TrainJob whose runtime does not exist yet. The runtimes of the inputs are searched first, then the "
    "bundled community runtimes of the chosen release (unless --no-bundled-runtimes). runtimeRef.kind defaults to "
    "ClusterTrainingRuntime: a namespaced TrainingRuntime must be asked for by kind. Give the file with -r/--runtime, "
    "correct the name, or use --ignore-missing-runtime where the runtime is known to live elsewhere.",
)
UNSUPPORTED_RUNTIME = Code(
    "JSC202",
    "unsupported-runtime",
    ERROR,
    "runtimeRef names a kind or group that the controller does not know.",
    "runtimeRef.kind must be ClusterTrainingRuntime or TrainingRuntime and runtimeRef.apiGroup trainer.kubeflow.org. "
    "Both have these defaults, so most TrainJobs need only runtimeRef.name.",
)
RUNTIME_DEPRECATED = Code(
    "JSC203",
    "runtime-deprecated",
    WARNING,
    "The referenced runtime is marked as deprecated.",
    "The runtime carries the label trainer.kubeflow.org/support: deprecated, and the server warns about every TrainJob that uses it. "
    "Move to the runtime that replaces it before it is removed.",
)
RUNTIME_USED = Code(
    "JSC204",
    "runtime-used",
    INFO,
    "Which runtime was used when a given one hides a bundled one of the same name.",
    "A runtime among the inputs always wins over a bundled one of the same name. This notice says which one a TrainJob was compiled with.",
)
BUNDLED_RUNTIME_USED = Code(
    "JSC205",
    "bundled-runtime-used",
    INFO,
    "The runtime came with the compiler.",
    "No runtime of that name was among the inputs, so the community runtime of the chosen release was used. A cluster may have another "
    "version of it: give the runtime that you really run with -r/--runtime, or refuse bundled ones with --no-bundled-runtimes.",
    asked=True,
)
RUNTIME_GIVEN_TWICE = Code(
    "JSC206",
    "runtime-given-twice",
    WARNING,
    "Two inputs define the same runtime.",
    "A cluster holds one object of a kind and name; the later document wins, as with kubectl apply.",
)
RUNTIME_MISSING_IGNORED = Code(
    "JSC207",
    "runtime-missing-ignored",
    INFO,
    "The runtime is not among the inputs and the TrainJob was left alone.",
    "With --ignore-missing-runtime a TrainJob whose runtime is unknown is checked by itself and not compiled.",
)
EMPTY_UID = Code(
    "JSC208",
    "owner-references-omitted",
    INFO,
    "The TrainJob has no UID, so the objects carry no owner references.",
    "Only a cluster gives an object its UID. The controller writes an owner reference with that UID into every object; an empty one is "
    "refused by any server, so it is left out here. Put metadata.uid into the TrainJob, or `uid` into the facts file, to see it.",
    asked=True,
)
TRAINJOB_NOT_OURS = Code(
    "JSC209",
    "not-reconciled",
    WARNING,
    "The TrainJob is managed by another controller: these objects appear only where that one dispatches it.",
    "managedBy: kueue.x-k8s.io/multikueue hands the TrainJob to MultiKueue. From 2.3 on (#3681) the Trainer controller of the management cluster then "
    "creates nothing; what is shown here is what the controller of the worker cluster will create.",
)
DOCUMENTS_SKIPPED = Code(
    "JSC210",
    "documents-skipped",
    INFO,
    "Documents of other kinds were skipped.",
    "Only TrainJobs, TrainingRuntimes and ClusterTrainingRuntimes of trainer.kubeflow.org are compiled; everything else on the input is left alone. "
    "With --passthrough it is copied to the output.",
    asked=True,
)
PATCH_UNMERGEABLE = Code(
    "JSC211",
    "patch-unmergeable",
    ERROR,
    "An override cannot be merged into the runtime.",
    "Overrides are strategic merge patches, and a map with the key $patch or $retainKeys (a nodeSelector or labels, where any key is allowed) "
    "is read as a directive. Only delete, replace and merge exist, and not everywhere; upstream's webhook crashes over others, so that the "
    "TrainJob is refused. Write the plain values that are wanted.",
)
TRAINJOB_GIVEN_TWICE = Code(
    "JSC212",
    "trainjob-given-twice",
    WARNING,
    "Two documents of one file define the same TrainJob.",
    "A cluster holds one object of a kind, namespace and name: the later document changes what the earlier one created, as far as the fields may change. "
    "Here each is compiled as if it were created.",
)
OTHER_GROUP = Code(
    "JSC214",
    "other-group",
    INFO,
    "An object of another API group has the name of one of our kinds.",
    "TrainJob and TrainingRuntime are kinds of other products too. Only those of trainer.kubeflow.org are compiled; others are left alone, and copied to the "
    "output with --passthrough. If the group is a slip, the object is not what you take it for: write trainer.kubeflow.org/v1alpha1.",
)
JOBSET_NOT_PAIRED = Code(
    "JSC215",
    "jobset-not-paired",
    INFO,
    "The JobSet that was asked for is not the one that the release of Trainer comes with.",
    "Upstream builds and tests each release of Trainer with one JobSet (`jobset-compiler releases` lists the pairs) and promises nothing for others. JobSet "
    "has only added fields so far: a newer one takes what an older Trainer submits, and brings its own rules, labels and words. An older one refuses "
    "every JobSet that has a field it does not know (JSC402).",
)
NOT_RELEASED = Code(
    "JSC219",
    "not-released",
    INFO,
    "What is compiled for has not been released.",
    "`next` is what upstream had merged on 2026-08-21 and four pull requests that followed at once (#3904, #3922, #3926, #3960); "
    "the release that comes of it may do otherwise. `jobset-compiler releases next` lists its behaviours. Leave --trainer-version out for "
    "what clusters run.",
)
RELEASE_NOT_COMPARED = Code(
    "JSC213",
    "release-not-compared",
    INFO,
    "This patch release was not compared with what its controller answers.",
    "Each minor release, of Trainer and of JobSet, is held to recorded answers of one patch release, which `jobset-compiler releases` lists. Another one of "
    "the same minor release is judged alike; what it fixed or changed is not known here.",
)
