import Pipeline

/// The dumps of a build, and in what batches they are read.
package struct DumpFiles: Sendable {
    /// Paths, in the order in which they are read.
    package var paths: [String]
    /// Lines in a batch at the most.
    package var batchRecords = 8_192
    /// Bytes of text in a batch at the most; one line may have more.
    package var batchBytes = 1 << 20
    /// The last year that is taken for one in free text.
    package var latestYear: Int32 = 2_100
    /// Told how many bytes were read from disk, of all files, whenever a batch is.
    package var didRead: @Sendable (Int64) -> Void = { _ in }

    /// What each file was when it was surveyed.
    private var states: [FileState?] = []

    package init(paths: [String]) { self.paths = paths }

    /// Makes sure that a file is what it was when it was surveyed.
    ///
    /// - Throws: `unusableInput` where it was written to, or another one has taken its place.
    func check(_ index: Int) throws(StageFailure) {
        guard states.indices.contains(index) else { return }
        try states[index]?.check(paths[index], advice: FileState.adviceToBeginAnew)
    }

    /// Refuses what can be told in a moment to be no dump, so that a wrong name costs no hour: a file that is
    /// empty, and one of whose first lines none is of a dump.
    ///
    /// - Returns: For each file its fingerprint; of a packed file, of its packed bytes.
    mutating func survey() throws(StageFailure) -> [SourceFingerprint] {
        guard !paths.isEmpty else {
            throw StageFailure(
                .configuration, "There is nothing to build a catalog from.",
                advice: "Name Open Library dump files or Wikidata entity files.")
        }
        var fingerprints: [SourceFingerprint] = []
        states = []
        for path in paths {
            states.append(FileState(of: path))
            let file = try UnpackedFile(path)
            fingerprints.append(
                SourceFingerprint(name: path, size: file.size, headSHA256: file.headSHA256))
            try Self.check(file)
        }
        return fingerprints
    }

    /// Lines at a file's beginning of which one must be understood.
    static let patience = 1_000

    private static func check(_ file: UnpackedFile) throws(StageFailure) {
        var lines = DumpLines(file)
        var read = 0
        while read < patience, let line = try lines.next() {
            read += 1
            if !line.isTooLong, DumpRecord.isOfDump(line.bytes) { return }
        }
        throw read == 0
            ? StageFailure(
                .unusableInput, "\(file.path) is empty.",
                advice: "Dumps have been published empty: use the one of the month before.")
            : StageFailure(
                .unusableInput, "\(file.path) is neither an Open Library dump nor Wikidata entities.",
                advice: "Take ol_dump_editions, _works, _authors, _wikidata (plain or gzip) "
                    + "and Wikidata's JSON, one entity a line.")
    }
}
