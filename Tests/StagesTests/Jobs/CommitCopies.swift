import Pipeline
import TestSupport

@testable import Stages

/// Copies a store before and after each commit: what a kill at those moments would leave behind.
final class CommitCopies: Sendable {
    private let store: String
    private let folder: TemporaryFolder
    private let taken = Guarded<[String]>([])

    /// - Parameter store: The name of a store of the folder.
    init(of store: String, in folder: TemporaryFolder) {
        self.store = store
        self.folder = folder
    }

    /// The names of the copies, in the order in which they were taken.
    var names: [String] { taken.withLock(\.self) }

    /// Copies the store as it is now: what observes the commits of a run.
    func take(_ point: ResultsStore.CommitPoint) {
        let name = taken.withLock { names in
            names.append("killed-\(names.count).sqlite")
            return names[names.count - 1]
        }
        SampleImport.copy(folder.file(store), to: folder.file(name))
    }
}
