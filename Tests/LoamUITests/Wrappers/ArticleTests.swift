import Testing

@testable import LoamUI

/// What the articles about property wrappers declare, to the letter but for what Linux rules out.
@Model final class Item {
    var timestamp: Date?
    var categoryID: Int16
    var day: String

    init(timestamp: Date? = nil, categoryID: Int16 = 0) {
        self.timestamp = timestamp
        self.categoryID = categoryID
        day = "\(categoryID)"
    }

    static let noFaultRequest: NSFetchRequest = {
        let request = NSFetchRequest<Item>(entityName: "Item")
        request.predicate = nil
        request.sortDescriptors = [.init(keyPath: \Item.timestamp, ascending: true)]
        request.returnsObjectsAsFaults = false
        return request
    }()
}

@Model final class Country {
    var name: String
    var capital: String
    var visited = false

    init(_ name: String, capital: String, visited: Bool) {
        (self.name, self.capital, self.visited) = (name, capital, visited)
    }

    static var visitedPredicate: NSPredicate { NSPredicate(format: "%K == true", "visited") }
    static var searchByNamePredicate: NSPredicate { NSPredicate(format: "%K BEGINSWITH[cd] $query", "name") }
    static var searchByCapitalPredicate: NSPredicate { NSPredicate(format: "%K BEGINSWITH[cd] $query", "capital") }
}

enum SearchByField { case name, capital }

struct SearchScope: Equatable {
    var visitedOnly: Bool = false
    var beginsWith: String = ""
    var searchBy: SearchByField = .name

    var predicate: NSPredicate? {
        switch (beginsWith.isEmpty, visitedOnly) {
        case (true, false): return nil
        case (true, true): return Country.visitedPredicate
        case (false, false): return searchPredicate()
        case (false, true):
            return NSCompoundPredicate(andPredicateWithSubpredicates: [Country.visitedPredicate, searchPredicate()])
        }
    }

    private func searchPredicate() -> NSPredicate {
        let template: NSPredicate
        switch searchBy {
        case .name: template = Country.searchByNamePredicate
        case .capital: template = Country.searchByCapitalPredicate
        }
        return template.withSubstitutionVariables(["query": beginsWith])
    }
}

@Suite("Examples of the articles") @MainActor
struct ArticleTests {
    let container: ModelContainer
    var context: ModelContext { container.mainContext }
    var place: PropertyPlace { PropertyPlace(context) }

    init() throws {
        container = try ModelContainer(
            for: Item.self, Country.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        for number in 0..<10 {
            let time = Date(timeIntervalSince1970: Double(number) * 86_400)
            context.insert(Item(timestamp: time, categoryID: Int16(number % 3)))
        }
        context.insert(Country("Laos", capital: "Vientiane", visited: true))
        context.insert(Country("Latvia", capital: "Riga", visited: false))
        context.insert(Country("Portugal", capital: "Lisbon", visited: true))
        try context.save()
    }

    @MainActor struct Items {
        @FetchRequest(
            sortDescriptors: [NSSortDescriptor(keyPath: \Item.timestamp, ascending: true)],
            predicate: nil,
            animation: .default)
        var items: FetchedResults<Item>

        @FetchRequest(fetchRequest: Item.noFaultRequest)
        var noFaults: FetchedResults<Item>

        @SectionedFetchRequest(
            entity: Item.entity(),
            sectionIdentifier: \Item.categoryID,
            sortDescriptors: [
                .init(keyPath: \Item.categoryID, ascending: true),
                .init(keyPath: \Item.timestamp, ascending: true),
            ]
        )
        var sectionItems: SectionedFetchResults<Int16, Item>

        @SectionedFetchRequest<String, Item>(
            sectionIdentifier: \.day,
            sortDescriptors: [SortDescriptor(\.timestamp, order: .reverse)]
        )
        var quakes: SectionedFetchResults<String, Item>

        @Query(sort: \Item.timestamp, animation: .default)
        var queried: [Item]

        func press() {
            $items.nsPredicate.wrappedValue = .init(value: false)
            $items.sortDescriptors.wrappedValue = [.init(\Item.timestamp, order: .reverse)]
        }

        /// As the host has it before its body.
        func mounted(in context: ModelContext) -> Self {
            var view = self
            view._items.mount(in: PropertyPlace(context))
            view._noFaults.mount(in: PropertyPlace(context))
            view._sectionItems.mount(in: PropertyPlace(context))
            view._quakes.mount(in: PropertyPlace(context))
            view._queried.mount(in: PropertyPlace(context))
            return view
        }
    }

    private var items: Items { Items().mounted(in: context) }

    @MainActor struct Between {
        @FetchRequest
        var items: FetchedResults<Item>
        init(startDate: Date, endDate: Date) {
            let predicate = NSPredicate(format: "timestamp >= %@ AND timestamp <= %@", startDate, endDate)
            _items = FetchRequest(
                entity: Item.entity(),
                sortDescriptors: [.init(key: "timestamp", ascending: true)],
                predicate: predicate
            )
        }

        /// As the host has it before its body.
        func mounted(in context: ModelContext) -> Self {
            var view = self
            view._items.mount(in: PropertyPlace(context))
            return view
        }
    }

    @Test("The basic forms, and the form of a request that is kept") func basicForms() {
        let items = items
        #expect(items.items.map(\.categoryID).prefix(4) == [0, 1, 2, 0])
        #expect(items.noFaults.count == 10)
        #expect(items.queried.count == 10)
    }

    @Test("A predicate that an initialiser makes") func initialiser() {
        let between = Between(
            startDate: Date(timeIntervalSince1970: 86_400), endDate: Date(timeIntervalSince1970: 3 * 86_400))
        #expect(between.mounted(in: context).items.map(\.categoryID) == [1, 2, 0])
    }

    @Test("What a button sets") func button() {
        let view = items
        view.press()
        #expect(view.items.isEmpty && view.items.sortDescriptors == [.init(\Item.timestamp, order: .reverse)])
        view.items.nsPredicate = nil
        #expect(view.items.map(\.categoryID).prefix(4) == [0, 2, 1, 0])
    }

    @Test("Sections by a number, and by a day in the order of time") func sections() {
        let sections = items.sectionItems
        #expect(sections.map(\.id) == [0, 1, 2] && sections.map(\.count) == [4, 3, 3])
        #expect(items.quakes.map(\.id) == ["0", "2", "1"])
    }

    @Test("Both examples that Apple's predicates refuse are captured") func captures() throws {
        let now = #Predicate<Item> { ($0.timestamp ?? .distantFuture) < Date.now }
        #expect(Query<Item, [Item]>(filter: now, sort: \Item.timestamp).mounted(in: place).wrappedValue.count == 10)
        let item = try #require(items.items.dropFirst(3).first)
        let earlier = #Predicate<Item> { ($0.timestamp ?? .distantFuture) < (item.timestamp ?? .distantPast) }
        let query = Query<Item, [Item]>(filter: earlier, sort: \Item.timestamp, order: .forward, animation: .default)
        #expect(query.mounted(in: place).wrappedValue.count == 3)
    }

    @Test("A scope of a search sets the predicate of the countries") func countries() {
        let request = FetchRequest<Country>(sortDescriptors: [SortDescriptor(\.name, order: .forward)])
            .mounted(in: place)
        let countries = request.wrappedValue
        func names(_ scope: SearchScope) -> [String] {
            countries.nsPredicate = scope.predicate
            return request.wrappedValue.map(\.name)
        }
        #expect(names(SearchScope()) == ["Laos", "Latvia", "Portugal"])
        #expect(names(SearchScope(visitedOnly: true)) == ["Laos", "Portugal"])
        #expect(names(SearchScope(beginsWith: "la")) == ["Laos", "Latvia"])
        #expect(names(SearchScope(visitedOnly: true, beginsWith: "L", searchBy: .capital)) == ["Portugal"])
    }
}
