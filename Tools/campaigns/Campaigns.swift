import ArgumentParser

@main
struct Campaigns: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "campaigns",
        abstract: "Hold Loam's store to its promises, for longer than a test may take.",
        discussion: "Everything follows from the seed that is printed, but for what the system's scheduler decides.",
        subcommands: [
            CrashCommand.self, RelationsCommand.self, ModelsCommand.self, ModelsCrashCommand.self,
            ResultsCommand.self, ViewsCommand.self, LiveCommand.self, FootprintCommand.self, SoakCommand.self,
            ConcurrentCommand.self, VersionsCommand.self, DamageCommand.self,
            PagesCommand.self, FullCommand.self, MovesCommand.self, QueriesCommand.self, PredicatesCommand.self,
            SQLiteCommand.self, QuakeCommand.self, PlanningCommand.self, StoresCommand.self, FuzzCommand.self,
            BuildingCommand.self,
            CrashWorker.self, RelationsWorker.self, ModelsCrashWorker.self, ConcurrentWorker.self, VersionsWorker.self,
            PagesWorker.self, MovesWorker.self, StoresWorker.self, BuildingWorker.self, LiveWorker.self,
            SoakWorker.self,
        ])
}
