import Database
import Queries
import Store
import System

/// Keeps the store and its search index open while the disk is almost full, so that reading goes on when it is full.
///
/// The first connection to a database in WAL mode makes files next to it, for which a full disk has no room. While one is
/// open, others only use these files. With room, none is held: the files would stay when another store takes the place of
/// this one, and would be taken for that one's.
package actor HeldDatabases {
    private struct Held {
        let connection: Connection
        let file: SidecarFile.Identity
    }

    private let paths: [String]
    private let leastRoom: Int
    private var held: [String: Held] = [:]

    /// - Parameter leastRoom: Free bytes below which the databases are held.
    package init(store: String, leastRoom: Int) {
        paths = [StorePath.real(store), BookSearch.indexPath(of: store)]
        self.leastRoom = leastRoom
    }

    /// Opens what is not open yet, or is another file now, and closes all if there is room. Call it a few times a second.
    package func look() {
        if let free = Readiness.freeBytes(beside: paths[0]), free >= leastRoom {
            held = [:]
            return
        }
        for path in paths {
            let file = SidecarFile.Identity(of: path)
            if let held = held[path], held.file == file { continue }
            held[path] = nil
            guard let file, let connection = Self.open(path) else { continue }
            held[path] = Held(connection: connection, file: file)
        }
    }

    /// The paths of the databases that are open.
    package var open: Set<String> { Set(held.keys) }

    /// Nil if the database cannot be opened now, or is not in WAL mode yet.
    private static func open(_ path: String) -> Connection? {
        do throws(ETLError) {
            let connection = try Connection(path, .reading, busyMilliseconds: 0)
            // Only reading opens the log.
            _ = try connection.integer("SELECT count(*) FROM sqlite_schema")
            return try connection.string("PRAGMA journal_mode") == "wal" ? connection : nil
        } catch {
            return nil
        }
    }
}
