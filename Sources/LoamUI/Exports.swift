// Who imports LoamUI has Loam: models, contexts and predicates are what its wrappers are about.

@_exported public import Loam
