import LoamStorage

/// The operators at the bottom, which reach the rows.
extension PlanTree {
    var accessPathNode: Node {
        var node: Node
        switch plan.accessPath {
        case .nothing:
            node = Node(.nothing, "can match")
            node.estimate = estimate()
        case .rows(let rowIDs): node = Node(.lookUp, counted(rowIDs.count, noun: "row") + " by id")
        case .table(.min, .max):
            node = Node(.table, plan.arrangement == .sums ? "its number of rows" : "all records" + backwards)
        case .table(let from, let through):
            node = Node(.table, "records from row \(from) through row \(through)" + backwards)
        case .index(let scan): return self.node(of: scan)
        case .skip(let skip): return self.node(of: skip)
        case .union(let scans):
            return combination(
                Node(.union, "of \(counted(scans.count, noun: "scan")), each row once", over: nodes(of: scans)))
        case .intersection(let scans) where scans.count == 1: return nodes(of: scans, isOutermost: true)[0]
        case .intersection(let scans):
            return combination(
                Node(
                    .intersection, "of \(counted(scans.count, noun: "scan")), the rows that all of them reach",
                    over: nodes(of: scans)))
        case .join(let join): return self.node(of: join)
        }
        if node.kind != .nothing, plan.arrangement != .sums {
            node.estimate = estimate(
                records: plan.estimate.records - (plan.refetches ? plan.estimate.rows : 0), cost: cost(.scan(0)))
        } else if node.estimate == nil {
            node.estimate = estimate(cost: cost(.scan(0)))
        }
        node.actual = actual(.scan(0))
        return node
    }

    private var backwards: String {
        plan.query.rowIDDirection == .descending && plan.query.openOrder.isEmpty ? ", backwards" : ""
    }

    // MARK: One index

    private func node(of scan: IndexScan) -> Node {
        var node = Node(
            scan.isMerged ? .merge : .index,
            words(of: scan, ranges: scan.isNarrowed ? counted(scan.ranges.count, noun: "range") : "all of it"))
        node.estimate = estimate(
            entries: plan.arrangement == .sums ? nil : plan.estimate.entries, cost: cost(.scan(0)))
        node.actual = actual(.scan(0))
        return node
    }

    private func node(of skip: SkipScan) -> Node {
        let ranges = "behind each of about \(counted(skip.leadingCount, noun: "first value"))"
        var node = Node(.skipScan, words(of: skip.scan, ranges: ranges))
        node.estimate = estimate(
            entries: plan.arrangement == .sums ? nil : plan.estimate.entries, cost: cost(.scan(0)))
        node.actual = actual(.scan(0))
        if let lookUps = actual(.skips) { node.actual?.add(lookUps) }
        return node
    }

    private func words(of scan: IndexScan, ranges: String) -> String {
        if let trigram = scan.trigram { return "\(scan.index.name), rows with \(Value.quoted(trigram))" }
        var words = [scan.index.name]
        words.append(plan.arrangement == .sums ? "sums only" : scan.isReversed ? "backwards" : "forwards")
        words.append(ranges + (scan.isMerged ? " merged" : ""))
        if plan.covering != nil, !readsRecords { words.append("no record read") }
        if scan.isInexact { words.append("has cut keys") }
        let text = words.joined(separator: ", ")
        return scan.conditions.isEmpty ? text : "\(text): \(TypedPredicate.all(scan.conditions).shortened)"
    }

    // MARK: Several

    /// - Parameter isOutermost: as for ``cost(_:isOutermost:)``.
    private func nodes(of scans: [IndexScan], isOutermost: Bool = false) -> [Node] {
        scans.enumerated().map { number, scan in
            var node = self.node(of: scan)
            node.estimate = estimate(
                entries: scan.entryCount, cost: cost(.scan(number), isOutermost: isOutermost))
            node.actual = actual(.scan(number))
            return node
        }
    }

    /// - Parameter node: over the operators whose rows it combines.
    private func combination(_ node: Node) -> Node {
        var node = node
        node.estimate = estimate(rows: plan.estimate.candidates, cost: cost(.combination))
        node.actual = actual(.combination, rowsOut: measurement?[.combination].rowsOut)
        return node
    }

    /// The operators of the rows that the relationship leads to, under the join.
    private func node(of join: Join) -> Node {
        let target = measurement?.target.map { PlanTree(join.target, $0) } ?? PlanTree(join.target, level: level)
        let rows = counted(join.target.estimate.rows, noun: "row")
        let way = "along \(join.hop.relationship.name), from about \(rows) of \(join.target.query.entity.name)"
        var node = combination(
            Node(.join, "\(way): \(join.condition.shortened)", over: target.operators))
        if let handedOut = target.root.actual { node.actual?.add(handedOut) }
        return node
    }
}
