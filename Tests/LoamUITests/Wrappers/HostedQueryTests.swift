import LoamUI
import Testing

@Suite("Queries in a host") @MainActor
struct HostedQueryTests {
    struct TownRow: View {
        let town: Town
        var body: some View { Label("\(town.people)") }
    }

    struct LeastTowns: View {
        @Query var towns: [Town]

        init(least: Int) {
            _towns = Query(filter: #Predicate<Town> { $0.people >= least }, sort: \Town.name)
        }

        var body: some View {
            ForEach(towns) { TownRow(town: $0) }
        }
    }

    struct Parent: View {
        @State private var least = 997
        @State private var taps = 0

        var body: some View {
            Press(name: "tap") { taps += 1 }
            Press(name: "less") { least -= 1 }
            Label("\(taps) taps")
            LeastTowns(least: least)
        }
    }

    @Test("The first body has its rows; a parent's render fetches only for another request") func parentRenders() throws
    {
        let container = try makeTowns()
        var environment = EnvironmentValues()
        environment.modelContext = container.mainContext
        let host = ViewHost(environment: environment) { Parent() }
        #expect(host.texts == ["0 taps", "997", "998", "999"])
        let rows = host.evaluations(of: TownRow.self)
        host.press("tap")
        host.render()
        #expect(host.texts == ["1 taps", "997", "998", "999"] && host.evaluations(of: TownRow.self) == rows)
        #expect(host.evaluations(of: LeastTowns.self) == 1)
        host.press("less")
        host.render()
        #expect(host.texts == ["1 taps", "996", "997", "998", "999"])
        host.render()
        #expect(!host.isRenderPending && host.warnings.isEmpty)
    }

    struct Animated: View {
        @Query(sort: \Town.name, animation: .easeIn) var towns: [Town]
        var body: some View { Label("\(towns.count)") }
    }

    @Test("A change is rendered with the query's own transaction, unless it was made within another")
    func transactions() async throws {
        let context = try makeTowns(3).mainContext
        var environment = EnvironmentValues()
        environment.modelContext = context
        let (renders, continuation) = AsyncStream<Transaction?>.makeStream()
        let host = ViewHost(environment: environment) {
            Animated()
        } onRender: {
            continuation.yield($0.transaction)
        }
        var iterator = renders.makeAsyncIterator()
        _ = await iterator.next()
        context.insert(Town("a", people: 1))
        #expect(await iterator.next()??.animation == .easeIn && host.texts == ["4"])
        withAnimation(.linear) { context.insert(Town("b", people: 1)) }
        #expect(await iterator.next()??.animation == .linear && host.texts == ["5"])
        withAnimation(nil) { context.insert(Town("c", people: 1)) }
        let last = await iterator.next()
        #expect(last??.animation == nil && host.texts == ["6"])
    }
}
