"""1xx: kinds, types and schema rules, in the server's words."""

from __future__ import annotations

from jobset_compiler.diagnostics.codes.code import ERROR, WARNING, Code

NOT_AN_OBJECT = Code(
    "JSC101",
    "not-an-object",
    ERROR,
    "A document is not a Kubernetes object.",
    "Every document must be a mapping with apiVersion and kind. Lists of documents belong into `kind: List` with items, or into a stream separated by ---.",
)
NOT_AN_OBJECT_HINT = "every document needs apiVersion and kind"
DIFF_HINT = "the + at the beginning of the lines comes from a diff: take it away from all of them"
FRONT_MATTER_HINT = "this looks like the front matter of a Markdown page: keep only the manifests"
NO_MATCH = Code(
    "JSC102",
    "no-match",
    ERROR,
    "The kind exists, but not in that API group and version.",
    "TrainJob, TrainingRuntime and ClusterTrainingRuntime are served as trainer.kubeflow.org/v1alpha1. kubeflow.org/v2alpha1 was the preview inside "
    "the v1 training operator (v1.9); no later release reads it. Kinds of the same name in other groups are not ours.",
)
PREVIEW_WAYS = "; `jobset-compiler migrate` rewrites it, --convert (convert=True in the library) compiles it as it is"
NO_MATCH_HINTS = {
    "kubeflow.org/v2alpha1": " (kubeflow.org/v2alpha1 was the preview of v1.9: datasetConfig is initializer.dataset now, modelConfig.input initializer.model)"
    + PREVIEW_WAYS,
    "trainer.kubeflow.org/v2alpha1": f" (no release had this version){PREVIEW_WAYS}",
}
UNKNOWN_FIELD = Code(
    "JSC103",
    "unknown-field",
    WARNING,
    "A field that the release does not know; the server drops it.",
    "Without strict validation the API server prunes unknown fields silently, so what you wrote has no effect. kubectl apply validates strictly by "
    "default and refuses them, as the command line here does; --validate warn or ignore asks for less. "
    "The hint names a near field, the place where the field belongs, or the release that has it.",
)
REQUIRED = Code("JSC104", "required", ERROR, "A required field is missing.", "The schema of the release requires the field.")
WRONG_TYPE = Code(
    "JSC105",
    "wrong-type",
    ERROR,
    "A value has another type than the field.",
    "YAML gives unquoted numbers and booleans (also yes, no, on, off, y, n) their own types: quote them where a string is wanted, and take the quotes "
    "away where a number is wanted.",
)
NOT_SUPPORTED = Code("JSC106", "unsupported-value", ERROR, "A value is not among those that the field allows.", "The message lists the allowed values.")
DUPLICATE = Code(
    "JSC107",
    "duplicate",
    ERROR,
    "Two items of a list have the same key.",
    "Lists such as env, volumes and containers are keyed by name: a key may occur once.",
)
TOO_LONG = Code("JSC108", "too-long", ERROR, "A text, list or map is longer than allowed.", "The message says how long it may be.")
INVALID = Code(
    "JSC109",
    "invalid",
    ERROR,
    "A value breaks a rule of the schema.",
    "Patterns, limits and CEL rules of the schema of the release; the message is the server's own.",
)
FORBIDDEN = Code("JSC110", "forbidden", ERROR, "A field may not be set or changed.", "The message says why.")
UNDECODABLE = Code(
    "JSC111",
    "undecodable",
    ERROR,
    "The stored object cannot be decoded into its Go type.",
    "The schema of older releases does not check the range of integers, so the server stores the object and every controller and webhook fails to read it.",
)
QUANTITY_RETOLD = Code(
    "JSC112",
    "quantity-retold",
    ERROR,
    "An update leaves a quantity as large as it was, and writes it otherwise.",
    "spec.trainer is immutable, and the server compares quantities as texts. Where a runtimePatch comes, changes or goes, as when Kueue admits a "
    "TrainJob, Trainer's defaulter (2.2 and later) writes the whole object anew, quantities in their canonical form: an unquoted 8 becomes a text, "
    "1024Mi becomes 1Gi. Nobody has edited spec.trainer then, and the update is refused all the same. Create the TrainJob anew with canonical "
    "quantities, in quotes (JSC726 says so beforehand); a quantity that you edited yourself goes back to what it was.",
)

BY_KIND = {
    "FieldValueRequired": REQUIRED,
    "FieldValueTypeInvalid": WRONG_TYPE,
    "FieldValueNotSupported": NOT_SUPPORTED,
    "FieldValueDuplicate": DUPLICATE,
    "FieldValueTooLong": TOO_LONG,
    "FieldValueTooMany": TOO_LONG,
    "FieldValueForbidden": FORBIDDEN,
}


def for_kind(kind: str) -> Code:
    """The code for a kind of field error as apimachinery names it."""
    return BY_KIND.get(kind, INVALID)
