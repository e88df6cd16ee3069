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

    /// Types that other files can see: declared at the file's top level and not private.
    var types: [String] {
        code.compactMap { line in
            line.prefixMatch(
                of:
                    #/(?:(?:public|package|final|indirect|nonisolated) )*(?:struct|class|enum|actor|protocol|typealias) (\w+)/#
            )
            .map { String($0.1) }
        }
    }

    /// Everything it declares or extends, at whatever depth.
    var declarations: [String] {
        code.flatMap { line in
            line.matches(
                of: #/\b(?:struct|class|enum|actor|protocol|typealias|extension|func|let|var|case) ([\w.]+)/#
            )
            .flatMap { $0.1.split(separator: ".").map(String.init) }
        }
    }

    /// Words that begin with a capital, in its code.
    var typeWords: Set<String> {
        Set(code.flatMap { line in line.matches(of: #/\b[A-Z]\w*/#).map { String($0.0) } })
    }
}
