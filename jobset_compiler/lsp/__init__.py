"""A language server: what the library says of a manifest, in an editor, while it is typed.

Everything here is a view of the library: diagnostics and their fixes, what a line comes to (`provenance`), the type table with its descriptions,
`migrate`. `session` holds what is open and what was found out about it and knows nothing of the protocol's transport; `server` is the
transport. It is meant to run beside a YAML language server and says nothing about files without documents of ours.
"""
