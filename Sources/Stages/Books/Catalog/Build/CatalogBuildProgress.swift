/// How far a build has come.
package struct CatalogBuildProgress: Sendable, Hashable {
    /// What is being done.
    package enum Phase: String, Sendable, Hashable, CaseIterable, Codable {
        case reading, authors, works, editions, people, search
    }

    package var phase: Phase
    /// Bytes read from disk, of all files.
    package var bytesRead: Int64
    /// Bytes of all files.
    package var totalBytes: Int64
    /// Lines read and kept, those of an earlier run of the build among them.
    package var lines: Int

    package init(phase: Phase, bytesRead: Int64, totalBytes: Int64, lines: Int) {
        self.phase = phase
        self.bytesRead = bytesRead
        self.totalBytes = totalBytes
        self.lines = lines
    }
}

/// What a build tells before it reads: what it does not do that may be expected of it.
package enum CatalogBuildNotice: Sendable, Hashable {
    /// A dump that holds no books is left out.
    case leavesOut(path: String)
    /// What an unfinished build of the catalog had read is thrown away.
    case throwsAway(lines: Int, of: String, reason: Reason)

    /// Why an unfinished build cannot be gone on with.
    package enum Reason: String, Error, CaseIterable {
        case otherFiles = "it was started with other files"
        case otherVersion = "another version of etl started it"
        case noUpdate = "it was not started as an update"
        case update = "it was started as an update"
        case otherCatalog = "the catalog that it was to update was replaced since"
        case unreadable = "it cannot be read"
    }

    /// One sentence for the reader.
    package var sentence: String {
        switch self {
        case .leavesOut(let path): "\(path) is left out: it is a dump of Open Library that holds no books."
        case .throwsAway(let lines, let path, let reason):
            "An unfinished build of \(path) is thrown away, \(lines) lines read: \(reason.rawValue)."
        }
    }
}
