import Foundation
import Testing

@testable import Loam

@Suite("The history of several stores")
struct SeveralStoresHistoryTests {
    private let files: TwoFiles
    private let container: ModelContainer
    private let stores: [String]

    init() throws {
        files = try TwoFiles()
        container = try files.open()
        stores = container.stores.map(\.id)
        let context = ModelContext(container)
        context.author = "first"
        context.insert(Voyage("North"))
        context.insert(Remark("Cold"))
        try context.save()
    }

    private func history(
        _ context: ModelContext, _ predicate: Foundation.Predicate<DefaultHistoryTransaction>? = nil
    ) throws -> [DefaultHistoryTransaction] {
        try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>(predicate: predicate))
    }

    @Test("has a transaction for each store that a save concerned, store by store")
    func transactions() throws {
        let context = ModelContext(container)
        context.author = "second"
        context.insert(Remark("Hot"))
        try context.save()
        let all = try history(context)
        #expect(all.map(\.storeIdentifier) == [stores[0], stores[1], stores[1]])
        #expect(all.map(\.author) == ["first", "first", "second"])
        #expect(all.map { $0.changes.count } == [1, 1, 1])
        #expect(all.flatMap(\.changes).map(\.changedPersistentIdentifier.entityName) == ["Voyage", "Remark", "Remark"])
        var one = HistoryDescriptor<DefaultHistoryTransaction>()
        one.fetchLimit = 2
        #expect(try context.fetchHistory(one).map(\.storeIdentifier) == stores)
    }

    @Test("goes on from a token in the stores that it is of; a save's token is of all that it concerned")
    func tokens() throws {
        let context = ModelContext(container)
        let box = TokenBox(context)
        context.insert(Voyage("South"))
        context.insert(Remark("Hot"))
        try context.save()
        let (token, ofVoyages) = (try #require(box.token), try #require(try history(context).first?.token))
        #expect(token.tokenValue?.keys.sorted() == stores.sorted() && token.storeIdentifier == nil)
        #expect(ofVoyages < token && !(token < ofVoyages))
        #expect(try history(context, #Predicate { $0.token > token }).isEmpty)
        #expect(try history(context, #Predicate { $0.token > ofVoyages }).map(\.storeIdentifier) == [stores[0]])
        context.insert(Remark("Wet"))
        try context.save()
        context.insert(Voyage("West"))
        try context.save()
        #expect(try history(context, #Predicate { $0.token > token }).map(\.storeIdentifier) == stores)
        let others = try TwoFiles()
        let other = ModelContext(try others.open())
        #expect(throws: SwiftDataError.historyTokenExpired) {
            try history(other, #Predicate { $0.token > ofVoyages })
        }
    }

    /// The tokens of a store's saves, in the order of the saves.
    private func tokens(of store: String, in context: ModelContext) throws -> [DefaultHistoryToken] {
        try history(context).filter { $0.storeIdentifier == store }.map(\.token)
    }

    @Test("up to a token is that of the stores that the token is of, on whichever side it stands")
    func upperBound() throws {
        let context = ModelContext(container)
        context.insert(Voyage("South"))
        context.insert(Remark("Hot"))
        try context.save()
        let author: String? = "first"
        // One of the stores has the lower identifier, so both are tried.
        for store in stores {
            let bound = try #require(try tokens(of: store, in: context).last)
            #expect(try history(context, #Predicate { $0.token <= bound }).map(\.storeIdentifier) == [store, store])
            #expect(try history(context, #Predicate { bound >= $0.token }).map(\.storeIdentifier) == [store, store])
            #expect(try history(context, #Predicate { $0.token < bound }).map(\.storeIdentifier) == [store])
            #expect(try history(context, #Predicate { $0.token >= bound }).map(\.storeIdentifier) == [store])
            let both = #Predicate<DefaultHistoryTransaction> { $0.author == author && $0.token <= bound }
            #expect(try history(context, both).map(\.storeIdentifier) == [store])
        }
        let ofVoyages = try #require(try tokens(of: stores[0], in: context).first)
        let ofRemarks = try #require(try tokens(of: stores[1], in: context).first)
        #expect(throws: SwiftDataError.historyTokenExpired) {
            try history(context, #Predicate { $0.token >= ofVoyages && $0.token <= ofRemarks })
        }
    }

    /// Three more saves of both stores, and the token of each store's save after the first two.
    private func saveMore(
        _ context: ModelContext
    ) throws -> (ofVoyages: DefaultHistoryToken, ofRemarks: DefaultHistoryToken) {
        for number in 0..<3 {
            context.insert(Voyage("voyage \(number)"))
            context.insert(Remark("remark \(number)"))
            try context.save()
        }
        return (try tokens(of: stores[0], in: context)[1], try tokens(of: stores[1], in: context)[1])
    }

    @Test("after any of several tokens goes on in each store from its own")
    func disjunction() throws {
        let context = ModelContext(container)
        let (ofVoyages, ofRemarks) = try saveMore(context)
        let after = [stores[0], stores[0], stores[1], stores[1]]
        func ids(_ predicate: Foundation.Predicate<DefaultHistoryTransaction>) throws -> [String] {
            let found = try history(context, predicate)
            #expect(found.allSatisfy { $0.token > ($0.storeIdentifier == stores[0] ? ofVoyages : ofRemarks) })
            return found.map(\.storeIdentifier)
        }
        #expect(try ids(#Predicate { $0.token > ofVoyages || $0.token > ofRemarks }) == after)
        #expect(try ids(#Predicate { ofRemarks < $0.token || ofVoyages < $0.token }) == after)
        #expect(try ids(#Predicate { !($0.token <= ofVoyages && $0.token <= ofRemarks) }) == after)
        let remarks = stores[1]
        #expect(
            try ids(#Predicate { $0.token > ofVoyages || ($0.token > ofRemarks && $0.storeIdentifier == remarks) })
                == after)
        // Nothing is missed in silence: each store tells that saves after its token are gone.
        for store in stores {
            let bound = try #require(try tokens(of: store, in: context).dropLast().last)
            try context.deleteHistory(
                HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token <= bound }))
            #expect(throws: SwiftDataError.historyTokenExpired) {
                try ids(#Predicate { $0.token > ofVoyages || $0.token > ofRemarks })
            }
        }
    }

    @Test("that does not hold a comparison is of the token's stores, too")
    func negation() throws {
        let context = ModelContext(container)
        let (ofVoyages, ofRemarks) = try saveMore(context)
        for (store, token) in zip(stores, [ofVoyages, ofRemarks]) {
            let own = [store, store]
            #expect(try history(context, #Predicate { !($0.token > token) }).map(\.storeIdentifier) == own)
            #expect(try history(context, #Predicate { !($0.token <= token) }).map(\.storeIdentifier) == own)
            #expect(try history(context, #Predicate { !(token < $0.token) }).map(\.storeIdentifier) == own)
            let author: String? = "first"
            let found = try history(context, #Predicate { !($0.token > token) && $0.author == author })
            #expect(found.map(\.storeIdentifier) == [store])
            // The other store is asked for the author alone.
            let either = try history(context, #Predicate { !($0.token <= token) || $0.author == author })
            #expect(Set(either.map(\.storeIdentifier)) == Set(stores) && either.count == 4)
        }
        let before = HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { !($0.token > ofVoyages) })
        try context.deleteHistory(before)
        #expect(try tokens(of: stores[0], in: context).count == 2 && tokens(of: stores[1], in: context).count == 4)
        #expect(throws: SwiftDataError.historyTokenExpired) {
            try history(context, #Predicate { !($0.token > ofVoyages) && $0.token > ofRemarks })
        }
    }

    @Test("is compared with a save's token by the store that the two have in common")
    func tokensOfSeveral() throws {
        let context = ModelContext(container)
        let box = TokenBox(context)
        context.insert(Remark("Hot"))
        try context.save()
        context.insert(Voyage("South"))
        context.insert(Remark("Dry"))
        try context.save()
        let token = try #require(box.token)
        context.insert(Remark("Wet"))
        try context.save()
        #expect(try history(context, #Predicate { $0.token > token }).map(\.storeIdentifier) == [stores[1]])
        #expect(try history(context, #Predicate { !($0.token <= token) }).map(\.storeIdentifier) == [stores[1]])
        #expect(try history(context, #Predicate { $0.token >= token }).map(\.storeIdentifier) == stores + [stores[1]])
        #expect(try history(context, #Predicate { $0.token < token }).count == 3)
        let known = try JSONDecoder().decode(DefaultHistoryToken.self, from: JSONEncoder().encode(token))
        #expect(known == token)
        #expect(try history(context, #Predicate { $0.token > known }).count == 1)
    }

    @Test("up to a token is taken out of the stores that the token is of alone", arguments: [0, 1])
    func deletionUpToToken(place: Int) throws {
        let context = ModelContext(container)
        let box = TokenBox(context)
        let bound = try #require(try tokens(of: stores[place], in: context).last)
        context.insert(Voyage("South"))
        context.insert(Remark("Hot"))
        try context.save()
        try context.deleteHistory(
            HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token <= bound }))
        for (other, store) in stores.enumerated() {
            #expect(try tokens(of: store, in: context).count == (other == place ? 1 : 2))
        }
        // A token of a save to both stores deletes the transactions before it in both.
        let last = try #require(box.token)
        let before = HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token < last })
        try context.deleteHistory(before)
        #expect(try history(context).map(\.storeIdentifier) == stores)
        // Other stores have no history up to the token.
        let files = try TwoFiles()
        let stranger = ModelContext(try files.open())
        stranger.insert(Voyage("East"))
        try stranger.save()
        #expect(throws: SwiftDataError.historyTokenExpired) { try stranger.deleteHistory(before) }
        #expect(try history(stranger).count == 1)
        withExtendedLifetime(files) {}
    }

    @Test("is that of the others where one of them is in memory")
    func oneInMemory() throws {
        let folder = try TemporaryFolder()
        let mixed = try ModelContainer(
            for: Voyage.self, Remark.self,
            configurations: ModelConfiguration(
                "remarks \(UUID())", schema: Schema([Remark.self]), isStoredInMemoryOnly: true),
            ModelConfiguration("voyages", schema: Schema([Voyage.self]), url: folder.store))
        let context = ModelContext(mixed)
        let observer = try HistoryObserver(modelContainer: mixed)
        #expect(throws: SwiftDataError.invalidTransactionFetchRequest) {
            try HistoryObserver(observedModels: [Remark.self], modelContainer: mixed)
        }
        context.insert(Voyage("South"))
        context.insert(Remark("Hot"))
        try context.save()
        let all = try history(context)
        #expect(all.flatMap(\.changes).map(\.changedPersistentIdentifier.entityName) == ["Voyage"])
        observer.refresh()
        #expect(observer.eventCounter == 1)
        try context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
        #expect(try history(context).isEmpty)
    }

    @Test("is taken out of the stores that it is of, and of none where one of them cannot be written")
    func deletion() throws {
        let reading = ModelContext(try files.open(canSaveRemarks: false))
        #expect(throws: SwiftDataError.storage) {
            try reading.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
        }
        #expect(try history(reading).count == 2)
        let voyages = stores[0]
        let ofVoyages = #Predicate<DefaultHistoryTransaction> { $0.storeIdentifier == voyages }
        try reading.deleteHistory(HistoryDescriptor(predicate: ofVoyages))
        #expect(try history(reading).map(\.storeIdentifier) == [stores[1]])
        try ModelContext(container).deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
        #expect(try history(reading).isEmpty)
    }
}

/// Keeps the token of the last save of a context.
private final class TokenBox: @unchecked Sendable {
    private(set) var token: DefaultHistoryToken?
    private var observer: (any NSObjectProtocol)?

    init(_ context: ModelContext) {
        observer = NotificationCenter.default.addObserver(
            forName: ModelContext.didSave, object: context, queue: nil
        ) { [weak self] in
            self?.token = $0.userInfo?[ModelContext.NotificationKey.historyTokens] as? DefaultHistoryToken
        }
    }

    deinit { observer.map(NotificationCenter.default.removeObserver) }
}
