import LoamStorage

@testable import Loam

/// The parts that tests look into, of a context whose container has one store.
extension ModelContext {
    var identities: IdentityMap { stores[0].identities }
    var changes: PendingChanges { stores[0].changes }
    var relationships: RelationshipEditor { stores[0].relationships }
    var deletions: Deletions { stores[0].deletions }
    var pendingOverlay: PendingOverlay? { stores[0].pendingOverlay }
    var inbox: ChangeInbox? { stores[0].inbox }
}
