package import Bytes
package import Pipeline
package import Syntax
package import System

/// The stage of `catalog_build` that parses lines of dumps. Lines that cannot be parsed become rejects.
package struct DecodeDumps: Stage {
    private let files: DumpFiles

    package init(_ files: DumpFiles) { self.files = files }

    package func process(_ batch: consuming Batch<RawDumpLines>) async throws(ETLError) -> Batch<
        DumpRecords
    > {
        let lines = batch.payload
        var records = DumpRecords(file: lines.file, capacity: lines.arena.byteCount / 2)
        records.endsInGarbage = lines.endsInGarbage
        var decoder = DumpDecoder(latestYear: files.latestYear)
        for line in lines.lines {
            let verdict =
                line.isTooLong
                ? DumpDecoder.Verdict.malformed(.tooLong)
                : lines.arena.withBytes(line.text) { decoder.decode($0, into: &records) }
            switch verdict {
            case .nothing: break
            case .record: records.counts.records += 1
            case .cutOff where !line.isEnded, .malformed(.tooLong) where !line.isEnded:
                throw cutOff(lines.file, line.number)
            case .cutOff: batch.rejects.append(reject(line, .badJSON, of: lines))
            case .malformed(let reason): batch.rejects.append(reject(line, reason, of: lines))
            }
        }
        decoder.finish(&records)
        return batch.carrying(records)
    }

    private func reject(_ line: RawDumpLines.Line, _ reason: DumpLineError, of lines: RawDumpLines) -> Reject
    {
        Reject(
            position: Position(file: lines.file, byte: 0, line: line.number, record: line.number),
            stage: "DecodeDumps", code: reason.rawValue, message: reason.sentence,
            raw: lines.arena.withBytes(line.text) { Array($0.prefix(CatalogBuildReport.headLength)) },
            rawLength: Int(line.text.length))
    }

    private func cutOff(_ file: Int, _ line: Int) -> ETLError {
        ETLError(
            .unusableInput,
            "`\(files.paths[file])` is truncated: its last line, \(line), is incomplete.",
            advice: "Download the file again and compare its size with the published one.")
    }
}

/// Unparsed lines of one dump: the payload of ``ReadDumps``.
package struct RawDumpLines: Payload {
    /// A line and its place in the file.
    package struct Line: Sendable, Hashable {
        /// Its bytes without the line ending; only the beginning of a line that is too long.
        package var text: Text
        /// Line number in the file, from 1.
        package var number: Int
        /// Whether it is longer than ``DumpLines/byteLimit``.
        package var isTooLong: Bool
        /// Whether it has a line ending.
        package var isEnded: Bool
    }

    /// Index of the file in the run, from 0.
    package let file: Int
    package private(set) var arena: Arena
    package private(set) var lines: [Line] = []
    /// Whether the file ends with this batch and its gzip data is followed by other data.
    package var endsInGarbage = false

    package var count: Int { lines.count }
    package var byteCount: Int { arena.byteCount + lines.count * MemoryLayout<Line>.stride }

    /// - Parameter capacity: Bytes of text to reserve.
    package init(file: Int, capacity: Int = 0) {
        self.file = file
        arena = Arena(capacity: capacity)
    }

    /// Appends a copy of a line.
    package mutating func append(_ line: DumpLines.Line) {
        lines.append(
            Line(
                text: arena.append(line.bytes), number: line.number, isTooLong: line.isTooLong,
                isEnded: line.isEnded))
    }
}
