import Pipeline

/// An upload that is looked at before it is imported.
package struct Draft: Sendable, Hashable {
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

/// The drafts of this process. Their names cannot be guessed: whoever knows one has made it.
package final class DraftList: Sendable {
    /// How long a draft is kept, in milliseconds.
    private static let lifetime: Int64 = 3_600_000

    private let drafts = Guarded<[String: (draft: Draft, madeAt: Int64)]>([:])

    package init() {}

    package subscript(upload: String) -> Draft? { drafts.withLock { $0[upload]?.draft } }

    /// - Parameter now: Milliseconds since 1970.
    package func add(_ draft: Draft, at now: Int64) { drafts.withLock { $0[draft.upload] = (draft, now) } }

    package func remove(_ upload: String) { drafts.withLock { _ = $0.removeValue(forKey: upload) } }

    /// Forgets old drafts.
    ///
    /// - Returns: The names of all that are left.
    package func purge(now: Int64) -> Set<String> {
        drafts.withLock { drafts in
            drafts = drafts.filter { now - $0.value.madeAt < Self.lifetime }
            return Set(drafts.keys)
        }
    }
}
