package import Glibc

/// The functions of the system that take names of files, for names of any bytes (``FileName``). They have the system's
/// names and results.
package enum FileSystem {
    package static func open(_ path: String, _ flags: Int32, _ mode: UInt32 = 0) -> Int32 {
        path.withFileName { Glibc.open($0, flags, mode_t(mode)) }
    }

    package static func access(_ path: String, _ mode: Int32) -> Int32 {
        path.withFileName { Glibc.access($0, mode) }
    }

    package static func stat(_ path: String, _ facts: inout stat) -> Int32 {
        path.withFileName { fstatat(AT_FDCWD, $0, &facts, 0) }
    }

    package static func lstat(_ path: String, _ facts: inout stat) -> Int32 {
        path.withFileName { Glibc.lstat($0, &facts) }
    }

    package static func statvfs(_ path: String, _ facts: inout statvfs) -> Int32 {
        path.withFileName { volume($0, &facts) }
    }

    @discardableResult
    package static func unlink(_ path: String) -> Int32 { path.withFileName { Glibc.unlink($0) } }

    @discardableResult
    package static func rmdir(_ path: String) -> Int32 { path.withFileName { Glibc.rmdir($0) } }

    @discardableResult
    package static func mkdir(_ path: String, _ mode: UInt32) -> Int32 {
        path.withFileName { Glibc.mkdir($0, mode_t(mode)) }
    }

    @discardableResult
    package static func rename(_ old: String, _ new: String) -> Int32 {
        old.withFileName { old in new.withFileName { Glibc.rename(old, $0) } }
    }

    @discardableResult
    package static func link(_ old: String, _ new: String) -> Int32 {
        old.withFileName { old in new.withFileName { Glibc.link(old, $0) } }
    }
}

// In the enum, `statvfs` is only the type.
private func volume(_ path: UnsafePointer<CChar>, _ facts: inout statvfs) -> Int32 { statvfs(path, &facts) }
