import Loam

import class LoamUI.FetchRequestCore
import class LoamUI.GivenFetch
import class LoamUI.GivenRequest
import class LoamUI.GivenSectionedFetch
import protocol LoamUI.LiveRequest
import class LoamUI.NSFetchRequest
import class LoamUI.QueryRequest
import protocol LoamUI.QueryResult
import class LoamUI.SectionedFetchRequestCore

typealias Query<Result: QueryResult> = Live<QueryRequest<Result>>
typealias FetchRequest<Model: PersistentModel> = Live<FetchRequestCore<Model>>
typealias SectionedFetchRequest<ID: Hashable, Model: PersistentModel> = Live<SectionedFetchRequestCore<ID, Model>>

@propertyWrapper @MainActor struct Live<Core: LiveRequest>: DynamicProperty {
    @State private var core: Core
    @Environment(\.modelContext) private var context
    private let given: Core.Given

    init(_ given: Core.Given) {
        self.given = given
        _core = State(wrappedValue: Core(given))
    }

    var wrappedValue: Core.Value { core.value }
    var fetchError: (any Error)? { core.fetchError }

    var projectedValue: Binding<Core.Settings> {
        let core = core
        return Binding(get: { core.settings }, set: { core.settings = $0 })
    }

    mutating func update() { core.update(to: given, in: context) }
}

extension Live {
    init<Result>(_ descriptor: FetchDescriptor<Result.Model>, sectionBy: PartialKeyPath<Result.Model>? = nil)
    where Core == QueryRequest<Result> {
        self.init(GivenRequest(descriptor, sectionBy: sectionBy))
    }

    init<Model>(fetchRequest: NSFetchRequest<Model>) where Core == FetchRequestCore<Model>, Model: PersistentModel {
        self.init(GivenFetch(fetchRequest))
    }

    init<ID, Model>(fetchRequest: NSFetchRequest<Model>, sectionIdentifier: KeyPath<Model, ID>)
    where Core == SectionedFetchRequestCore<ID, Model> {
        self.init(GivenSectionedFetch(fetchRequest, sectionIdentifier: sectionIdentifier))
    }
}
