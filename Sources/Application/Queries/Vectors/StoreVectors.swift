import Books
import Bytes
package import Database
import Glibc
import Store
package import System
package import Vectors

/// The vectors of a store's works: a file next to it, `library.sqlite.vectors`, which `etl embed` writes.
///
/// It can be deleted while nothing uses it. A vector counts only if the work with its number still has the key that it had
/// then, so vectors of a store that was restored from a copy never belong to other books.
package struct StoreVectors: Sendable {
    /// Vectors that are looked at to find enough of current works, at most.
    private static let mostLookedAt = 65_536

    package let file: VectorFile
    private let identity: SidecarFile.Identity?

    /// The path of a store's vectors.
    package static func path(of store: String) -> String { StorePath.real(store) + ".vectors" }

    /// Opens the vectors of a store.
    ///
    /// - Returns: Nil if it has none, or if the first run that computes them has not begun to write.
    /// - Throws: `.unusableInput` if the file is damaged.
    package init?(of store: String) throws(ETLError) {
        let path = Self.path(of: store)
        var facts = stat()
        guard FileSystem.stat(path, &facts) == 0, facts.st_size > 0 else { return nil }
        identity = SidecarFile.Identity(facts)
        do throws(ETLError) {
            file = try VectorFile(path)
        } catch {
            guard error.kind == .unusableInput else { throw error }
            throw ETLError(error.kind, error.message, advice: "\(UserCommand.embed) makes it again.")
        }
    }

    /// Whether the file is still the store's, and unchanged since it was opened.
    var isCurrent: Bool { identity == SidecarFile.Identity(of: file.path) && file.isUnchanged }

    /// Whether each work of the store has the vector of its present text.
    package func isComplete(for store: Connection) throws(ETLError) -> Bool {
        try file.stamp == WorkTexts.stamp(of: store)
    }

    /// The failure if there are no vectors.
    package static var missing: ETLError {
        ETLError(
            .missing, "The store has no vectors yet.",
            advice: "\(UserCommand.embed) computes them.")
    }

    /// The works nearest to a vector, the nearest first.
    ///
    /// - Parameters:
    ///   - works: The works that are looked at, if the nearest ones of all works are not enough; nil for all.
    ///   - accepts: Whether a work counts; it gets the work's number and the hash of its key.
    package func nearest(
        to vector: [Float], atMost limit: Int, among works: (() throws(ETLError) -> Set<Int64>)? = nil,
        where accepts: (VectorItem) throws(ETLError) -> Bool
    ) throws(ETLError) -> [VectorFile.Hit] {
        var (count, ids) = (limit * 2 + 16, Set<Int64>?.none)
        while true {
            let hits = file.nearest(to: vector, atMost: count, among: ids)
            var accepted: [VectorFile.Hit] = []
            for hit in hits where accepted.count < limit {
                if try accepts(hit.item) { accepted.append(hit) }
            }
            if accepted.count == limit || count >= min(file.rowCount, Self.mostLookedAt) { return accepted }
            if ids == nil, let works { ids = try works() } else { count *= 8 }
        }
    }

    /// Removes the vectors of works that are gone. If another process computes vectors, the next run removes them.
    package static func removeGone(of store: String) throws(ETLError) {
        let path = path(of: store)
        try VectorWriter.removeUnfinished(path)
        guard let vectors = try StoreVectors(of: store) else { return }
        let writer: VectorWriter
        do throws(ETLError) {
            writer = try VectorWriter(path, vectors.file.model)
        } catch {
            guard error.kind == .temporary else { throw error }
            return
        }
        let works = try StoreFile.openForReading(store).query("SELECT id FROM works ORDER BY id")
        let items = try writer.items()
        var (place, gone) = (0, [Int]())
        while try works.next() {
            let id = works.integer(0)
            while place < items.count, items[place].item.id < id {
                gone.append(items[place].row)
                place += 1
            }
            if place < items.count, items[place].item.id == id { place += 1 }
        }
        gone += (place..<items.count).map { items[$0].row }
        try writer.remove(gone)
        try writer.finish(vectors.file.stamp)
    }

    /// The unit vector of a work; nil if it has none, or one of another book.
    package func vector(of id: Int64, key: String) -> [Float]? {
        guard let row = file.row(of: id), file.item(at: row)?.key == Self.hash(key) else { return nil }
        return file.vector(at: row)
    }

    /// The hash of a work's key, as ``WorkTexts`` notes it.
    static func hash(_ key: String) -> UInt64 {
        var key = key
        return key.withUTF8 { KeyHash.hash(UnsafeRawBufferPointer($0)) }
    }
}

/// A text as a vector of a model.
package struct QueryVector: Sendable, Hashable {
    package var model: VectorModel
    package var numbers: [Float]

    package init(model: VectorModel, numbers: [Float]) {
        self.model = model
        self.numbers = numbers
    }
}
