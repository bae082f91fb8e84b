import Dispatch
import LoamLive
import LoamQuery
import LoamStorage
import SeededRandom
import Synchronization
import Testing

/// After every save a live result is what a fresh query gives, and its deliveries lead there step by step.
@Suite struct LiveResultTests {
    @Test(arguments: 0..<LiveSample.queries.count)
    func equalsAFreshQueryAfterEverySave(number: Int) throws {
        let query = LiveSample.queries[number]
        var random = SeededGenerator(seed: UInt64(number))
        let sample = try LiveSample(seed: UInt64(number))
        let follower = try LiveFollower(query, in: sample.store)
        #expect(SectionedRows(follower.live.state) == (try sample.fresh(query)))
        for step in 0..<60 {
            // At every twentieth step so many rows change that the result is read again.
            try sample.saveChanges(&random, atMost: step % 20 == 19 ? 150 : 6, through: step % 2)
            // At every third step the result does not follow, so that the next one has several saves to follow.
            if step % 3 == 0 { continue }
            follower.live.settle()
            let expected = try sample.fresh(query)
            try #require(SectionedRows(follower.live.state) == expected, "query \(number), step \(step)")
            try #require(follower.rows == expected, "query \(number), step \(step)")
            try #require(follower.faults == [], "query \(number), step \(step)")
        }
        #expect(follower.resets == 0)
        #expect(query.limit == 0 || follower.deliveries > 10)
    }

    @Test func followsSeveralWritersAtOnce() throws {
        let sample = try LiveSample()
        let followers = try LiveSample.queries.map { try LiveFollower($0, in: sample.store) }
        let failures = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { worker in
            var random = SeededGenerator(seed: UInt64(worker) + 100)
            for _ in 0..<60 {
                do {
                    try sample.saveChanges(&random, through: worker % 2)
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
            }
        }
        #expect(failures.withLock { $0 } == [])
        for (query, follower) in zip(LiveSample.queries, followers) {
            follower.live.settle()
            #expect(follower.faults == [])
            #expect(SectionedRows(follower.live.state) == (try sample.fresh(query)))
            #expect(follower.rows == SectionedRows(follower.live.state))
        }
    }

    @Test func keepsUpInMemory() throws {
        let sample = try LiveSample(isInMemory: true)
        var random = SeededGenerator(seed: 9)
        let follower = try LiveFollower(LiveSample.queries[4], in: sample.store)
        for _ in 0..<30 {
            try sample.saveChanges(&random)
            follower.live.settle()
            #expect(follower.rows == (try sample.fresh(LiveSample.queries[4])))
        }
        #expect(follower.faults == [] && follower.resets == 0)
    }

    @Test func saysNothingOfChangesElsewhere() throws {
        let sample = try LiveSample()
        var query = Query(entity: "City", predicate: try PredicateParser.parse("size > 3"), sort: [SortKey("size")])
        query.columns = ["name", "size"]
        let follower = try LiveFollower(query, in: sample.store)
        let lake = try sample.store.read { try $0.entity(named: "Lake") }
        var batch = WriteBatch()
        let record = try sample.store.catalog().encode(["name": .string("Titicaca")], as: "Lake")
        batch.insert(record, into: lake.id, rowID: try sample.store.makeRowID())
        try sample.store.save(batch)
        let rowID = try #require(follower.live.state.rowIDs.first)
        try update(rowID, "note", .string("not shown"), sample)
        follower.live.settle()
        #expect(follower.deliveries == 0)
        try update(rowID, "name", .string("shown"), sample)
        follower.live.settle()
        var difference = LiveDifference()
        difference.updates = [.init(position: ResultPosition(section: 0, item: 0), rowID: rowID)]
        #expect(follower.last == .difference(difference))
    }

    @Test func startsOverWhenTheSchemaChangesWhatIsAsked() throws {
        let sample = try LiveSample()
        let follower = try LiveFollower(LiveSample.queries[1], in: sample.store)
        try sample.store.apply(.addIndex(IndexDefinition([.init("note")]), to: "City"))
        follower.live.settle()
        #expect(follower.resets == 0 && follower.deliveries == 0)
        try sample.store.apply(.addProperty(PropertyDefinition("mayor", type: .string, isOptional: true), to: "City"))
        follower.live.settle()
        #expect(follower.resets == 1)
        try sample.store.apply(.renameProperty("size", to: "extent", in: "City"))
        follower.live.settle()
        #expect(follower.resets == 2 && follower.faults.isEmpty)
        #expect(follower.rows == (try sample.fresh(LiveSample.queries[1])))
        try sample.store.apply(.removeProperty("extent", from: "City"))
        follower.live.settle()
        #expect(!follower.faults.isEmpty)
        try sample.store.apply(
            .addProperty(PropertyDefinition("size", type: .int64, initialValue: .int(3)), to: "City"))
        follower.live.settle()
        #expect(follower.resets == 3)
        #expect(follower.rows == (try sample.fresh(LiveSample.queries[1])))
    }

    @Test func endsWhenItIsLetGo() throws {
        let sample = try LiveSample()
        var random = SeededGenerator(seed: 3)
        weak var gone: LiveResult?
        do {
            let follower = try LiveFollower(Query(entity: "City"), in: sample.store)
            gone = follower.live
            follower.live.cancel()
            try sample.saveChanges(&random)
            follower.live.settle()
            #expect(follower.deliveries == 0)
        }
        #expect(gone == nil)
        try sample.saveChanges(&random)
    }

    private func update(_ rowID: RowID, _ name: String, _ value: Value, _ sample: LiveSample) throws {
        var batch = WriteBatch()
        let position = try #require(sample.entity.position(of: name))
        batch.update(rowID, of: sample.entity.id, base: nil, changes: [sample.entity.properties[position].id: value])
        try sample.store.save(batch)
    }
}
