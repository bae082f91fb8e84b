/// What a ``BacktrackingMatcher`` goes back to: choices that it saved, and what registers held before they were
/// written.
///
/// A register's old value is kept once for each choice, so what is written between two choices takes bounded memory.
struct BacktrackingStack {
    /// A choice, or the old value of a register, in 32 bytes.
    private struct Entry {
        /// The instruction that a choice goes on with; for a register's old value, the complement of its number.
        var target: Int
        /// The position of a choice, or the old value of a register.
        var value: Int
        /// How far back a loop may go; -1 for other choices.
        var floor: Int
        /// The choice before this one, given as in ``newest``.
        var previous: Int
    }

    struct Choice {
        var target: Int
        var position: Int
        /// How far back a loop may go; nil for other choices.
        var floor: Int?
    }

    /// How much the stack held at one moment.
    struct Mark {
        fileprivate var height = 0
        fileprivate var newest = 0
    }

    private(set) var registers: [Int]
    private var entries: ContiguousArray<Entry> = []
    /// One more than the index of the newest choice; 0 where there is none.
    private var newest = 0
    /// For each register one more than the index of its newest old value; 0 where that is not known.
    private var stamps: [Int]
    private var cuts = 0
    /// For each register the number of the last cut that met one of its old values.
    private var seen: [Int]

    /// The most entries that the stack has held.
    private(set) var highest = 0
    var count: Int { entries.count }

    init(registers count: Int) {
        registers = Array(repeating: -1, count: count)
        stamps = Array(repeating: 0, count: count)
        seen = stamps
    }

    mutating func save(_ target: Int, at position: Int, floor: Int = -1) {
        entries.append(Entry(target: target, value: position, floor: floor, previous: newest))
        newest = entries.count
        highest = max(highest, newest)
    }

    mutating func write(_ value: Int, to register: Int) {
        if newest > 0, stamps[register] <= newest {
            entries.append(Entry(target: ~register, value: registers[register], floor: -1, previous: 0))
            stamps[register] = entries.count
            highest = max(highest, entries.count)
        }
        registers[register] = value
    }

    /// Takes the newest choice off the stack and gives the registers the values that they had then.
    mutating func pop() -> Choice? {
        while let entry = entries.popLast() {
            if entry.target < 0 {
                registers[~entry.target] = entry.value
                stamps[~entry.target] = 0
            } else {
                newest = entry.previous
                return Choice(target: entry.target, position: entry.value, floor: entry.floor < 0 ? nil : entry.floor)
            }
        }
        return nil
    }

    var mark: Mark { Mark(height: entries.count, newest: newest) }

    /// Drops the choices made since the mark; registers keep their values. Returns the number of entries that it looked
    /// at, which the caller counts as steps.
    mutating func cut(to mark: Mark) -> Int {
        newest = mark.newest
        let looked = entries.count - newest
        cuts += 1
        var end = newest
        // Of a register's values since the choice before, the oldest is the one to go back to; without a choice, none.
        for index in newest..<entries.count where entries[index].target < 0 {
            let register = ~entries[index].target
            if newest == 0 { stamps[register] = 0 }
            guard newest > 0, seen[register] < cuts else { continue }
            seen[register] = cuts
            entries[end] = entries[index]
            end += 1
            stamps[register] = end
        }
        entries.removeLast(entries.count - end)
        return looked
    }

    /// Drops everything since the mark and gives the registers the values that they had then.
    mutating func unwind(to mark: Mark) {
        while entries.count > mark.height, let entry = entries.popLast() {
            guard entry.target < 0 else { continue }
            registers[~entry.target] = entry.value
            stamps[~entry.target] = 0
        }
        newest = mark.newest
    }
}
