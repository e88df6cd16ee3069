import Foundation

/// Standard input as a file: spooled first, so that it can be surveyed, and resumed while the spool stands.
enum StandardInput {
    /// Copies standard input to a file beside the store and returns its path.
    static func spool(beside store: String, named name: String) throws(CommandFailure) -> String {
        let path = "\(store).\(name).stdin"
        guard let file = fopen(path, "wx") ?? fopen(path, "w") else {
            throw CommandFailure(
                .cannotCreate,
                "Standard input cannot be kept in \(path): \(String(cString: strerror(errno))).",
                advice: "Check the folder's permissions, or name another store with --db.")
        }
        defer { fclose(file) }
        chmod(path, 0o600)
        var buffer = [UInt8](repeating: 0, count: 256 * 1024)
        while true {
            let count = read(STDIN_FILENO, &buffer, buffer.count)
            if count == 0 { break }
            guard count > 0 || errno == EINTR else {
                throw CommandFailure(
                    .inputOutput, "Standard input cannot be read: \(String(cString: strerror(errno))).")
            }
            guard fwrite(buffer, 1, max(0, count), file) == max(0, count) else {
                unlink(path)
                throw CommandFailure(
                    .inputOutput,
                    "Standard input cannot be kept in \(path): \(String(cString: strerror(errno))).",
                    advice: "Free some space, or name a store on another disk with --db.")
            }
        }
        return path
    }
}
