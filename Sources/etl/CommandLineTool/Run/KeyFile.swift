import Bytes
import Glibc
import System

/// The key file, with lines of `NAME=value`: the one that `ETL_KEYS_FILE` names, else
/// `$XDG_CONFIG_HOME/etl/keys`. It is only used if only its owner can read it.
struct KeyFile: Sendable {
    /// The environment variable that names it.
    static let variable = "ETL_KEYS_FILE"

    /// Its path; nil if there is none.
    let path: String?
    /// Its values by name.
    let values: [String: String]
    /// The numbers of unrecognized lines, from 1.
    let unrecognizedLines: [Int]

    /// A message for each unrecognized line. The line itself is not shown, because it may contain a key.
    var remarks: [String] {
        unrecognizedLines.map { line in
            "\(path ?? "the key file"):\(line): ignored, because it is not NAME=value with a name that etl knows."
        }
    }

    /// - Throws: `.configuration` if others can read the file or it is not text; `.missing` if the variable
    ///   names a file that does not exist; `.permission` if the file is not accessible.
    init(_ environment: [String: String]) throws(CommandFailure) {
        let named = environment[Self.variable].flatMap { $0.isEmpty ? nil : $0 }
        let defaultPath = DefaultPaths.configurationFolder(environment).map { $0 + "/keys" }
        guard let path = named ?? defaultPath, named != nil || FileSystem.access(path, F_OK) == 0 else {
            self.path = nil
            (values, unrecognizedLines) = ([:], [])
            return
        }
        var facts = stat()
        guard FileSystem.stat(path, &facts) == 0 else { throw Self.failure(of: path, errno) }
        guard facts.st_mode & 0o077 == 0 else {
            throw CommandFailure(
                .configuration, "Other users can read the key file `\(path)`.",
                advice: "Run `chmod 600 \(ShellWord.of(path))`.")
        }
        let text: String?
        do throws(ReadableFile.Refusal) { text = try ReadableFile.text(of: path) } catch {
            guard case .system(let code) = error else { throw CommandFailure(error.failure(of: path)) }
            throw Self.failure(of: path, code)
        }
        guard let text else {
            throw CommandFailure(
                .configuration, "`\(path)` is not text.",
                advice: "Write lines of NAME=value into it.")
        }
        self.path = path
        (values, unrecognizedLines) = Self.values(in: text)
    }

    /// The failure for a file that is not accessible.
    static func failure(of path: String, _ code: Int32) -> CommandFailure {
        guard code != ENOENT, code != ENOTDIR else {
            return CommandFailure(
                .missing, "\(variable) names `\(path)`, which does not exist.",
                advice: "Specify your key file, or unset the variable.")
        }
        return CommandFailure(
            ReadableFile.Refusal.system(code).isForbidden ? .permission : .inputOutput,
            "The key file `\(path)` cannot be read: \(String(cString: strerror(code))).",
            advice:
                "Make it readable, for example with `chmod u+r FILE`, or specify another file with \(variable)."
        )
    }

    private static func values(in text: String) -> (values: [String: String], unrecognizedLines: [Int]) {
        var values: [String: String] = [:]
        var unrecognized: [Int] = []
        // Windows ends lines with two characters, which Swift treats as one.
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (number, line) in lines.enumerated() {
            let line = line.trimming(.spaces)
            if line.isEmpty || line.hasPrefix("#") { continue }
            let parts = line.split(separator: "=", maxSplits: 1).map {
                $0.trimming(.spaces)
            }
            guard parts.count == 2, !parts[1].isEmpty, ServiceSetup.variables.contains(parts[0]) else {
                unrecognized.append(number + 1)
                continue
            }
            values[parts[0]] = parts[1]
        }
        return (values, unrecognized)
    }
}
