import System

/// An upload that was received and not queued yet, because a person looks at it first.
package struct PendingUpload: Sendable, Hashable {
    /// The upload's name.
    package var upload: String
    /// Paths on this machine.
    package var files: [String]
    /// The files' names on the client's machine.
    package var names: [String]

    package init(upload: String, files: [String], names: [String]) {
        self.upload = upload
        self.files = files
        self.names = names
    }
}

/// The pending uploads of this process. Their names cannot be guessed, so a client that knows one has made it.
package final class PendingUploads: Sendable {
    /// Lifetime of a pending upload, in milliseconds.
    private static let lifetime: Int64 = 3_600_000

    private let uploads = Guarded<[String: (upload: PendingUpload, madeAt: Int64)]>([:])

    package init() {}

    package subscript(upload: String) -> PendingUpload? { uploads.withLock { $0[upload]?.upload } }

    /// - Parameter now: Milliseconds since 1970.
    package func add(_ upload: PendingUpload, at now: Int64) {
        uploads.withLock { $0[upload.upload] = (upload, now) }
    }

    package func remove(_ upload: String) { uploads.withLock { _ = $0.removeValue(forKey: upload) } }

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
