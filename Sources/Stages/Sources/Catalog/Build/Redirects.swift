import Books
import Database
import System

/// Follows the redirects of a dump to their ends before records are joined.
struct Redirects {
    /// Maximum redirects in a chain.
    static let stepLimit = 5

    private let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    /// Fills `stage.forward` with the target of every redirected or deleted key, or 0 if there is none.
    /// Deletes records that were redirected or deleted after they were written.
    ///
    /// - Returns: The number of redirects without a target.
    func resolve() throws(ETLError) -> Int {
        let tables = [(OpenLibraryKey.Kind.work, "work"), (.author, "author"), (.edition, "edition_record")]
        for (kind, table) in tables {
            try connection.execute(
                """
                DELETE FROM stage.moved WHERE kind = \(kind.rawValue) AND EXISTS
                    (SELECT 1 FROM stage.\(table) r WHERE r.id = moved.id AND r.revision > moved.revision);
                DELETE FROM stage.\(table) WHERE id IN
                    (SELECT id FROM stage.moved WHERE kind = \(kind.rawValue));
                """)
        }
        let moves = try connection.prepare("SELECT kind, id, target FROM stage.moved ORDER BY kind, id")
        let step = try connection.prepare("SELECT target FROM stage.moved WHERE kind = ? AND id = ?")
        let insert = try connection.prepare("INSERT INTO stage.forward VALUES (?,?,?)")
        var dead = 0
        while try moves.next() {
            let kind = moves.integer(0)
            var target = moves.integer(2)
            let isRedirect = target != 0
            var steps = 1
            while target != 0 {
                step.bind(1, kind)
                step.bind(2, target)
                guard try step.next() else { break }
                target = steps < Self.stepLimit ? step.integer(0) : 0
                step.reset()
                steps += 1
            }
            if isRedirect, target == 0 { dead += 1 }
            insert.bind(1, kind)
            insert.bind(2, moves.integer(1))
            insert.bind(3, target)
            try insert.run()
        }
        return dead
    }
}
