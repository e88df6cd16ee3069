import Books
import Bytes
import Glibc
import Queries
import Services
import Store
package import Syntax
import System

/// The folder next to a store with photos that were scanned, what models have read in them, and the tables that were imported:
/// `library.sqlite.photos`.
///
/// A photo is a file under its digest, without metadata. The folder can be deleted: pages then show no photos, and a photo that
/// is scanned again is sent again.
package struct PhotoFolder: Sendable {
    package let path: String

    /// - Parameter store: The path of the store.
    package init(of store: String) { path = StorePath.real(store) + ".photos" }

    /// Whether anything was kept.
    var exists: Bool { FileSystem.access(path, F_OK) == 0 }

    /// The answers of models.
    var answers: AnswerFolder {
        AnswerFolder(
            path: path + "/answers", content: "What models read in photos", advice: Self.advice, mode: 0o700)
    }

    private static let advice: UserText = "Free some space, or check the permissions of the store’s folder."

    /// Keeps a photo.
    func keep(_ photo: ShelfPhoto) throws(ETLError) {
        let file = file(photo.digest, photo.type)
        guard FileSystem.access(file, F_OK) != 0 else { return }
        try write(photo.bytes, to: file)
    }

    /// Keeps a table of detected books.
    ///
    /// - Returns: Its path. The same table has the same one, so that a scan of the same photos is the same job.
    func keep(table: [UInt8]) throws(ETLError) -> String {
        var hash = SHA256()
        hash.update(table)
        let file = "\(path)/\(hash.hexDigest.prefix(32)).csv"
        try write(table, to: file)
        return file
    }

    /// A kept photo.
    ///
    /// - Parameter digest: Its digest, from whatever source: anything else names no file.
    package func photo(_ digest: String) -> (bytes: [UInt8], type: ImageType)? {
        guard digest.utf8.count == 64, digest.utf8.allSatisfy({ $0.isDigit || (0x61...0x66).contains($0) })
        else { return nil }
        for type in ImageType.allCases {
            if let bytes = try? ReadableFile.contents(of: file(digest, type)) { return (bytes, type) }
        }
        return nil
    }

    /// Width and height of a kept photo in pixels as browsers show it: they turn a JPEG as its orientation says.
    package func shownSize(_ digest: String) -> (width: Int, height: Int)? {
        guard let photo = photo(digest), let size = ImageSize(photo.bytes, photo.type) else { return nil }
        return CleanImage.isTurned(photo.bytes, photo.type)
            ? (size.height, size.width) : (size.width, size.height)
    }

    private func file(_ digest: String, _ type: ImageType) -> String {
        "\(path)/\(digest).\(type.fileExtension)"
    }

    private func write(_ bytes: [UInt8], to file: String) throws(ETLError) {
        var code = Folder.make(path, mode: 0o700)
        if code == 0 { code = PartFile.replace(file, with: bytes) }
        guard code != 0 else { return }
        throw ETLError(
            .cannotCreate, "Photos cannot be kept in `\(path)`: \(String(cString: strerror(code))).",
            advice: Self.advice)
    }
}
