import FoundationEssentials
import Glibc
import Pipeline

/// The arguments and environment variables of the process, as bytes.
///
/// `etl` handles names as text. A name that is not UTF-8 would become the name of another file, so it is
/// refused before anything is opened.
enum ProcessTexts {
    /// Variables that name files and folders, in addition to those of `etl`.
    private static let names: Set = [
        "HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "TMPDIR", "SQLITE_TMPDIR",
        "SSL_CERT_FILE",
    ]

    /// The failure for this process's first text that is not UTF-8; nil if all are.
    static var failure: CommandFailure? {
        failure(arguments: bytes(of: CommandLine.unsafeArgv).dropFirst(), variables: bytes(of: environ))
    }

    /// - Parameters:
    ///   - arguments: Without the program's name.
    ///   - variables: As `NAME=value`.
    static func failure(arguments: some Sequence<[UInt8]>, variables: [[UInt8]]) -> CommandFailure? {
        for argument in arguments where !isText(argument) {
            return refusal("The argument `\(shown(argument))`")
        }
        for variable in variables where !isText(variable) {
            let name = String(decoding: variable.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
            if names.contains(name) || name.hasPrefix("ETL_") { return refusal("The variable \(name)") }
        }
        return nil
    }

    private static func refusal(_ what: String) -> CommandFailure {
        CommandFailure(
            .usage, "\(what) is not UTF-8 text.",
            advice: "Rename the file or folder, or name it by a link whose path is UTF-8.")
    }

    private static func isText(_ bytes: [UInt8]) -> Bool {
        String(validating: bytes, as: UTF8.self) != nil
    }

    /// The bytes as text, with `\xFF` for bytes that are not ASCII.
    private static func shown(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            byte < 0x80
                ? String(UnicodeScalar(byte)) : "\\x" + String(byte, radix: 16, uppercase: true)
        }.joined()
    }

    private static func bytes(of list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> [[UInt8]] {
        guard let list else { return [] }
        var texts: [[UInt8]] = []
        var index = 0
        while let text = list[index] {
            texts.append(Array(UnsafeRawBufferPointer(start: text, count: strlen(text))))
            index += 1
        }
        return texts
    }
}
