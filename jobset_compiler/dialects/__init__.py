"""Documents of older APIs into documents of ours.

Each dialect is a pure function from documents of its API to documents of ours, with what there is to say and with where every part comes from. Two users:
`migrate` writes what comes out, `--convert` compiles it. Nothing here is imported by a compile that was not asked to convert, but for `known`.
"""
