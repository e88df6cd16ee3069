/// A row for which something was found, and nothing was taken: it waits for the reader (`etl review`).
public struct MatchAbstention: Sendable, Hashable {
    /// Number of the row in its batch.
    public var row: Int
    /// The row's title and first author, as it spells them.
    public var title: String
    /// The row's first author.
    public var author: String
    /// What fits, the best first, a few at the most.
    public var options: [ReviewCandidate]

    /// An abstention; its row is known by its number in the batch.
    public init(row: Int, title: String, author: String, options: [ReviewCandidate]) {
        self.row = row
        self.title = title
        self.author = author
        self.options = options
    }
}
