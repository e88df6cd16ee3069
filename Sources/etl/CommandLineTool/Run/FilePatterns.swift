import Glibc
import System

/// Expands quoted file patterns such as `'exports/*.csv'`, which the shell leaves to the program.
enum FilePatterns {
    /// The files for names and patterns; those of a pattern are sorted by name. An existing file is never
    /// treated as a pattern.
    static func expanded(_ names: [String]) throws(CommandFailure) -> [String] {
        var files: [String] = []
        for name in names {
            guard name.utf8.contains(where: { "*?[".utf8.contains($0) }), FileSystem.access(name, F_OK) != 0
            else {
                files.append(name)
                continue
            }
            let found = matches(name)
            guard !found.isEmpty else {
                throw CommandFailure(
                    .missing, "No file matches `\(name)`.", advice: "Check the pattern and the folder.")
            }
            files += found
        }
        return files
    }

    private static func matches(_ pattern: String) -> [String] {
        var found = glob_t()
        defer { globfree(&found) }
        guard pattern.withFileName({ glob($0, 0, nil, &found) }) == 0, let paths = found.gl_pathv else {
            return []
        }
        return (0..<Int(found.gl_pathc)).compactMap { paths[$0].map { FileName.text(of: $0) } }
    }
}
