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
        let chosen = ProcessTexts.variable("TMPDIR") ?? ""
        return chosen.isEmpty ? "/tmp" : chosen
    }

    /// The names of a folder's files, in no order; nil if it cannot be read, with the reason in `errno`.
    package static func names(in path: String) -> [String]? {
        guard let folder = path.withFileName({ opendir($0) }) else { return nil }
        var names: [String] = []
        errno = 0
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)) {
                    FileName.text(of: $0)
                }
            }
            if name != ".", name != ".." { names.append(name) }
            errno = 0
        }
        let code = errno
        closedir(folder)
        errno = code
        return code == 0 ? names : nil
    }

    /// Makes a folder, and those that it is in.
    ///
    /// - Returns: The system's error number; 0 if the folder is there, or a link to one.
    package static func make(_ path: String, mode: UInt32) -> Int32 {
        guard FileSystem.mkdir(path, mode) != 0 else { return 0 }
        let code = errno
        let above = FolderPath.of(path)
        guard code == ENOENT, above != ".", above != "/" else {
            return code == EEXIST ? codeOfFolder(path) : code
        }
        let failure = make(above, mode: mode)
        guard failure == 0 else { return failure }
        guard FileSystem.mkdir(path, mode) != 0 else { return 0 }
        return errno == EEXIST ? codeOfFolder(path) : errno
    }

    /// 0 if a path is that of a folder; else why it is not.
    private static func codeOfFolder(_ path: String) -> Int32 {
        var facts = stat()
        guard FileSystem.stat(path, &facts) == 0 else { return errno }
        return facts.st_mode & S_IFMT == S_IFDIR ? 0 : ENOTDIR
    }

    /// Removes a file, or a folder with everything in it. Links are removed, not followed.
    ///
    /// - Returns: The first error number; 0 if it is gone.
    @discardableResult
    package static func remove(_ path: String) -> Int32 {
        guard FileSystem.unlink(path) != 0 else { return 0 }
        let code = errno
        // POSIX has EPERM for folders, Linux EISDIR.
        guard code == EISDIR || code == EPERM else { return code }
        guard let names = names(in: path) else { return errno == ENOTDIR ? code : errno }
        for name in names {
            let failure = remove("\(path)/\(name)")
            guard failure == 0 else { return failure }
        }
        return FileSystem.rmdir(path) == 0 ? 0 : errno
    }
}
