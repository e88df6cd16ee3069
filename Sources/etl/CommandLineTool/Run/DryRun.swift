import FoundationEssentials
import Glibc
import Jobs
import Services
import Store
import System

/// The copy of a store that a dry run works on. The store itself only gets the services' answers, at the end.
struct DryRun {
    private let store: String
    private let owner: DryRunLock
    /// The path of the copy. If there is no store yet, the run creates a new one there.
    var path: String { owner.path }

    /// Copies a store. The copy is next to the store itself, not next to a link to it, because that disk
    /// needs the space for the real import anyway.
    init(of store: String) throws(CommandFailure) {
        self.store = store
        owner = try DryRunLock(of: store)
        guard FileSystem.access(store, F_OK) == 0 else { return }
        do {
            try StoreFile.copy(store, to: owner.path)
        } catch {
            owner.remove()
            throw CommandFailure(error)
        }
    }

    /// Copies the services' answers into the store, so that the real run does not ask again. Without answers
    /// the store is not changed or created.
    func keepAnswers(_ services: [ServiceReport], _ console: Console) {
        guard services.contains(where: { $0.metrics.calls > 0 }) else { return }
        do throws(ETLError) {
            let count = try CachedAnswers.copyAnswers(from: path, into: store)
            guard count > 0 else { return }
            console.note(
                "Kept \(HumanText.count(count, "answer")) of services in `\(store)`. An import without --dry-run will not ask for them again."
            )
        } catch {
            console.warn(
                "The services' answers could not be kept: \(error.message)",
                advice: "An import without --dry-run will ask the services again.")
        }
    }

    /// Removes the copy and its journal and lock files.
    func remove() { owner.remove() }
}
