import Glibc
import System

/// The texts that the cells of an Excel workbook share. They are in memory while they are few, and otherwise in a
/// temporary file without a name, so that memory does not grow with the workbook.
final class SharedStrings {
    /// Bytes of texts held in memory.
    private static let memory = 8 << 20
    /// Texts of a workbook: more than all cells of a sheet can refer to.
    private static let maxCount = 100_000_000

    private var texts: [UInt8] = []
    /// End of each text.
    private var ends: [UInt64] = []
    private var textFile: TemporaryFile?
    private var endFile: TemporaryFile?
    private(set) var count = 0
    private var length: UInt64 = 0

    init() {}

    func append(_ text: [UInt8]) throws(ETLError) {
        guard count < Self.maxCount else {
            throw ETLError(
                .unusableInput, "The workbook has too many texts.", advice: "Save the sheet as CSV in UTF-8.")
        }
        texts.append(contentsOf: text)
        length += UInt64(text.count)
        ends.append(length)
        count += 1
        if texts.count + ends.count * 8 > Self.memory { try spool() }
    }

    /// The text with a number, from 0; empty if there is none.
    func text(_ number: Int) throws(ETLError) -> [UInt8] {
        guard number >= 0, number < count else { return [] }
        let start = number == 0 ? 0 : try end(of: number - 1)
        let end = try end(of: number)
        guard end > start else { return [] }
        let spooled = textFile?.length ?? 0
        if start >= spooled { return Array(texts[Int(start - spooled)..<Int(end - spooled)]) }
        return try textFile?.bytes(start, Int(end - start)) ?? []
    }

    private func end(of number: Int) throws(ETLError) -> UInt64 {
        let spooled = Int(endFile?.length ?? 0) / 8
        if number >= spooled { return ends[number - spooled] }
        let bytes = try endFile?.bytes(UInt64(number) * 8, 8) ?? []
        return bytes.enumerated().reduce(0) { $0 | UInt64($1.element) << (8 * UInt64($1.offset)) }
    }

    private func spool() throws(ETLError) {
        if textFile == nil {
            textFile = try TemporaryFile()
            endFile = try TemporaryFile()
        }
        try textFile?.append(texts)
        try endFile?.append(
            ends.flatMap { end in (0..<8).map { UInt8(truncatingIfNeeded: end >> (8 * UInt64($0))) } })
        texts.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }
}

/// A file without a name, which is gone when it is closed.
private final class TemporaryFile {
    private let file: UnsafeMutablePointer<FILE>
    private(set) var length: UInt64 = 0

    init() throws(ETLError) {
        guard let file = tmpfile() else { throw Self.failure() }
        self.file = file
    }

    deinit { fclose(file) }

    func append(_ bytes: [UInt8]) throws(ETLError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { all in
                pwrite(
                    fileno(file), all.baseAddress?.advanced(by: written), all.count - written, off_t(length))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.failure() }
            written += count
            length += UInt64(count)
        }
    }

    func bytes(_ start: UInt64, _ count: Int) throws(ETLError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var got = 0
        while got < count {
            let read = bytes.withUnsafeMutableBytes { all in
                pread(
                    fileno(file), all.baseAddress?.advanced(by: got), count - got, off_t(start) + off_t(got))
            }
            if read < 0, errno == EINTR { continue }
            guard read > 0 else { throw Self.failure() }
            got += read
        }
        return bytes
    }

    private static func failure() -> ETLError {
        ETLError(
            .inputOutput,
            "The workbook's texts cannot be kept in a temporary file: \(String(cString: strerror(errno))).",
            advice: "Free some space in the folder for temporary files.")
    }
}
