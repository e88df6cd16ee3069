import Foundation
import Pipeline

/// The file of provider keys, lines of `NAME=value`: the one that `ETL_KEYS_FILE` names, else
/// `$XDG_CONFIG_HOME/etl/keys`. It is read only where nobody but its owner can read it.
struct KeyFile: Sendable {
    /// The variable that names it.
    static let variable = "ETL_KEYS_FILE"

    /// Where it is; nil where there is none.
    let path: String?
    /// What it sets, by name.
    let values: [String: String]
    /// The numbers of lines that say nothing, from 1.
    let idleLines: [Int]

    /// What is wrong with its lines, one sentence each. What stands there is not shown: it may be a key.
    var remarks: [String] {
        idleLines.map { line in
            "Line \(line) of \(path ?? "the file of keys") is not used: it is no NAME=value, or names nothing that etl "
                + "knows."
        }
    }

    /// - Throws: `.configuration` for a file that others can read, or that cannot be read; `.missing` where the variable
    ///   names none; `.permission` where it cannot be looked at.
    init(_ environment: [String: String]) throws(CommandFailure) {
        let named = environment[Self.variable].flatMap { $0.isEmpty ? nil : $0 }
        let defaultPath = DefaultPaths.configurationFolder(environment).map { $0 + "/keys" }
        guard let path = named ?? defaultPath, named != nil || access(path, F_OK) == 0 else {
            self.path = nil
            (values, idleLines) = ([:], [])
            return
        }
        var facts = stat()
        guard stat(path, &facts) == 0 else { throw Self.failure(of: path, errno) }
        guard facts.st_mode & 0o077 == 0 else {
            throw CommandFailure(
                .configuration, "\(path) can be read by others, so the keys in it are not used.",
                advice: "Run: chmod 600 \(path)")
        }
        guard facts.st_mode & S_IFMT == S_IFREG, let text = try? String(contentsOfFile: path, encoding: .utf8)
        else {
            throw CommandFailure(
                .configuration, "\(path) cannot be read as text.",
                advice: "Write lines of NAME=value into it.")
        }
        self.path = path
        (values, idleLines) = Self.values(in: text)
    }

    /// What is said of a file that cannot be looked at.
    private static func failure(of path: String, _ code: Int32) -> CommandFailure {
        guard code != ENOENT, code != ENOTDIR else {
            return CommandFailure(
                .missing, "There is no file \(path), which \(variable) names.",
                advice: "Name the file of your keys, or unset the variable.")
        }
        return CommandFailure(
            .permission, "The file of keys \(path) cannot be looked at: \(String(cString: strerror(code))).",
            advice:
                "Give yourself the right to read it and its folders, or name another one with \(variable).")
    }

    private static func values(in text: String) -> (values: [String: String], idleLines: [Int]) {
        var values: [String: String] = [:]
        var idle: [Int] = []
        // A file from Windows parts lines with two characters, which Swift counts as one.
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (number, line) in lines.enumerated() {
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.isEmpty || line.hasPrefix("#") { continue }
            let parts = line.split(separator: "=", maxSplits: 1).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            guard parts.count == 2, !parts[1].isEmpty, ServiceSetup.variables.contains(parts[0]) else {
                idle.append(number + 1)
                continue
            }
            values[parts[0]] = parts[1]
        }
        return (values, idle)
    }
}
