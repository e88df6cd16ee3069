import Bytes
package import Pipeline
import Syntax
package import System

/// The source of `catalog_build`: lines of dump files, plain or gzip, one file after another.
///
/// Positions count bytes of uncompressed text. To continue in a gzip file, it is decompressed again up to
/// that position, at about 400 MB of text per second, because gzip has no random access.
package struct ReadDumps: Source {
    private var files: DumpFiles

    package init(_ files: DumpFiles) { self.files = files }

    package var batchLimits: BatchLimits {
        get { BatchLimits(records: files.batchRecords, bytes: files.batchBytes) }
        set { (files.batchRecords, files.batchBytes) = (newValue.records, newValue.bytes) }
    }

    package func survey() async throws(ETLError) -> SourceSurvey {
        var files = files
        return SourceSurvey(recordCount: nil, fingerprints: try files.survey())
    }

    package func read(from position: Position, into emitter: Emitter<RawDumpLines>) async throws(ETLError) {
        var bytesBefore: Int64 = 0
        for (index, path) in files.paths.enumerated() {
            do throws(ETLError) {
                let file = try DecompressedFile(path)
                if index >= position.file {
                    let start =
                        index == position.file ? position : Position(file: index, byte: 0, line: 1, record: 1)
                    try file.skip(start.byte)
                    guard try await read(file, start, bytesBefore, into: emitter) else { return }
                }
                bytesBefore += file.size
            } catch {
                // If the file has changed, report that instead of its consequences.
                try files.check(index)
                throw error
            }
        }
    }

    /// Reads one file; false if the run has ended.
    private func read(
        _ file: DecompressedFile, _ start: Position, _ bytesBefore: Int64, into emitter: Emitter<RawDumpLines>
    ) async throws(ETLError) -> Bool {
        var lines = DumpLines(file, from: start)
        var batch = RawDumpLines(file: start.file, capacity: files.batchBytes)
        let isArray = files.isArray(start.file)
        var isClosed: Bool?
        while let line = try lines.next() {
            batch.append(line)
            if isArray { isClosed = Self.closesArray(line) ?? isClosed }
            guard batch.count >= files.batchRecords || batch.arena.byteCount >= files.batchBytes else {
                continue
            }
            files.didRead(bytesBefore + file.bytesRead)
            let end = Position(
                file: start.file, byte: lines.offset, line: lines.number + 1, record: lines.number + 1)
            let (full, count) = (batch, batch.count)
            batch = RawDumpLines(file: start.file, capacity: files.batchBytes)
            guard await emitter.emit(full, end: end, recordsRead: count) else { return false }
        }
        files.didRead(bytesBefore + file.bytesRead)
        // A file that was truncated meanwhile ends like any other.
        try files.check(start.file)
        guard isClosed != false else {
            throw ETLError(
                .unusableInput, "`\(file.path)` is truncated: its JSON array is not closed.",
                advice: "Download the file again and compare its size with the published one.")
        }
        batch.endsInGarbage = file.hasTrailingGarbage
        let count = batch.count
        return await emitter.emit(
            batch, end: Position(file: start.file + 1, byte: 0, line: 1, record: 1), recordsRead: count)
    }

    /// Whether the line can close an array; nil for a blank line.
    private static func closesArray(_ line: DumpLines.Line) -> Bool? {
        guard let last = line.bytes.trimmed.last else { return nil }
        return last == UInt8(ascii: "]") && !line.isTooLong
    }
}
