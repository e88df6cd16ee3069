import Books
import Glibc
import Queries
import Syntax
import System

/// The covers in a folder that `etl covers` has written, for users who see all libraries.
///
/// Each address ends with a digest that only the server can compute. Clients can request only the files that a page has shown.
package struct CoverFiles: Sendable {
    private let folder: String
    private let secret: String

    /// - Parameter secret: Makes the digests.
    package init(folder: String, secret: Secret = Secret()) {
        self.folder = folder
        self.secret = secret.text
    }

    /// The address of a cover on this server; nil if the folder has none.
    ///
    /// - Parameter name: A name by ``CoverName``.
    func address(of name: String) -> String? {
        guard let ending = CoverName.endings.first(where: { isImage("\(folder)/\(name).\($0)") }) else {
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

    /// Whether there is a file that can hold an image. What it holds is found out when it is shown.
    private func isImage(_ path: String) -> Bool {
        var status = stat()
        return FileSystem.stat(path, &status) == 0 && status.st_size >= CoverImage.fewestBytes
    }

    func tag(_ file: String) -> String {
        var digest = SHA256()
        digest.update(Array("\(secret)/\(file)".utf8))
        return String(digest.hexDigest.prefix(32))
    }
}
