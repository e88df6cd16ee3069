import Glibc
package import System

/// A temporary folder for files that only this process needs, such as the store of a conversion. It is deleted with its
/// files when the value is destroyed.
///
/// A killed process leaves its folder behind. ``removeAbandoned(in:)`` removes it.
package struct ScratchFolder: ~Copyable {
    package let path: String
    /// Locked while the folder is in use.
    private let descriptor: Int32

    private static let name = "etl"

    /// Makes a folder that only the user can read.
    ///
    /// - Throws: `.cannotCreate`, with the advice, if it cannot be made.
    package init(in parent: String, advice: UserText) throws(ETLError) {
        guard let made = PartFile.create(besides: "\(parent)/\(Self.name)", isFolder: true, mode: 0o700)
        else {
            throw ETLError(
                .cannotCreate,
                "A temporary folder cannot be created in `\(parent)`: \(String(cString: strerror(errno))).",
                advice: advice)
        }
        (path, descriptor) = made
    }

    deinit {
        Folder.remove(path)
        close(descriptor)
    }

    /// Removes the folders of killed processes.
    package static func removeAbandoned(in parent: String) {
        PartFile.removeAbandoned(besides: "\(parent)/\(name)", isFolder: true)
    }
}
