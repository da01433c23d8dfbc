"""The names of the preview and those of today."""

from __future__ import annotations

TRAINER_JOB, TRAINER = "trainer-node", "trainer"
INITIALIZER_JOB = "initializer"
BUSYBOX = "busybox"
OLD_GROUP = "kubeflow.org"
OLD_MANAGER, MANAGER = "kubeflow.org/trainjob-controller", "trainer.kubeflow.org/trainjob-controller"
PHASE_LABEL, FRAMEWORK_LABEL = "training.kubeflow.org/phase", "trainer.kubeflow.org/framework"
JOBS = ("spec", "template", "spec", "replicatedJobs")
POD = ("template", "spec", "template", "spec")
# Fields of a container override that have no successor.
GONE = ("command", "args", "envFrom")
