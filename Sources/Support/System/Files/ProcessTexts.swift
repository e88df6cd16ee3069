import Glibc

/// The arguments and environment variables of the process, as text in which names of files keep all their bytes
/// (``FileName``).
package enum ProcessTexts {
    /// The arguments, without the program's name.
    package static var arguments: [String] {
        list(CommandLine.unsafeArgv).dropFirst().map { FileName.text(of: $0) }
    }

    /// The environment variables of the process.
    package static var environment: [String: String] { variables(list(environ)) }

    /// The value of an environment variable; nil if it is not set.
    package static func variable(_ name: String) -> String? { getenv(name).map { FileName.text(of: $0) } }

    /// - Parameter texts: `NAME=value`. Texts without `=` are skipped.
    package static func variables(_ texts: [[UInt8]]) -> [String: String] {
        var variables: [String: String] = [:]
        for text in texts {
            guard let end = text.firstIndex(of: UInt8(ascii: "=")) else { continue }
            // As for getenv(3), the first of several counts.
            let name = FileName.text(of: text[..<end])
            if variables[name] == nil { variables[name] = FileName.text(of: text[(end + 1)...]) }
        }
        return variables
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
