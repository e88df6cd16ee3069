import Foundation
import Pipeline

/// Patterns among file names, for whoever quotes them, and for shells that have none: `'exports/*.csv'`.
enum FilePatterns {
    /// The files that names stand for, each pattern's in the order of their names. A name that is a file stands for
    /// itself, whatever its letters.
    static func expanded(_ names: [String]) throws(CommandFailure) -> [String] {
        var files: [String] = []
        for name in names {
            guard name.contains(where: { "*?[".contains($0) }), access(name, F_OK) != 0 else {
                files.append(name)
                continue
            }
            let found = matches(name)
            guard !found.isEmpty else {
                throw CommandFailure(
                    .missing, "No file matches \(name).", advice: "Check the pattern and the directory.")
            }
            files += found
        }
        return files
    }

    private static func matches(_ pattern: String) -> [String] {
        var found = glob_t()
        defer { globfree(&found) }
        guard glob(pattern, 0, nil, &found) == 0, let paths = found.gl_pathv else { return [] }
        return (0..<Int(found.gl_pathc)).compactMap { paths[$0].map { String(cString: $0) } }
    }
}
