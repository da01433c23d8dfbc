"""5xx: output and integrations."""

from __future__ import annotations

from jobset_compiler.diagnostics.codes.code import ERROR, Code

PLUGIN_NOT_LOADED = Code(
    "JSC501",
    "plugin-not-loaded",
    ERROR,
    "A distribution that offers passes cannot be loaded.",
    "Its entry point in the group jobset_compiler.passes raised an exception when it was loaded. What would be rendered without it is not what was asked for, "
    "so nothing is. Repair or remove the distribution, or leave passes of others out with --no-plugins.",
)
PLUGIN_INVALID = Code(
    "JSC502",
    "plugin-invalid",
    ERROR,
    "An entry point does not give passes.",
    "An entry point of the group jobset_compiler.passes is a Pass, a sequence of them, or a function that returns either. A pass has a name of its own, with "
    "the name of whoever made it in front (acme.spot-tolerations), and one of the known stages.",
)
FUNCTION_CONFIG_INVALID = Code(
    "JSC510",
    "function-config-invalid",
    ERROR,
    "The configuration of the KRM function cannot be understood.",
    "functionConfig is a ConfigMap whose data has the settings, or an object of any other kind whose spec has them: trainerVersion, jobsetVersion, "
    "bundledRuntimes, namespace, keepRuntimes, form, secrets, withSnapshot, validate, ignoreMissingRuntime, "
    "featureGates, uid. docs/kustomize.md lists them with their values.",
)
RESOURCE_LIST_INVALID = Code(
    "JSC511",
    "resource-list-invalid",
    ERROR,
    "The input of the KRM function is no ResourceList.",
    "A KRM function reads one object of kind ResourceList (config.kubernetes.io/v1) from standard input and writes one to standard output. "
    "kustomize and kpt do that; to compile plain manifests from a pipe use jobset-compiler render -.",
)
