import ArgumentParser

/// What campaigns ask that kill a process of saving threads.
struct KillOptions: ParsableArguments {
    @Argument(help: "The folder for the stores. They stay there when a fault is found.")
    var folder: String

    @Option(help: "How often the child is killed.")
    var kills = 1000

    @Option(help: "What the work is derived from; printed, so that a run can be repeated.")
    var seed: UInt64 = freshSeed()

    @Option(help: "Saving threads.")
    var threads = 3

    @Option(help: "Saves at most that are waited for before a kill.")
    var mostSaves = 12

    func validate() throws {
        guard kills > 0, threads > 0, mostSaves > 0 else { throw ValidationError("Numbers must be above 0.") }
    }
}
