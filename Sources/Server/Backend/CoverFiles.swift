import Books
import Glibc
import Queries
import System

/// The covers in a folder that `etl covers` has written.
///
/// An address holds a digest that only the server can make, so users see covers of the books that they are shown, and
/// cannot find out which other books the folder has.
package struct CoverFiles: Sendable {
    private let folder: String
    private let secret: String

    /// - Parameter secret: Makes the digests. Addresses end with it.
    package init(folder: String, secret: Secret = Secret()) {
        self.folder = folder
        self.secret = secret.text
    }

    /// The address of a cover on this server; nil if the folder has none.
    ///
    /// - Parameter name: A name by ``CoverName``.
    func address(of name: String) -> String? {
        guard let ending = CoverName.endings.first(where: { FileSystem.access(path(name, $0), R_OK) == 0 })
        else {
            return nil
        }
        let file = "\(name).\(ending)"
        return "/page/covers/\(file)?tag=\(tag(file))"
    }

    /// The image of an address.
    func image(_ file: String, tag: String) -> (bytes: [UInt8], type: String)? {
        guard tag == self.tag(file), !file.contains("/"),
            let bytes = try? ReadableFile.contents(of: "\(folder)/\(file)"), let image = CoverImage(bytes)
        else { return nil }
        return (bytes, "image/\(image.type.rawValue)")
    }

    private func path(_ name: String, _ ending: String) -> String { "\(folder)/\(name).\(ending)" }

    private func tag(_ file: String) -> String {
        var digest = SHA256()
        digest.update(Array("\(secret)/\(file)".utf8))
        return String(digest.hexDigest.prefix(32))
    }
}
