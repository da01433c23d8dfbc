"""What a conversion can be asked to do differently, and what it is for."""


from jobset_compiler.profiles import NEWEST, Profile
from jobset_compiler.value import Frozen

MANAGER = "jobset-compiler/migrate"
GANGS = ("none", "coscheduling", "volcano")
MPI_HYDRA = "mpi-hydra"


class Wishes(Frozen):
    """v1_env: write the variables that the v1 operator set; runtime: an existing runtime to aim at, as NAME or KIND/NAME, "" to choose; manager: who
    the written patches are by; gang: the scheduler of gangs ("none", "coscheduling", "volcano"), which v1 was told by an option of the operator;
    use: "master" or "worker" where their pods differ; native: XGBoost through the runtime of the release and DMLC_* instead of v1's variables;
    trainer_fields: image, command, args and env into spec.trainer too where a runtime is written; the others keep what a TrainJob does otherwise.
    """

    v1_env: bool = True
    runtime: str = ""
    manager: str = MANAGER
    gang: str = GANGS[0]
    use: str = ""
    native: bool = False
    trainer_fields: bool = False
    keep_ttl: bool = False
    keep_backoff: bool = False
    keep_success_policy: bool = False


class Target(Frozen):
    """What is converted to: the release, whether it brings its community runtimes, the extensions that are on, and the wishes."""

    profile: Profile = NEWEST
    bundled_runtimes: bool = True
    extensions: frozenset[str] = frozenset()
    wishes: Wishes = Wishes()

    def has_field(self, struct: str, field: str) -> bool:
        """Whether a type of the release has a field."""
        types = self.profile.types()
        return types.has(struct) and field in types.struct(struct).fields

    @property
    def has_runtime_processes(self) -> bool:
        """Whether a runtime may say torch.numProcPerNode."""
        return self.has_field("trainer.TorchMLPolicySource", "numProcPerNode")

    @property
    def processes_are_numbers(self) -> bool:
        """Whether spec.trainer.numProcPerNode takes nothing but a number."""
        return self.profile.types().struct("trainer.Trainer").fields["numProcPerNode"].kind == "int32"
