/// Which of the rows inside a primitive view are mounted: the rows of every ``ForEach`` that stands right inside, or in
/// views without a node of their own.
///
/// ```swift
/// extension List {
///     static var rowMounting: RowMounting { .shown }
/// }
/// extension Section {
///     static var rowMounting: RowMounting { .inherited }
/// }
/// ```
///
/// A container that mounts the rows that are shown counts the rows of all `ForEach` inside, one after the other, in the
/// order in which they stand: ``ViewNode/rowCount``. Of these the first ``ViewNode/initialRows`` are mounted until
/// whoever draws asks for others (``ViewNode/show(rows:)``); the others cost nothing, so that a result with a million
/// models is shown at the cost of its first rows. What stands beside a `ForEach` is always mounted and not counted.
///
/// A row that is no longer shown is removed: its `onDisappear` is called, and its state goes. Rows inside of a row are
/// mounted with it. A `ForEach` over the sections of a result (`SectionedResults`, ``SectionedFetchResults``) counts
/// the models of each section, mounts the sections of which a row is shown, and those rows of theirs. A section whose
/// view shows no rows counts as one.
///
/// Where rows come or go above those that are shown, these stay, and their positions move; but a container that shows its
/// first row goes on doing so. Only the rows that are shown are looked at
/// for identifiers that come twice.
public enum RowMounting: Hashable, Sendable {
    /// All of them.
    case all
    /// Those that are shown.
    case shown
    /// As in the container around, which the view is a part of: a section.
    case inherited
}
