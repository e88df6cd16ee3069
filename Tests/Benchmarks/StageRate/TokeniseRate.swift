import Bytes
import Syntax
import System

/// Finds the records and cells of a CSV file, and sums the length of every cell so that none can be skipped.
struct TokeniseRate {
    let file: String

    /// The block size of the reader.
    private static let blockBytes = 128 << 10
    private static let batchBytes = 256 << 10

    /// Only the positions, in blocks of the file: the reader's parser alone.
    func print() throws {
        let source = try FileBytes(path: file)
        let parser = CSVParser(dialect: .comma)
        var block = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.blockBytes, alignment: 64)
        defer { block.deallocate() }
        var run = ParsedRecords()
        var (records, cells, bytes, held) = (0, 0, 0, 0)
        while true {
            let count = try source.read(into: UnsafeMutableRawBufferPointer(rebasing: block[held...]))
            held += count
            let ending = parser.parse(
                UnsafeRawBufferPointer(rebasing: block[..<held]), isFinal: count == 0, into: &run)
            records += run.marks.count
            cells += run.cells.count
            for cell in run.cells { bytes &+= Int(cell.length) }
            held -= run.consumed
            block.copyMemory(
                from: UnsafeRawBufferPointer(rebasing: block[run.consumed..<(run.consumed + held)]))
            switch ending {
            case .end: return Self.print(records, cells, bytes)
            case .needsInput where held < block.count: continue
            default: block = Self.larger(block)
            }
        }
    }

    /// As an import reads them.
    func printReading() throws {
        var reader = try RecordReader(file: file, dialect: .comma, encoding: .utf8)
        var (cells, records): ([Text], [Record]) = ([], [])
        var (recordCount, cellCount, bytes) = (0, 0, 0)
        while true {
            var arena = Arena(capacity: 2 * Self.batchBytes)
            cells.removeAll(keepingCapacity: true)
            records.removeAll(keepingCapacity: true)
            let isMore = try reader.fill(
                arena: &arena, cells: &cells, records: &records, maxRecords: 4_096, maxBytes: Self.batchBytes)
            guard isMore else { return Self.print(recordCount, cellCount, bytes) }
            recordCount += records.count
            cellCount += cells.count
            for cell in cells { bytes += Int(cell.length) }
        }
    }

    private static func print(_ records: Int, _ cells: Int, _ bytes: Int) {
        Swift.print("records \(records) cells \(cells) bytes \(bytes)")
    }

    /// A larger block for a record that is longer than the current one.
    private static func larger(_ block: UnsafeMutableRawBufferPointer) -> UnsafeMutableRawBufferPointer {
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * block.count, alignment: 64)
        larger.copyMemory(from: UnsafeRawBufferPointer(block))
        block.deallocate()
        return larger
    }
}
