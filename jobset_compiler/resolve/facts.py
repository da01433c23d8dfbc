"""What only a cluster knows. Everything is optional: the default is "unknown", and then a placeholder or a requirement stands in."""

from jobset_compiler.value import Frozen


class SSHKeys(Frozen):
    """A key pair for the MPI secret: PEM private key and authorized_keys line, as text."""

    private: str
    public: str


class Facts(Frozen):
    """uid: of the TrainJob when the document has none; priority_classes: those that exist (None: unknown); active_jobs: the
    replicatedJobs that still run although their TrainJob is suspended; cluster_domain: the domain of its Services."""

    uid: str = ""
    priority_classes: frozenset[str] | None = None
    ssh_keys: SSHKeys | None = None
    certificate_authority: str = ""
    operator_namespace: str = "kubeflow-system"
    feature_gates: frozenset[str] = frozenset()
    active_jobs: tuple[str, ...] = ()
    cluster_domain: str = "cluster.local"


NO_FACTS = Facts()
