import Foundation

/// A Swift file and what can be told of it without a compiler.
struct SwiftFile: Sendable {
    /// From the package's root: `Sources/Pipeline/Run/Runner.swift`.
    let path: String
    let lines: [Substring]
    /// The lines with comments and the words of strings blanked out; as many as ``lines``.
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

    /// Numbers, from 1, of the lines whose code has a word. Few files have: the rest are passed over at once.
    func linesOfCode(with word: String) -> [Int] { Self.numbers(of: word, in: blanked, code) }

    /// Numbers, from 1, of the lines that have a word anywhere.
    func lines(with word: String) -> [Int] { Self.numbers(of: word, in: text, lines) }

    private static func numbers(of word: String, in text: String, _ lines: [Substring]) -> [Int] {
        guard text.range(of: word, options: .literal) != nil else { return [] }
        return lines.indices.filter { lines[$0].contains(word) }.map { $0 + 1 }
    }

    /// The module that a file of Sources belongs to: `BookBatch` of `Sources/Stages/Books/…`, `etl` of `Sources/etl/…`.
    var module: String {
        let folders = folders.dropFirst()
        return String((folders.first == "Stages" ? folders.dropFirst().first : folders.first) ?? "")
    }

    var folders: [Substring] { path.split(separator: "/").dropLast() }

    /// `Runner` of `Runner.swift`.
    var name: Substring { (path.split(separator: "/").last ?? "").prefix { $0 != "." } }

    /// Lines of the file, the empty one after its last line end not counted.
    var lineCount: Int { lines.count - (lines.last == "" ? 1 : 0) }

    /// Modules it imports.
    var imports: [String] {
        // A pattern is slow, so it sees few lines.
        linesOfCode(with: "import ").compactMap { number in
            code[number - 1].wholeMatch(
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

    /// Names of its code: types, functions, variables, labels, keywords.
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

    /// Words that begin with a capital, in its code.
    var typeWords: Set<String> { words.filter { $0.first?.isUppercase ?? false } }

    /// Names that it declares anywhere: functions, variables, constants, cases, types.
    var declared: [String] { code.flatMap(Self.declarations) }

    /// Names that its extensions give to types, and that other files can use.
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
        // A pattern is slow, so it sees few lines.
        let keywords = [
            "func ", "var ", "let ", "case ", "struct ", "class ", "enum ", "actor ", "protocol ", "alias ",
        ]
        guard keywords.contains(where: line.contains) else { return [] }
        return line.matches(
            of: #/\b(?:func|var|let|case|struct|class|enum|actor|protocol|typealias) `?(\w+)/#
        ).map { String($0.1) }
    }
}
