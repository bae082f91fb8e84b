public import Foundation
public import Loam

// Fetch requests whose results are no models.

extension FetchRequest where Result == PersistentIdentifier {
    /// The identifiers of the models of an entity.
    public init(
        entity: NSEntityDescription, sortDescriptors: [NSSortDescriptor], predicate: NSPredicate? = nil,
        animation: Animation? = nil
    ) {
        let settings = FetchSettings(entity.name, predicate, sortDescriptors)
        self.init(GivenFetch(settings, transaction: Transaction(ofWrapper: animation)))
    }

    /// The identifiers of the models that a request is for, as it is now.
    public init(fetchRequest: NSFetchRequest<Result>, animation: Animation? = nil) {
        self.init(GivenFetch(fetchRequest, transaction: Transaction(ofWrapper: animation)))
    }

    /// The identifiers of the models that a request is for, as it is now, with a transaction of its changes.
    public init(fetchRequest: NSFetchRequest<Result>, transaction: Transaction) {
        self.init(GivenFetch(fetchRequest, transaction: transaction))
    }
}

extension FetchRequest where Result == [String: Any] {
    /// The values, in dictionaries, of the models of an entity.
    public init(
        entity: NSEntityDescription, sortDescriptors: [NSSortDescriptor], predicate: NSPredicate? = nil,
        animation: Animation? = nil
    ) {
        let settings = FetchSettings(entity.name, predicate, sortDescriptors)
        self.init(GivenFetch(settings, transaction: Transaction(ofWrapper: animation)))
    }

    /// The values, in dictionaries, of the models that a request is for, as it is now.
    public init(fetchRequest: NSFetchRequest<Result>, animation: Animation? = nil) {
        self.init(GivenFetch(fetchRequest, transaction: Transaction(ofWrapper: animation)))
    }

    /// The values, in dictionaries, of the models that a request is for, as it is now, with a transaction of its changes.
    public init(fetchRequest: NSFetchRequest<Result>, transaction: Transaction) {
        self.init(GivenFetch(fetchRequest, transaction: transaction))
    }
}

extension FetchRequest where Result == NSDictionary {
    /// The values, in dictionaries, of the models of an entity.
    public init(
        entity: NSEntityDescription, sortDescriptors: [NSSortDescriptor], predicate: NSPredicate? = nil,
        animation: Animation? = nil
    ) {
        let settings = FetchSettings(entity.name, predicate, sortDescriptors)
        self.init(GivenFetch(settings, transaction: Transaction(ofWrapper: animation)))
    }

    /// The values, in dictionaries, of the models that a request is for, as it is now.
    public init(fetchRequest: NSFetchRequest<Result>, animation: Animation? = nil) {
        self.init(GivenFetch(fetchRequest, transaction: Transaction(ofWrapper: animation)))
    }

    /// The values, in dictionaries, of the models that a request is for, as it is now, with a transaction of its changes.
    public init(fetchRequest: NSFetchRequest<Result>, transaction: Transaction) {
        self.init(GivenFetch(fetchRequest, transaction: transaction))
    }
}
