import Books
import Bytes
import Database
import Glibc
import Store
package import System
package import Vectors

/// The vectors of a store's works: a file next to it, `library.sqlite.vectors`, which `etl embed` writes.
///
/// It can be deleted while nothing uses it. A vector counts only if the work with its number still has the key that it had
/// then, so vectors of a store that was restored from a copy never belong to other books.
package struct StoreVectors: Sendable {
    /// Vectors that are looked at to find enough that count, at most.
    private static let mostLookedAt = 65_536

    package let file: VectorFile
    private let identity: SidecarFile.Identity?

    /// The path of a store's vectors.
    package static func path(of store: String) -> String { StorePath.real(store) + ".vectors" }

    /// Opens the vectors of a store.
    ///
    /// - Returns: Nil if it has none.
    /// - Throws: `.unusableInput` if the file is damaged.
    package init?(of store: String) throws(ETLError) {
        let path = Self.path(of: store)
        guard FileSystem.access(path, F_OK) == 0 else { return nil }
        identity = SidecarFile.Identity(of: path)
        do throws(ETLError) {
            file = try VectorFile(path)
        } catch {
            guard error.kind == .unusableInput else { throw error }
            throw ETLError(error.kind, error.message, advice: "\(UserCommand.embed) makes it again.")
        }
    }

    /// Whether the file is still the store's, and unchanged since it was opened.
    var isCurrent: Bool { identity == SidecarFile.Identity(of: file.path) && file.isUnchanged }

    /// The failure if there are no vectors.
    package static var missing: ETLError {
        ETLError(
            .missing, "The store has no vectors, by which books are compared.",
            advice: "\(UserCommand.embed) computes them.")
    }

    /// The works nearest to a vector, the nearest first.
    ///
    /// - Parameter accepts: Whether a work counts; it gets the work's number and the hash of its key.
    package func nearest(
        to vector: [Float], atMost limit: Int, where accepts: (VectorItem) throws(ETLError) -> Bool
    ) throws(ETLError) -> [VectorFile.Hit] {
        var count = limit * 2 + 16
        while true {
            let hits = file.nearest(to: vector, atMost: count)
            var accepted: [VectorFile.Hit] = []
            for hit in hits where accepted.count < limit {
                if try accepts(hit.item) { accepted.append(hit) }
            }
            if accepted.count == limit || count >= min(file.rowCount, Self.mostLookedAt) { return accepted }
            count *= 8
        }
    }

    /// The vector of a work; nil if it has none, or one of another book.
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
