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
