import Glibc
import Pipeline

/// The arguments and environment variables of the process, as text in which names of files keep all their bytes
/// (``FileName``).
enum ProcessTexts {
    /// Variables of `etl` that name files. Its other variables are sent to services, and must be UTF-8.
    private static let files: Set = ["ETL_DB", "ETL_CATALOG", KeyFile.variable]

    /// The arguments, without the program's name.
    static var arguments: [String] { list(CommandLine.unsafeArgv).dropFirst().map { FileName.text(of: $0) } }

    /// The environment variables of the process.
    static var environment: [String: String] { variables(list(environ)) }

    /// - Parameter texts: `NAME=value`. What has no `=` is passed over.
    static func variables(_ texts: [[UInt8]]) -> [String: String] {
        var variables: [String: String] = [:]
        for text in texts {
            guard let end = text.firstIndex(of: UInt8(ascii: "=")) else { continue }
            // As for getenv(3), the first of several counts.
            let name = FileName.text(of: text[..<end])
            if variables[name] == nil { variables[name] = FileName.text(of: text[(end + 1)...]) }
        }
        return variables
    }

    /// The failure for the first variable of `etl` that must be UTF-8 and is not; nil if there is none. Its value is
    /// not shown: it can be a key.
    static func failure(_ variables: [String: String]) -> CommandFailure? {
        for (name, value) in variables.sorted(by: { $0.key < $1.key })
        where name.hasPrefix("ETL_") && !files.contains(name) && !FileName.isText(value) {
            return CommandFailure(.usage, "The variable \(name) is not UTF-8 text.", advice: "Set it again.")
        }
        return nil
    }

    private static func list(_ texts: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> [[UInt8]] {
        guard let texts else { return [] }
        var list: [[UInt8]] = []
        while let text = texts[list.count] {
            list.append(Array(UnsafeRawBufferPointer(start: text, count: strlen(text))))
        }
        return list
    }
}
