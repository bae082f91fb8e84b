import ArgumentParser

@main
struct Loam: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Look inside Loam stores.")
}
