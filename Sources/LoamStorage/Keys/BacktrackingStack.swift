/// What a ``BacktrackingRun`` goes back to: choices that it saved, and what registers held before they were written.
///
/// A register's old value is kept once for each choice, so what is written between two choices takes bounded memory.
struct BacktrackingStack {
    /// 32 bytes.
    private struct Entry {
        /// The instruction of a choice; below zero, the complement of a register.
        var target: Int
        /// The place of a choice; the value of a register.
        var value: Int
        /// How far back a loop may go; -1 for other choices.
        var floor: Int
        /// The choice before this one, as ``newest`` has it.
        var previous: Int
    }

    struct Choice {
        var target: Int
        var place: Int
        /// Nil for all but a loop's.
        var floor: Int?
    }

    /// Where it stood.
    struct Mark {
        fileprivate var height = 0
        fileprivate var newest = 0
    }

    private(set) var registers: [Int]
    private var entries: ContiguousArray<Entry> = []
    /// One more than where the newest choice lies; 0 for none.
    private var newest = 0
    /// By register: one more than where its newest value lies; 0 where that is not known.
    private var stamps: [Int]
    private var cuts = 0
    /// By register: the cut that met it last.
    private var seen: [Int]

    /// The most that it has held.
    private(set) var highest = 0
    var count: Int { entries.count }

    init(registers count: Int) {
        registers = Array(repeating: -1, count: count)
        stamps = Array(repeating: 0, count: count)
        seen = stamps
    }

    mutating func save(_ target: Int, at place: Int, floor: Int = -1) {
        entries.append(Entry(target: target, value: place, floor: floor, previous: newest))
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

    /// The newest choice, with the registers as they were then.
    mutating func pop() -> Choice? {
        while let entry = entries.popLast() {
            if entry.target < 0 {
                registers[~entry.target] = entry.value
                stamps[~entry.target] = 0
            } else {
                newest = entry.previous
                return Choice(target: entry.target, place: entry.value, floor: entry.floor < 0 ? nil : entry.floor)
            }
        }
        return nil
    }

    var mark: Mark { Mark(height: entries.count, newest: newest) }

    /// Drops the choices since; registers keep their values. Returns how many entries it looked at, which is work.
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

    /// Drops all since; registers are as they were.
    mutating func unwind(to mark: Mark) {
        while entries.count > mark.height, let entry = entries.popLast() {
            guard entry.target < 0 else { continue }
            registers[~entry.target] = entry.value
            stamps[~entry.target] = 0
        }
        newest = mark.newest
    }
}
