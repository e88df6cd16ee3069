import Foundation

/// A Swift file and what can be found in it without a compiler.
struct SwiftFile: Sendable {
    /// Relative to the package's root: `Sources/Pipeline/Run/Runner.swift`.
    let path: String
    let lines: [Substring]
    /// The lines with comments and strings blanked; as many as ``lines``.
    let code: [Substring]
    private let text: String
    private let blanked: String

    init(_ path: String, _ text: String) {
        self.path = path
        self.text = text
        blanked = SwiftCode.blank(text)
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        code = blanked.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// Numbers, from 1, of the lines whose code contains a word. Files without it are skipped at once.
    func linesOfCode(with word: String) -> [Int] { Self.numbers(of: word, in: blanked, code) }

    /// Numbers, from 1, of the lines that contain a word anywhere.
    func lines(with word: String) -> [Int] { Self.numbers(of: word, in: text, lines) }

    private static func numbers(of word: String, in text: String, _ lines: [Substring]) -> [Int] {
        guard text.range(of: word, options: .literal) != nil else { return [] }
        return lines.indices.filter { lines[$0].contains(word) }.map { $0 + 1 }
    }

    /// The target of a file in Sources: `Formats` for `Sources/Stages/Formats/…`; empty if it is in none.
    var module: String {
        Tree.targets.first { path.hasPrefix($0.value.folder + "/") }?.key ?? ""
    }

    var folders: [Substring] { path.split(separator: "/").dropLast() }

    /// `Runner` for `Runner.swift`.
    var name: Substring { (path.split(separator: "/").last ?? "").prefix { $0 != "." } }

    /// The number of lines, without the empty one after the last line end.
    var lineCount: Int { lines.count - (lines.last == "" ? 1 : 0) }

    /// The modules it imports.
    var imports: [String] {
        // Patterns are slow, so only a few lines are matched.
        linesOfCode(with: "import ").compactMap { number in
            code[number - 1].wholeMatch(
                of:
                    #/\s*(?:@\w+ )?(?:(?:public|package|internal|private) )?import (?:(?:struct|func|enum|class) )?(\w+).*/#
            )
            .map { String($0.1) }
        }
    }

    /// Lines on which a top-level declaration may begin. Patterns are slow, so only these are matched.
    private var topLevel: [Substring] {
        code.filter {
            $0.utf8.first.map {
                $0 == UInt8(ascii: "@") || $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z")
            } ?? false
        }
    }

    /// Types that other files can see: declared at top level and not private.
    var types: [String] {
        topLevel.compactMap { line in
            line.prefixMatch(
                of:
                    #/(?:@\w+(?:\([^)]*\))? )*(?:(?:public|package|final|indirect|nonisolated) )*(?:struct|class|enum|actor|protocol|typealias) (\w+)/#
            )
            .map { String($0.1) }
        }
    }

    /// All types it declares, including nested and private ones.
    var allTypes: [String] {
        // Patterns are slow, so only a few lines are matched.
        let keywords = ["struct ", "class ", "enum ", "actor ", "protocol ", "alias "]
        return code.filter { line in keywords.contains { line.contains($0) } }.flatMap { line in
            line.matches(of: #/\b(?:struct|class|enum|actor|protocol|typealias) (\w+)/#).map { String($0.1) }
        }
    }

    /// The types it extends; `[UInt8]` is `Array`.
    var extended: [String] {
        topLevel.compactMap { line in
            line.prefixMatch(of: #/extension (?:([\w.]+)|\[)/#).map { $0.1.map(String.init) ?? "Array" }
        }
    }

    /// All names in its code: types, functions, variables, labels, keywords.
    var words: Set<String> {
        let words = blanked.utf8.split { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                false
            default: true
            }
        }
        return Set(words.map { String($0) ?? "" })
    }

    /// The capitalized words in its code.
    var typeWords: Set<String> { words.filter { $0.first?.isUppercase ?? false } }

    /// All names it declares: functions, variables, constants, cases, types.
    var declared: [String] { code.flatMap(Self.declarations) }

    /// Names that its extensions add to types and that other files can use.
    var extensionMembers: [String] {
        var members: [String] = []
        var isExtension = false
        for line in code {
            if let first = line.utf8.first, first != UInt8(ascii: " "), first != UInt8(ascii: "}") {
                isExtension = line.contains(#/^(?:@\w+ )*extension /#)
            }
            guard isExtension, line.hasPrefix("    "), !line.hasPrefix("     "), !line.contains("private ")
            else { continue }
            members += Self.declarations(line)
        }
        return members
    }

    private static func declarations(_ line: Substring) -> [String] {
        // Patterns are slow, so only a few lines are matched.
        let keywords = [
            "func ", "var ", "let ", "case ", "struct ", "class ", "enum ", "actor ", "protocol ", "alias ",
        ]
        guard keywords.contains(where: line.contains) else { return [] }
        return line.matches(
            of: #/\b(?:func|var|let|case|struct|class|enum|actor|protocol|typealias) `?(\w+)/#
        ).map { String($0.1) }
    }
}
