"""The rules of Trainer's webhooks, one module a plugin: rows of (predicate, feature, citation).

`trainjob.JUDGES` is the order in which a TrainJob is judged, `runtime.RULES` what a runtime must keep to.
Upstream's own order is random (its plugins sit in a Go map): ours is the alphabetical one.
"""
