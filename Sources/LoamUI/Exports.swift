// Who imports LoamUI has Loam: models, contexts and predicates are what its wrappers are about. Of Foundation come the
// classes that Core Data's names extend.

@_exported public import Loam

@_exported public import class Foundation.NSCompoundPredicate
@_exported public import class Foundation.NSDictionary
@_exported public import class Foundation.NSPredicate
@_exported public import class Foundation.NSSortDescriptor
