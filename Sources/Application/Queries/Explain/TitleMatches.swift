import Books
import Database
import Store
import System

/// Works with a title that the user typed in place of a key. Letters of ASCII match in either case.
///
/// Reads all titles, so it is for a text that is no key.
struct TitleMatches {
    /// A work, and what tells it from others.
    struct Match: Equatable {
        var work: Int64
        var key: String
        var title: String
        /// Its first contributor.
        var author: String?

        /// `Dune, Frank Herbert`
        var words: String { author.map { "\(title), \($0)" } ?? title }
    }

    /// Maximum number of matches.
    static let most = 5
    /// A shorter beginning of a title matches too much.
    private static let shortest = 3

    /// The works with exactly this title, or else those whose title begins with it, by title.
    let matches: [Match]
    /// Whether there are more.
    let isCut: Bool

    /// - Parameters:
    ///   - isExact: Whether only whole titles count.
    ///   - library: Library that must have the work; nil for any. A user of one library learns no titles of others.
    init(
        _ text: String, exactly isExact: Bool, of library: String?, in connection: Connection
    ) throws(ETLError) {
        let pattern = text.replacing("\\", with: "\\\\")
            .replacing("%", with: "\\%").replacing("_", with: "\\_")
        var found = try Self.read(pattern, of: library, in: connection)
        if found.isEmpty, !isExact, text.count >= Self.shortest {
            found = try Self.read(pattern + "%", of: library, in: connection)
        }
        matches = Array(found.prefix(Self.most))
        isCut = found.count > Self.most
    }

    /// The match if there is exactly one.
    var only: Match? { matches.count == 1 ? matches.first : nil }

    /// Advice that lists the matches; nil if there are none.
    var advice: UserText? {
        guard !matches.isEmpty else { return nil }
        let list = matches.map { "\($0.words) (`\($0.key)`)" }.joined(separator: "; ")
        return "Found by title: \(list)\(isCut ? "; …" : ""). Name one by its key."
    }

    private static func read(
        _ pattern: String, of library: String?, in connection: Connection
    ) throws(ETLError) -> [Match] {
        let rows = try connection.query(
            """
            SELECT w.id, w.key, coalesce(\(ShownTitle.sql(ofWork: "w")), w.key),
                (SELECT a.name FROM contributors c JOIN authors a ON a.id = c.author
                WHERE c.id = \(ContributorIDs.first(of: "w.id")))
            FROM works w WHERE w.id IN (SELECT id FROM works WHERE title LIKE ?1 ESCAPE '\\'
                UNION SELECT work FROM editions WHERE title LIKE ?1 ESCAPE '\\')
            AND (?2 IS NULL OR w.id IN (SELECT d.work FROM entries e JOIN editions d ON d.id = e.edition
                WHERE e.library = (SELECT id FROM libraries WHERE name = ?2)))
            ORDER BY 3, w.key LIMIT \(most + 1)
            """, pattern, library)
        var all: [Match] = []
        while try rows.next() {
            all.append(
                Match(
                    work: rows.integer(0), key: rows.string(1), title: rows.string(2),
                    author: rows.optionalString(3)))
        }
        return all
    }
}
