package import Books
import Glibc
package import Pipeline
package import System

/// Writes the rows that pass to a file, one JSON object per line, in the order of the input. The rows
/// themselves are not changed.
///
/// A run that is resumed writes the file again from its start, so that it has every row once.
package struct TeeRows: Stage {
    /// The file to write.
    package static let out = Setting<String>.phrases(
        "out", mustBe: "the path of a file", isList: false, isRequired: true, fallback: "",
        "The file to write; an existing one is replaced."
    ) { (texts) throws(PhraseMistake) in
        guard let path = texts.first, !path.isEmpty else { throw PhraseMistake("The path is empty.") }
        return path
    }

    private let file: RowFile

    /// - Parameter path: The file to write; it is opened when the first batch arrives.
    package init(to path: String) { file = RowFile(path) }

    /// True: a resumed run writes the earlier rows again.
    package static var remembersRecords: Bool { true }

    /// Throws `cannotCreate` or `inputOutput` if the file cannot be written.
    package func process(
        _ batch: consuming Batch<LibraryRows>
    ) async throws(ETLError) -> Batch<LibraryRows> {
        var lines: [UInt8] = []
        let columns = batch.payload.columns.namedColumns
        for number in batch.payload.rows.indices {
            lines += batch.payload.object(ofRow: number, columns) + [UInt8(ascii: "\n")]
        }
        try await file.append(lines)
        return batch
    }
}

/// A file that rows are appended to, on its own queue.
private actor RowFile {
    private nonisolated let executor = QueueExecutor(label: "etl.row-file")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let path: String
    private var descriptor: Int32 = -1

    init(_ path: String) { self.path = path }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func append(_ bytes: [UInt8]) throws(ETLError) {
        if descriptor < 0 {
            descriptor = FileSystem.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
            guard descriptor >= 0 else {
                throw ETLError(
                    .cannotCreate, "`\(path)` cannot be created: \(String(cString: strerror(errno))).",
                    advice: "Check `out` of TeeRows in the pipeline definition.")
            }
        }
        let (written, code) = DescriptorWriter.writeAll(bytes, to: descriptor)
        guard written == bytes.count else {
            throw ETLError(
                .inputOutput, "`\(path)` cannot be written: \(String(cString: strerror(code))).",
                advice: "Free some space or choose another folder, then resume the job.")
        }
    }
}
