import System

/// An upload that was received and not queued yet, because a person looks at it first.
package struct PendingUpload: Sendable, Hashable {
    /// The upload's name.
    package var upload: String
    /// Paths on this machine.
    package var files: [String]
    /// The files' names on the client's machine.
    package var names: [String]
    /// The owner of the server's token that it came with, who alone sees it; nil without one.
    package var owner: String?

    package init(upload: String, files: [String], names: [String], owner: String? = nil) {
        self.upload = upload
        self.files = files
        self.names = names
        self.owner = owner
    }
}

/// The pending uploads of this process. Their names cannot be guessed. Without tokens of the server, a client that knows one
/// has made it.
package final class PendingUploads: Sendable {
    /// Lifetime of a pending upload, in milliseconds.
    private static let lifetime: Int64 = 3_600_000

    private struct Entry: Sendable {
        let upload: PendingUpload
        let madeAt: Int64
        /// The user whose import has begun; nil before that.
        var importer: String?
        /// Number of requests that import it now.
        var claims = 0
        /// Whether it has a job. The files are the job's.
        var isImported = false
    }

    private let uploads = Guarded<[String: Entry]>([:])

    package init() {}

    /// An upload whose import has not begun; nil for any other, and for that of another owner.
    package subscript(upload: String, of owner: String?) -> PendingUpload? {
        uploads.withLock { uploads in
            uploads[upload].flatMap { $0.importer == nil && $0.upload.owner == owner ? $0.upload : nil }
        }
    }

    /// - Parameter now: Milliseconds since 1970.
    package func add(_ upload: PendingUpload, at now: Int64) {
        uploads.withLock { $0[upload.upload] = Entry(upload: upload, madeAt: now) }
    }

    /// Hands an upload over to a request that imports it; again if the same user sends the request twice. Call
    /// ``release(_:isImported:)`` afterwards.
    ///
    /// - Returns: Nil for an unknown upload, for that of another owner, and for one that another user imports.
    package func claim(_ upload: String, of owner: String?, by user: String) -> PendingUpload? {
        uploads.withLock { uploads in
            guard let entry = uploads[upload], entry.upload.owner == owner,
                [nil, user].contains(entry.importer)
            else { return nil }
            uploads[upload]?.importer = user
            uploads[upload]?.claims += 1
            return entry.upload
        }
    }

    /// A request that imports an upload is done.
    ///
    /// - Parameter isImported: Whether the upload has a job. If not, it is pending as before.
    package func release(_ upload: String, isImported: Bool) {
        uploads.withLock { uploads in
            guard var entry = uploads[upload] else { return }
            entry.claims -= 1
            entry.isImported = entry.isImported || isImported
            if entry.claims == 0, !entry.isImported { entry.importer = nil }
            uploads[upload] = entry
        }
    }

    /// Forgets an upload.
    ///
    /// - Returns: Whether it was known, its owner's, and its import had not begun. Then the caller removes its files.
    package func discard(_ upload: String, of owner: String?) -> Bool {
        uploads.withLock { uploads in
            guard let entry = uploads[upload], entry.importer == nil, entry.upload.owner == owner else {
                return false
            }
            return uploads.removeValue(forKey: upload) != nil
        }
    }

    /// Forgets the uploads of a token of the server whose import has not begun.
    ///
    /// - Returns: Their names. The caller removes their files.
    package func discard(ofToken name: String) -> [String] {
        uploads.withLock { uploads in
            let names = uploads.values.filter {
                $0.importer == nil && $0.upload.owner.flatMap { QueuedJob.tokenName(ofOwner: $0) } == name
            }.map(\.upload.upload)
            for upload in names { uploads[upload] = nil }
            return names
        }
    }

    /// Forgets old pending uploads.
    ///
    /// - Returns: The names of all that are left.
    package func purge(now: Int64) -> Set<String> {
        uploads.withLock { uploads in
            uploads = uploads.filter { now - $0.value.madeAt < Self.lifetime }
            return Set(uploads.keys)
        }
    }
}
