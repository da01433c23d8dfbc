"""0xx: reading text, before anything is known about Kubernetes."""

from __future__ import annotations

from jobset_compiler.diagnostics.codes.code import ERROR, INFO, WARNING, Code

UNREADABLE = Code(
    "JSC001",
    "unreadable",
    ERROR,
    "A file or folder cannot be read.",
    "The path does not exist, is not readable, or is neither a file nor a folder.",
)
LINK_NOT_FOLLOWED = Code(
    "JSC025",
    "link-not-followed",
    INFO,
    "A link in a folder leads to a file that is none of the folder's.",
    "Of a folder that is given only its own files are read: a link out of it, or to a hidden file, may have been put there by somebody who "
    "wants to see what this machine has. Name the file itself where it is meant.",
)
NOT_UTF8 = Code("JSC002", "not-utf8", ERROR, "The text is not UTF-8.", "Kubernetes reads UTF-8 (and UTF-16 with a byte order mark). Convert the file.")
CONTROL_CHARACTER = Code(
    "JSC003",
    "control-character",
    ERROR,
    "The text has a control character.",
    "YAML allows no control characters but tab and line breaks, not even in comments.",
)
YAML_SYNTAX = Code(
    "JSC004",
    "yaml-syntax",
    ERROR,
    "The text is not YAML.",
    "The place is where the parser gave up; the mistake may be a line or two before it.",
)
JSON_SYNTAX = Code("JSC005", "json-syntax", ERROR, "The text starts like JSON but is not.", "A stream whose first character is { is read as JSON documents.")
TAB_INDENTATION = Code("JSC006", "tab-indentation", ERROR, "A line is indented with a tab.", "YAML is indented with blanks only.")
HELM_TEMPLATE = Code(
    "JSC007",
    "helm-template",
    ERROR,
    "The file is a template, not YAML.",
    "{{ ... }} is for Helm (or another template engine) to fill in. Compile its output: helm template CHART | jobset-compiler, or use "
    "jobset-compiler as a Helm post-renderer.",
)
PLACEHOLDER = Code(
    "JSC008",
    "placeholder",
    ERROR,
    "A placeholder has not been filled in.",
    "${NAME} is for envsubst, Flux or Argo CD to replace. Compile what they produce.",
)
MERGE_CONFLICT = Code("JSC009", "merge-conflict", ERROR, "The file has git conflict markers.", "Resolve the conflict first.")
MARKDOWN_FENCE = Code("JSC010", "markdown-fence", ERROR, "The file has Markdown around the YAML.", "Take out the lines with ``` around the manifest.")
DOCUMENT_SEPARATOR = Code(
    "JSC011",
    "document-separator",
    ERROR,
    "A document separator is malformed.",
    "kubectl separates documents at lines that are just ---.",
)
BAD_KEY = Code(
    "JSC012",
    "bad-key",
    ERROR,
    "A mapping key cannot become a JSON key.",
    "Keys must be strings (numbers and booleans are turned into text). null, lists and maps cannot be.",
)
BAD_TAG = Code(
    "JSC013",
    "bad-tag",
    ERROR,
    "A tag does not fit its value.",
    "!!int, !!float and the like are resolved as go-yaml does; most manifests need no tags at all.",
)
BAD_MERGE = Code(
    "JSC014",
    "bad-merge",
    ERROR,
    "A merge key (<<) has something else than a mapping.",
    "<<: takes a mapping, an alias of one, or a list of those.",
)
BAD_NUMBER = Code("JSC015", "bad-number", ERROR, "A number that JSON cannot hold.", ".inf and .nan have no JSON form. Quote them if a string is wanted.")
UNKNOWN_ANCHOR = Code("JSC016", "unknown-anchor", ERROR, "An alias has no anchor.", "*name refers to &name earlier in the same document.")
ALIAS_CYCLE = Code("JSC017", "alias-cycle", ERROR, "An alias contains itself.", "The anchored value refers to itself, so it has no JSON form.")
ALIAS_BOMB = Code(
    "JSC018",
    "alias-bomb",
    ERROR,
    "Aliases expand to far more than the text holds.",
    "As go-yaml does, a document is refused whose aliases multiply its size out of proportion.",
)
TOO_DEEP = Code(
    "JSC019",
    "too-deep",
    ERROR,
    "The document is nested too deeply.",
    "The limit protects against texts made to exhaust memory; no real manifest comes near it.",
)
TOO_LARGE = Code("JSC020", "too-large", ERROR, "A document is too large.", "An API server refuses objects of more than about 3 MiB. Split the stream with ---.")
DUPLICATE_KEY = Code(
    "JSC021",
    "duplicate-key",
    WARNING,
    "A key occurs twice in one mapping; the last one counts.",
    "kubectl and the API server keep the last value without strict validation, so the first one has no effect; "
    "with it, which is kubectl's default, they refuse it (--validate). Both places are shown.",
)
MERGE_OVERRIDE = Code(
    "JSC022",
    "merge-override",
    INFO,
    "A merge key (<<) overrides a key before it.",
    "In go-yaml v2 a merge key wins over keys that stand before it in the mapping.",
)
COLLIDING_KEYS = Code(
    "JSC023",
    "colliding-keys",
    WARNING,
    "Two keys become the same JSON key.",
    "Keys that are no strings are turned into text: 1 and \"1\", or yes and true, collide.",
)
IGNORED_TEXT = Code(
    "JSC024",
    "ignored-text",
    WARNING,
    "Text after the document is ignored.",
    "After the end of a document only comments may follow before ---.",
)
MISSING_SEPARATOR = Code(
    "JSC026",
    "missing-separator",
    ERROR,
    "Two objects stand in one document.",
    "Objects are separated by a line that is just ---. Without it kubectl reads one object with the keys of both, where the last of two equal keys counts.",
)
ODD_BLANK = Code(
    "JSC027",
    "odd-blank",
    WARNING,
    "A character that looks like a blank, or like nothing, is part of a key or a value.",
    "No-break spaces and zero-width characters come from word processors, chats and web pages. To YAML they are letters. Where they are meant, put "
    "quotes around the text.",
)
CURLY_QUOTES = Code(
    "JSC028",
    "curly-quotes",
    WARNING,
    "A key or value begins with a typographic quote.",
    "Word processors turn quotes into curly ones, which are letters to YAML: they become part of the text. Where they are meant, put straight quotes "
    "around all of it.",
)

BY_SLUG = {code.slug: code for code in list(globals().values()) if isinstance(code, Code)}
