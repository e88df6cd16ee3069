import Foundation
import TestSupport
import Testing

@testable import etl

/// What advice has in backquotes is typed as it stands: it must be a command line. Placeholders are in capitals.
@Suite struct NamedAdviceTests {
    /// Commands that are named as what once wrote a file, and not to be typed.
    private static let named: Set = ["etl catalog build"]

    private static let sources: [(path: String, text: String)] = {
        let root = "\(ProjectFiles.root)/Sources"
        let paths = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
        return paths.filter { $0.hasSuffix(".swift") }.sorted().map { path in
            (path, (try? String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)) ?? "")
        }
    }()

    /// Lines from each that speaks of advice to the first that is indented no deeper.
    private static func passages(of text: String) -> [String] {
        let lines = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
        func indent(_ line: Substring) -> Int { line.prefix { $0 == " " }.count }
        return lines.indices.compactMap { first in
            // What stands before it tells what happened.
            guard let start = lines[first].firstRange(of: "advice") else { return nil }
            let rest = lines[(first + 1)...].prefix { indent($0) > indent(lines[first]) }
            return ([lines[first][start.lowerBound...]] + rest).joined(separator: "\n")
        }
    }

    /// The literals of a passage behind one another, a word in the place of each value: what it says.
    private static func words(of passage: String) -> String {
        var said = ""
        var (isText, depth) = (false, 0)
        var rest = passage[...]
        while let character = rest.popFirst() {
            switch character {
            case "\\" where isText && depth == 0 && rest.first == "(":
                // What is glued to a word is an option of its own, or nothing.
                if said.last.map({ " `".contains($0) }) ?? true { said += "X" }
                depth = 1
                rest = rest.dropFirst()
            case "\\" where isText && depth == 0: if let next = rest.popFirst() { said.append(next) }
            case "(" where depth > 0: depth += 1
            case ")" where depth > 0: depth -= 1
            case "\"" where depth == 0: isText.toggle()
            case _ where isText && depth == 0: said.append(character)
            default: break
            }
        }
        return said
    }

    /// The commands that a text has in backquotes, without what a shell would do with their output.
    private static func commands(in text: String) -> [String] {
        let pieces = text.split(separator: "`", omittingEmptySubsequences: false)
        return pieces.enumerated().filter { $0.offset % 2 == 1 && $0.element.hasPrefix("etl ") }.map {
            String($0.element.prefix { !">|".contains($0) })
        }
    }

    @Test func `every command that advice names can be typed`() {
        var seen = 0
        for (path, text) in Self.sources {
            for command in Set(Self.passages(of: text).flatMap { Self.commands(in: Self.words(of: $0)) }) {
                let line = command.split(separator: " ").dropFirst().map(String.init)
                // `etl COMMAND` and `etl X`: any command.
                guard !Self.named.contains(command), line.first?.contains(where: \.isLowercase) == true else {
                    continue
                }
                seen += 1
                #expect(throws: Never.self, "\(path): `\(command)`") {
                    _ = try ArgumentParser.parse(line, table: Commands.specs)
                }
            }
        }
        #expect(seen > 3, "only \(seen) were found")
    }

    @Test func `what a passage says is read as it is said`() {
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
