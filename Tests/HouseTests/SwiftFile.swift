/// A Swift file and what can be told of it without a compiler.
struct SwiftFile: Sendable {
    /// From the package's root: `Sources/Pipeline/Run/Runner.swift`.
    let path: String
    let lines: [Substring]
    /// The lines with comments and the words of strings blanked out; as many as ``lines``.
    let code: [Substring]

    init(_ path: String, _ text: String) {
        self.path = path
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        code = SwiftCode.blank(text).split(separator: "\n", omittingEmptySubsequences: false)
    }

    var folders: [Substring] { path.split(separator: "/").dropLast() }

    /// `Runner` of `Runner.swift`.
    var name: Substring { (path.split(separator: "/").last ?? "").prefix { $0 != "." } }

    /// Lines of the file, the empty one after its last line end not counted.
    var lineCount: Int { lines.count - (lines.last == "" ? 1 : 0) }

    /// Modules it imports.
    var imports: [String] {
        code.compactMap { line in
            line.wholeMatch(
                of:
                    #/\s*(?:@\w+ )?(?:(?:public|package|internal|private) )?import (?:(?:struct|func|enum|class) )?(\w+).*/#
            )
            .map { String($0.1) }
        }
    }

    /// Lines on which a declaration of the file's top level may begin: a pattern is slow, so it sees few lines.
    private var topLevel: [Substring] {
        code.filter {
            $0.utf8.first.map {
                $0 == UInt8(ascii: "@") || $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z")
            } ?? false
        }
    }

    /// Types that other files can see: declared at the file's top level and not private.
    var types: [String] {
        topLevel.compactMap { line in
            line.prefixMatch(
                of:
                    #/(?:@\w+(?:\([^)]*\))? )*(?:(?:public|package|final|indirect|nonisolated) )*(?:struct|class|enum|actor|protocol|typealias) (\w+)/#
            )
            .map { String($0.1) }
        }
    }

    /// Types it extends; `[UInt8]` is `Array`.
    var extended: [String] {
        topLevel.compactMap { line in
            line.prefixMatch(of: #/extension (?:([\w.]+)|\[)/#).map { $0.1.map(String.init) ?? "Array" }
        }
    }

    /// Words that begin with a capital, in its code.
    var typeWords: Set<String> {
        Set(code.flatMap { line in line.matches(of: #/\b[A-Z]\w*/#).map { String($0.0) } })
    }
}
