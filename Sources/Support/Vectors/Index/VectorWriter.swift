import Database
import Glibc
package import System

/// Adds vectors to a file, which others can search meanwhile. One process at a time writes it.
///
/// Rows are only added; a row that is replaced or removed is deleted: it is overwritten with zeros. Committed rows survive a
/// kill or a power cut. If the file has vectors of another model, or is damaged, the new ones are written beside it and replace it at
/// ``finish()``: until then, the old ones can be searched.
package final class VectorWriter {
    private let path: String
    private let layout: VectorLayout
    private var header: VectorHeader
    private var descriptor: Int32
    /// The old file, which stays locked while a new one is written beside it; -1 if there is none.
    private var oldDescriptor: Int32 = -1
    /// Rows that are not deleted.
    package private(set) var liveCount: Int

    /// The ending of a new file beside an old one.
    private static let ending = ".next"

    /// Opens a file for writing, or creates it.
    ///
    /// - Throws: `.temporary` if another process writes it, `.cannotCreate` if it cannot be created.
    package init(_ path: String, _ model: VectorModel) throws(ETLError) {
        self.path = path
        layout = VectorLayout(dimension: model.dimension)
        var file = try Self.open(path)
        var found = Self.header(of: file)
        if found.map({ !$0.model.isComparable(to: model) }) ?? (Self.size(of: file) > 0) {
            oldDescriptor = file
            do throws(ETLError) {
                file = try Self.open(path + Self.ending)
            } catch {
                close(oldDescriptor)
                throw error
            }
            found = Self.header(of: file).flatMap { $0.model.isComparable(to: model) ? $0 : nil }
        }
        descriptor = file
        header = found ?? VectorHeader(model)
        liveCount = 0
        if found == nil {
            guard ftruncate(descriptor, 0) == 0 else { throw failure() }
            try write(header.page, at: 0)
        }
        try removeDuplicates()
    }

    deinit {
        close(descriptor)
        if oldDescriptor >= 0 { close(oldDescriptor) }
    }

    private var ownPath: String { oldDescriptor >= 0 ? path + Self.ending : path }

    private static func open(_ path: String) throws(ETLError) -> Int32 {
        guard let descriptor = try SidecarFile.open(path, O_RDWR | O_CREAT) else {
            throw ETLError(
                .cannotCreate, "`\(path)` cannot be written: \(String(cString: strerror(errno))).",
                advice: "Check the permissions of its folder.")
        }
        guard VectorHeader.isOurs(descriptor) else {
            close(descriptor)
            throw SidecarFile.refusal(path, "is not a vector file")
        }
        // If the file system has no locks, other processes are not noticed.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK, isNamed(path, descriptor)
        else {
            close(descriptor)
            throw ETLError(
                .temporary, "Another process is writing `\(path)`.", advice: "Wait until it has ended.")
        }
        return descriptor
    }

    /// Whether a path still names an open file: another process may have replaced it before it was locked.
    private static func isNamed(_ path: String, _ descriptor: Int32) -> Bool {
        var (named, own) = (stat(), stat())
        return FileSystem.lstat(path, &named) == 0 && fstat(descriptor, &own) == 0
            && named.st_ino == own.st_ino
    }

    private static func header(of descriptor: Int32) -> VectorHeader? {
        var page = [UInt8](repeating: 0, count: VectorHeader.byteCount)
        guard pread(descriptor, &page, page.count, 0) == page.count,
            let header = page.withUnsafeBytes({ VectorHeader($0) }),
            size(of: descriptor)
                >= VectorLayout(dimension: header.model.dimension).fileSize(rows: header.count)
        else { return nil }
        return header
    }

    private static func size(of descriptor: Int32) -> Int {
        var facts = stat()
        return fstat(descriptor, &facts) == 0 ? Int(facts.st_size) : 0
    }

    /// Removes rows that a killed process has replaced, but not removed.
    private func removeDuplicates() throws(ETLError) {
        guard header.count > 0 else { return }
        let file = try MappedFile(descriptor, ownPath)
        var rows = VectorItems(file, layout, header.count).rows
        let duplicates = rows.indices.dropLast().filter { rows[$0].id == rows[$0 + 1].id }
        for index in duplicates.reversed() {
            try write([UInt8](repeating: 0, count: 8), at: layout.offset(of: .ids, row: Int(rows[index].row)))
            rows.remove(at: index)
        }
        liveCount = rows.count
    }

    /// The items with vectors, ascending by id.
    package func items() throws(ETLError) -> VectorItems {
        VectorItems(try MappedFile(descriptor, ownPath), layout, header.count)
    }

    /// Adds vectors, and removes the rows that they replace.
    ///
    /// - Parameters:
    ///   - vectors: A unit vector for each item, one after the other; zeros for an item that is compared with nothing.
    ///   - replaced: Rows that are deleted then.
    package func append(
        _ items: [VectorItem], _ vectors: [Float], replacing replaced: [Int] = []
    ) throws(ETLError) {
        let end = header.count + items.count
        let size = layout.fileSize(rows: end)
        if Self.size(of: descriptor) < size {
            guard ftruncate(descriptor, off_t(size)) == 0 else { throw failure() }
        }
        var next = 0
        while next < items.count {
            let row = header.count + next
            let count = min(items.count - next, VectorLayout.blockRows - row % VectorLayout.blockRows)
            try write(items[next..<next + count], vectors, from: next, at: row)
            next += count
        }
        // The rows must be on disk before the header counts them.
        guard fdatasync(descriptor) == 0 else { throw failure() }
        header.count = end
        liveCount += items.count
        try remove(replaced)
    }

    private func write(
        _ items: ArraySlice<VectorItem>, _ vectors: [Float], from first: Int, at row: Int
    ) throws(ETLError) {
        var (factors, bytes, halves) = ([Float](), [Int8](), [UInt16]())
        for number in first..<first + items.count {
            let vector = vectors[number * layout.dimension..<(number + 1) * layout.dimension]
            factors.append(UnitVector.quantized(vector, into: &bytes))
            bytes += repeatElement(0, count: layout.stride - layout.dimension)
            UnitVector.halves(vector, into: &halves)
        }
        try write(items.map(\.id), at: layout.offset(of: .ids, row: row))
        try write(items.map(\.key), at: layout.offset(of: .keys, row: row))
        try write(items.map(\.text), at: layout.offset(of: .texts, row: row))
        try write(factors, at: layout.offset(of: .factors, row: row))
        try write(bytes, at: layout.offset(of: .bytes, row: row))
        try write(halves, at: layout.offset(of: .halves, row: row))
    }

    /// Removes rows, and overwrites them: vectors of a removed book are the user's data too.
    package func remove(_ removed: [Int]) throws(ETLError) {
        header.generation += 1
        try write(header.counts, at: 0)
        for row in removed {
            for column in VectorLayout.Column.allCases {
                try write(
                    [UInt8](repeating: 0, count: layout.width(of: column)),
                    at: layout.offset(of: column, row: row))
            }
        }
        liveCount -= removed.count
    }

    /// Removes the file of a run with another model that was not completed, unless that run is under way.
    package static func removeUnfinished(_ path: String) throws(ETLError) {
        guard let descriptor = try SidecarFile.open(path + ending, O_RDWR) else { return }
        defer { close(descriptor) }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { _ = FileSystem.unlink(path + ending) }
    }

    /// Makes the file the one that is searched. If many of its rows are deleted, it is written again without them.
    ///
    /// - Parameter stamp: Identifies the state of the things of which the file has all vectors now; 0 if it has not all.
    package func finish(_ stamp: UInt64 = 0) throws(ETLError) {
        guard fdatasync(descriptor) == 0 else { throw failure() }
        if header.stamp != stamp {
            header.stamp = stamp
            try write(header.counts, at: 0)
            guard fdatasync(descriptor) == 0 else { throw failure() }
        }
        if oldDescriptor >= 0 {
            guard FileSystem.rename(ownPath, path) == 0 else { throw failure() }
        } else if header.count - liveCount > max(VectorLayout.blockRows, liveCount / 2) {
            try rewrite()
        }
    }

    /// Replaces the file by one without deleted rows, ascending by id.
    private func rewrite() throws(ETLError) {
        let file = try MappedFile(descriptor, path)
        let live = VectorItems(file, layout, header.count).rows
        (oldDescriptor, descriptor) = (descriptor, try Self.open(path + Self.ending))
        header.count = 0
        guard ftruncate(descriptor, 0) == 0,
            ftruncate(descriptor, off_t(layout.fileSize(rows: live.count))) == 0
        else { throw failure() }
        for first in stride(from: 0, to: live.count, by: VectorLayout.blockRows) {
            let part = live[first..<min(first + VectorLayout.blockRows, live.count)]
            for column in VectorLayout.Column.allCases {
                var bytes: [UInt8] = []
                for (_, row) in part {
                    let start = layout.offset(of: column, row: Int(row))
                    bytes += file.bytes[start..<start + layout.width(of: column)]
                }
                try write(bytes, at: layout.offset(of: column, row: first))
            }
        }
        header.count = live.count
        header.generation += 1
        try write(header.page, at: 0)
        guard fdatasync(descriptor) == 0, FileSystem.rename(ownPath, path) == 0 else { throw failure() }
    }

    private func write<Number: BitwiseCopyable>(_ numbers: [Number], at offset: Int) throws(ETLError) {
        let code = numbers.withUnsafeBytes { bytes -> Int32 in
            var done = 0
            while done < bytes.count {
                let count = pwrite(
                    descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done,
                    off_t(offset + done))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return errno }
                done += count
            }
            return 0
        }
        guard code == 0 else { throw failure(code) }
    }

    private func failure(_ code: Int32 = errno) -> ETLError {
        ETLError(
            .inputOutput, "`\(ownPath)` cannot be written: \(String(cString: strerror(code))).",
            advice: "Make space or fix permissions, then run the command again.")
    }
}
