import Database
import Jobs
import Queries
package import Store
package import System

/// Whose data a store has: a token of the server with its library, or a library without a token.
package struct Account: Sendable, Hashable {
    /// The name of its token; nil without one.
    package var token: String?
    /// The token's end in words; empty without one.
    package var end = ""
    /// Whether a token of it is valid.
    package var isValid = false
    /// The library of its jobs; nil for a token that may use all.
    package var library: String?
    /// Number of the library's entries.
    package var books = 0
    /// Bytes of the files that were imported into the library.
    package var bytes: Int64 = 0
    /// When it was last used, in milliseconds since 1970; nil if that is not known.
    package var usedAt: Int64?
    /// Whether its deletion has failed half-way: the books are removed, and can still be brought back.
    package var isHalfDeleted = false

    /// The name by which it is deleted: the token's, or the library's.
    package var name: String { token ?? library ?? "" }
    /// Whether there is something to delete.
    package var isDeletable: Bool { isValid || library != nil && (books > 0 || isHalfDeleted) }
}

/// What the deletion of an account has removed.
package struct DeletedAccount: Sendable, Hashable {
    package var account: Account
    /// Number of queued and recent jobs.
    package var jobs = 0
    /// Rows of the library; nil if it had none, or stays.
    package var rows: RowCounts?
    /// The tokens that use the library too, so that it stays.
    package var sharing: [String] = []
    /// Whether deleted rows are in SQLite's log until the server ends.
    package var isInLog = false
}

extension Backend {
    /// All accounts: those with tokens in the order of their file, then the libraries without one.
    package func accounts(_ authentication: Authentication) throws(ETLError) -> [Account] {
        let now = clock.epochMilliseconds()
        var accounts = authentication.lines.map { line in
            Account(
                token: line.name, end: line.words(at: now), isValid: line.isValid(at: now),
                library: line.library,
                usedAt: authentication.lastUse(of: line.name))
        }
        for (owner, time) in jobs.lastRequests {
            let name = QueuedJob.tokenName(ofOwner: owner)
            guard let index = accounts.firstIndex(where: { $0.token != nil && $0.token == name }) else {
                continue
            }
            accounts[index].usedAt = max(accounts[index].usedAt ?? 0, time)
        }
        guard let store = try StoreFile.openIfStarted(settings.store) else { return accounts }
        let libraries = try LibraryBrowser(store).libraries()
        let uses = try JobTable(store).uses()
        for (name, count) in libraries {
            let owned = accounts.indices.filter { accounts[$0].library == name }
            let (bytes, usedAt) = (uses[name]?.bytes ?? 0, uses[name]?.usedAt)
            for index in owned {
                (accounts[index].books, accounts[index].bytes) = (count, bytes)
                if let usedAt { accounts[index].usedAt = max(accounts[index].usedAt ?? 0, usedAt) }
            }
            let isHalfDeleted = count == 0 ? try isHalfDeleted(name, in: store) : false
            for index in owned { accounts[index].isHalfDeleted = isHalfDeleted && !accounts[index].isValid }
            if owned.isEmpty, count > 0 || isHalfDeleted {
                accounts.append(
                    Account(
                        library: name, books: count, bytes: bytes, usedAt: usedAt,
                        isHalfDeleted: isHalfDeleted))
            }
        }
        return accounts
    }

    /// Whether the books of a library are removed by a job that can still be undone.
    private func isHalfDeleted(_ library: String, in store: Connection) throws(ETLError) -> Bool {
        let jobs = JobTable(store)
        guard let removal = try jobs.lastRemoval(of: library) else { return false }
        return try jobs.unknown(among: [removal]).isEmpty
    }

    /// Deletes an account with all its data: its token and sessions, its jobs and uploads, and its library with everything
    /// that only this library has. No row of it can be brought back: earlier changes of all libraries can no longer be
    /// undone. A library that another valid token uses stays.
    ///
    /// - Throws: `.cannotCreate` if the file of tokens cannot be changed; `.temporary` if another program uses the store.
    ///   What was deleted before stays deleted, and the next attempt goes on.
    package func delete(
        _ account: Account, _ authentication: Authentication
    ) async throws(ETLError) -> DeletedAccount {
        var deleted = DeletedAccount(account: account)
        let now = clock.epochMilliseconds()
        // First, so that nothing new arrives.
        if let token = account.token { try authentication.revoke(token) }
        if let library = account.library {
            deleted.sharing = authentication.lines.filter {
                $0.library == library && $0.name != account.token && $0.isValid(at: now)
            }.map(\.name)
        }
        let known = deleted
        return try await jobs.exclusively { () async throws(ETLError) in
            var deleted = known
            if let token = account.token {
                deleted.jobs = try await jobs.removeJobs(ofToken: token)
                for upload in pendingUploads.discard(ofToken: token) { uploads.remove(upload) }
            }
            guard let library = account.library, deleted.sharing.isEmpty,
                let store = try StoreFile.openIfStarted(settings.store),
                try LibraryBrowser(store).libraries().contains(where: { $0.name == library })
            else { return deleted }
            if !account.isHalfDeleted { deleted.rows = try await forget(library) }
            // Answers that are kept have its books.
            watch.noteEnd()
            // All of it: the removal itself has just ended, and jobs of others have gone on.
            let pruning = try Pruning(of: settings.store, olderThan: nil, now: now, waiting: .init())
            // Words of the books are in the index, and what they are about is in the vectors.
            try BookSearch.clearIndex(of: settings.store)
            try StoreVectors.removeGone(of: settings.store)
            deleted.isInLog = pruning.isInLog
            return deleted
        }
    }

    /// Removes a library. The store is no longer locked when this returns.
    private func forget(_ library: String) async throws(ETLError) -> RowCounts {
        try await ResultsStore(settings.store, clock: clock).forget(library, as: JobName.make()).rows
    }
}
