import Foundation
import TestSupport
import Testing

@testable import CommandLineTool

/// Advice in backquotes is meant to be typed, so it must be a valid command line. Placeholders are in
/// capitals.
@Suite struct NamedAdviceTests {
    /// Commands mentioned as the origin of a file, not to be typed.
    private static let named: Set = ["etl catalog build"]

    private static let sources: [(path: String, text: String)] = {
        let root = "\(ProjectFiles.root)/Sources"
        let paths = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
        return paths.filter { $0.hasSuffix(".swift") }.sorted().map { path in
            (path, (try? String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)) ?? "")
        }
    }()

    /// The passages about advice: from each line with that word to the next line indented no deeper.
    private static func passages(of text: String) -> [String] {
        let lines = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
        func indent(_ line: Substring) -> Int { line.prefix { $0 == " " }.count }
        return lines.indices.compactMap { first in
            // The text before it says what happened.
            guard let start = lines[first].firstRange(of: "advice") else { return nil }
            let rest = lines[(first + 1)...].prefix { indent($0) > indent(lines[first]) }
            return ([lines[first][start.lowerBound...]] + rest).joined(separator: "\n")
        }
    }

    /// The joined literals of a passage, with a word in place of each interpolated value.
    private static func words(of passage: String) -> String {
        var joined = ""
        var (isText, depth) = (false, 0)
        var rest = passage[...]
        while let character = rest.popFirst() {
            switch character {
            case "\\" where isText && depth == 0 && rest.first == "(":
                // An interpolation after a word is a separate option or empty.
                if joined.last.map({ " `".contains($0) }) ?? true { joined += "X" }
                depth = 1
                rest = rest.dropFirst()
            case "\\" where isText && depth == 0: if let next = rest.popFirst() { joined.append(next) }
            case "(" where depth > 0: depth += 1
            case ")" where depth > 0: depth -= 1
            case "\"" where depth == 0: isText.toggle()
            case _ where isText && depth == 0: joined.append(character)
            default: break
            }
        }
        return joined
    }

    /// The commands in backquotes, without redirections and pipes.
    private static func commands(in text: String) -> [String] {
        let pieces = text.split(separator: "`", omittingEmptySubsequences: false)
        return pieces.enumerated().filter { $0.offset % 2 == 1 && $0.element.hasPrefix("etl ") }.map {
            String($0.element.prefix { !">|".contains($0) })
        }
    }

    @Test func `every command in advice can be typed`() {
        var seen = 0
        for (path, text) in Self.sources {
            for command in Set(Self.passages(of: text).flatMap { Self.commands(in: Self.words(of: $0)) }) {
                let line = command.split(separator: " ").dropFirst().map(String.init)
                // `etl COMMAND` and `etl X` stand for any command.
                guard !Self.named.contains(command), line.first?.contains(where: \.isLowercase) == true else {
                    continue
                }
                seen += 1
                #expect(throws: Never.self, "\(path): `\(command)`") {
                    _ = try ArgumentParser.parse(line, table: Commands.specs)
                }
            }
        }
        #expect(seen > 3, "only \(seen) commands were found")
    }

    @Test func `the literals of a passage are joined`() {
        let text = #"""
            throw Failure(
                "`etl nothing`", advice: "See `etl errors \(job.name(of: "x"))\(db)`, or "
                    + "`etl resume \(name) > f`.")
            let other = "`etl nothing`"
            """#
        let passages = Self.passages(of: text)
        #expect(
            passages.flatMap { Self.commands(in: Self.words(of: $0)) } == ["etl errors X", "etl resume X "])
    }
}
