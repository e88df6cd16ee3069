/// Progress of a build.
package struct CatalogBuildProgress: Sendable, Hashable {
    /// The part of the build in progress.
    package enum Phase: String, Sendable, Hashable, CaseIterable, Codable {
        case reading, authors, works, editions, people, search
    }

    package var phase: Phase
    /// Bytes read from disk, over all files.
    package var bytesRead: Int64
    /// Size of all files in bytes.
    package var totalBytes: Int64
    /// Lines read and kept, including those of an earlier run of the build.
    package var lines: Int

    package init(phase: Phase, bytesRead: Int64, totalBytes: Int64, lines: Int) {
        self.phase = phase
        self.bytesRead = bytesRead
        self.totalBytes = totalBytes
        self.lines = lines
    }
}

/// Warnings of a build before it reads anything.
package enum CatalogBuildWarning: Sendable, Hashable {
    /// A dump without books is skipped.
    case skips(path: String)
    /// The records that an unfinished build of the catalog had read are discarded.
    case discards(lines: Int, of: String, reason: Reason)

    /// Why an unfinished build cannot be continued.
    package enum Reason: String, Error, CaseIterable {
        case otherFiles = "it was started with other files"
        case otherVersion = "another version of etl started it"
        case noUpdate = "it was not started as an update"
        case update = "it was started as an update"
        case otherCatalog = "the catalog it was updating has been replaced"
        case unreadable = "it cannot be read"
        case moved = "it was killed while it wrote, and its folder was moved since"
    }

    /// The warning as one sentence for the user.
    package var sentence: String {
        switch self {
        case .skips(let path): "Skipping `\(path)`: this Open Library dump contains no books."
        case .discards(let lines, let path, let reason):
            lines == 0
                ? "Discarding the unfinished build of `\(path)`: \(reason.rawValue)."
                : "Discarding the unfinished build of `\(path)` (\(lines) lines read): \(reason.rawValue)."
        }
    }
}
