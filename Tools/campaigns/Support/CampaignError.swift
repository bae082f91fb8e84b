/// Why a campaign cannot go on, or what it has found.
struct CampaignError: Error, Hashable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
