import Glibc

/// Folders, with names of any bytes (``FileName``).
package enum Folder {
    /// The working directory; nil if it was removed.
    package static var current: String? {
        guard let path = getcwd(nil, 0) else { return nil }
        defer { free(path) }
        return FileName.text(of: path)
    }

    /// The folder for temporary files that the user has chosen.
    package static var temporary: String {
        let chosen = getenv("TMPDIR").map { FileName.text(of: $0) } ?? ""
        return chosen.isEmpty ? "/tmp" : chosen
    }

    /// The names of a folder's files, in no order; nil if it cannot be read, with the reason in `errno`.
    package static func names(in path: String) -> [String]? {
        guard let folder = path.withFileName({ opendir($0) }) else { return nil }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)) {
                    FileName.text(of: $0)
                }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Makes a folder, and those that it is in.
    ///
    /// - Returns: The system's error number; 0 if the folder is there.
    package static func make(_ path: String, mode: UInt32) -> Int32 {
        guard FileSystem.mkdir(path, mode) != 0, errno != EEXIST else { return 0 }
        let code = errno
        let above = path.utf8.split(separator: UInt8(ascii: "/")).dropLast()
        guard code == ENOENT, !above.isEmpty else { return code }
        let start = path.hasPrefix("/") ? "/" : ""
        let failure = make(start + above.map { String($0) ?? "" }.joined(separator: "/"), mode: mode)
        guard failure == 0 else { return failure }
        return FileSystem.mkdir(path, mode) == 0 || errno == EEXIST ? 0 : errno
    }

    /// Removes a file, or a folder with everything in it. Links are removed, not followed.
    ///
    /// - Returns: The first error number; 0 if it is gone.
    @discardableResult
    package static func remove(_ path: String) -> Int32 {
        guard FileSystem.unlink(path) != 0 else { return 0 }
        let code = errno
        guard code == EISDIR || code == EPERM, let names = names(in: path) else { return code }
        for name in names {
            let failure = remove("\(path)/\(name)")
            guard failure == 0 else { return failure }
        }
        return FileSystem.rmdir(path) == 0 ? 0 : errno
    }
}
