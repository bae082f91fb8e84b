import LoamQuery
import LoamStorage

/// What an engine keeps current. Everything here is called by the engine, one round after the other.
protocol LiveMember: AnyObject, Sendable {
    var store: Store { get }

    /// Works out what an announced commit makes of it, where it can.
    ///
    /// - Parameters:
    ///   - places: the rows of its entity that can concern it; nil where they are not known.
    ///   - known: the last save that was handed out.
    func foresee(_ set: ChangeSet, places: [LiveRoutes.RowPlace]?, after known: UInt64)

    /// Brings it up to a commit by what was worked out for it, without a look at the store; nil where it has to be followed.
    /// What is new has to be handed to ``note(_:)`` afterwards.
    ///
    /// - Parameter sets: the commits that are kept and may concern it.
    func followForeseen(_ sets: [ChangeSet]) -> LiveFollowed?

    /// Brings it up to a round's snapshot. What is new has to be handed to ``note(_:)`` afterwards. Where following
    /// fails, the next delivery says why.
    func follow(_ round: LiveRound) -> LiveFollowed

    /// From here on what a round has brought can be taken.
    func note(_ followed: LiveFollowed)

    /// A round has failed. The commits that it was made with are not kept.
    func fail(_ error: any Error)

    /// Rows of what was handed out could not be read.
    func failReading(_ error: any Error)

    /// Whether it can be brought up to a commit by whoever is told of it, where it is told (``LiveEngine/place(_:)``).
    var canBePlaced: Bool { get }

    /// Calls the notification, unless that was done and nothing was placed since: a commit has come that is left to
    /// whoever is told.
    func tellToPlace()

    /// Calls the notification where there is something to take and it was not called for that yet.
    func tell()
}

extension LiveMember {
    var canBePlaced: Bool { false }

    func tellToPlace() { tell() }

    func foresee(_ set: ChangeSet, places: [LiveRoutes.RowPlace]?, after known: UInt64) {}

    func followForeseen(_ sets: [ChangeSet]) -> LiveFollowed? { nil }
}

/// What became of a member in a round.
struct LiveFollowed {
    /// The store was read; with what is new, where something is.
    struct News {
        var update: LiveUpdate?
        /// Whether what has no updates is another one than before.
        var isNew = false
    }

    /// What is to be noted; nil where nothing is, because nobody waits for it or following failed.
    var news: News?
    var hasFailed = false
    /// The virtual rows that the result has in the round's snapshot; nil where it has none, or has not followed.
    var standing: RowStanding?
}
