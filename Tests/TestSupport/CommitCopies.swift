package import Books
import Foundation
import Pipeline

/// Copies a store behind each batch, before and after each commit: what a kill at those moments would leave behind.
package final class CommitCopies: Sendable {
    private let store: String
    private let folder: TemporaryFolder
    private let taken = Guarded<[String]>([])
    private let hot = Guarded(0)

    /// - Parameter store: The name of a store of the folder.
    package init(of store: String, in folder: TemporaryFolder) {
        self.store = store
        self.folder = folder
    }

    /// The names of the copies, in the order in which they were taken.
    package var names: [String] { taken.withLock(\.self) }

    /// Copies in which pages of an open transaction lie on disk already: SQLite has to take them back.
    package var hotCount: Int { hot.withLock(\.self) }

    /// Copies the store as it is now: what observes the commits of a run.
    package func take(_ point: ResultsStore.CommitPoint) {
        let name = taken.withLock { names in
            names.append("killed-\(names.count).sqlite")
            return names[names.count - 1]
        }
        SampleImport.copy(folder.file(store), to: folder.file(name))
        // The journal of a transaction that has ended begins with zeros.
        let journal = FileHandle(forReadingAtPath: folder.file(name + "-journal"))
        defer { try? journal?.close() }
        if let first = try? journal?.read(upToCount: 1)?.first, first != 0 { hot.withLock { $0 += 1 } }
    }
}
