import AllocationCount
import LoamStorage
import RandomQueries
import Testing

/// Keys of functions that are made straight from records are, byte for byte, those of the functions' values.
@Suite struct FunctionKeyTests {
    private struct Component {
        let key: KeyComponent
        let field: Int
        let function: TypedFunction
        let program: PlacementProgram

        init(_ component: IndexComponent, _ function: IndexFunction, of entity: Entity) throws {
            key = try KeyComponent(component)
            field = try #require(entity.properties.firstIndex { $0.id == component.property })
            self.function = try #require(TypedFunction(function, of: entity.properties[field].type))
            program = PlacementProgram([key], fields: [field], functions: [self.function], cuts: true)
        }
    }

    private func components(_ entity: Entity) throws -> [Component] {
        try entity.indexes.flatMap(\.components).filter(\.path.isEmpty).compactMap { component in
            try component.function.map { try Component(component, $0, of: entity) }
        }
    }

    @Test(arguments: [(1, false), (2, true), (3, true)] as [(UInt64, Bool)])
    func keysOfRecordsAreThoseOfTheValues(seed: UInt64, longStrings: Bool) throws {
        let sample = try SampleStore(seed: seed, rowCount: 200, longStrings: longStrings)
        try sample.store.read { snapshot in
            let entity = try snapshot.entity(named: "Thing")
            let components = try components(entity)
            try #require(components.count >= 8)
            try snapshot.scanRows(of: entity) { row in
                for component in components {
                    var found = KeyBuffer()
                    var expected = KeyBuffer()
                    // Long values lie outside the record.
                    guard try row.append(0, of: component.program, to: &found) else { continue }
                    try component.key.append(
                        component.function.result(of: row.value(component.field)), to: &expected)
                    let bytes = found.withBytes(Array.init)
                    try #require(
                        bytes == expected.withBytes(Array.init), "seed \(seed), \(component.function.function)")
                }
                return true
            }
        }
    }

    /// Functions of letters aside, which may have to be normalized, and roundings of decimals, which Foundation makes.
    @Test(.enabled(if: allocation_count_is_exact(), "a sanitizer has a heap of its own"))
    func aRowTakesNothingFromTheHeap() throws {
        let sample = try SampleStore(seed: 4, rowCount: 200, longStrings: false)
        try sample.store.read { snapshot in
            let entity = try snapshot.entity(named: "Thing")
            let components = try components(entity).filter {
                $0.function.type != .string && $0.function.type != .decimal
            }
            try #require(components.count >= 5)
            var key = KeyBuffer()
            var allocations = 0
            for isCounted in [false, true] {
                try snapshot.scanRows(of: entity) { row in
                    for component in components {
                        let before = allocation_count()
                        _ = try row.append(0, of: component.program, to: &key)
                        if isCounted { allocations += Int(allocation_count() - before) }
                        key.removeAll()
                    }
                    return true
                }
            }
            #expect(allocations == 0)
        }
    }
}
