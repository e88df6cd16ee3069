import Application
import Books
import Foundation
import Pipeline
import Services

/// The copy of a store that a dry run works on. The store itself is read, and gets the answers of services at the end.
struct DryRun {
    private let store: String
    private let owner: DryRunLock
    /// Where the copy is; made by the run itself where there is no store yet.
    var path: String { owner.path }

    /// Copies the store at a path into the folder it is really in, which has room for it or for nothing else either.
    init(of store: String) throws(CommandFailure) {
        self.store = store
        owner = try DryRunLock(of: store)
        guard access(store, F_OK) == 0 else { return }
        do {
            try StoreFile.copy(store, to: owner.path)
        } catch {
            owner.remove()
            throw CommandFailure(error)
        }
    }

    /// Gives the store the answers that the run got of services, so that the real run asks nobody twice. Without any the
    /// store stays as it is, or is not made.
    func keepAnswers(_ services: [ServiceReport], _ console: Console) {
        guard services.contains(where: { $0.metrics.calls > 0 }) else { return }
        do throws(StageFailure) {
            let count = try CachedAnswers.takeOver(from: path, into: store)
            guard count > 0 else { return }
            console.note(
                "\(HumanText.count(count, "answer")) of services kept in \(store): the real run does not ask again."
            )
        } catch {
            console.warn(
                "The answers of services were not kept: \(error.message)",
                advice: "The real run asks again for what it needs.")
        }
    }

    /// Removes the copy with all that stands beside it.
    func remove() { owner.remove() }
}
