import Foundation
import Glibc
import Testing

/// Words of this project's own that were replaced by terms of the field. They must not come back.
@Suite struct WordsTests {
    /// A word, its replacement, and the places where it means something else.
    private struct Word {
        /// With letter case as in code and prose; a capital first letter is found, too.
        var spellings: [String]
        var replacement: String
        /// Paths, or beginnings of paths, with the reason.
        var allowed: [String: String] = [:]

        init(_ spellings: String..., replacement: String, allowed: [String: String] = [:]) {
            self.spellings = spellings
            self.replacement = replacement
            self.allowed = allowed
        }
    }

    private static let words = [
        Word("mended", "mend", "mends", replacement: "corrections, corrected"),
        Word(
            "FROM notices", "TABLE notices", "INTO notices", "`notices`", "\"notices\"", "notices:",
            replacement: "warnings"),
        Word("gist", replacement: "decoded answer"),
        Word("wrongs", replacement: "mismatches"),
        Word("fate", "fates", replacement: "outcome"),
        Word(
            "pace", replacement: "limiter, rate",
            allowed: [
                "Sources/Stages/Formats/Programs/StoryGraph.swift": "a column of StoryGraph",
                "Tests/FormatsTests/": "a column of StoryGraph", "docs/formats.md": "a column of StoryGraph",
                "Tests/ApplicationTests/Jobs/": "a column of StoryGraph",
                "Tests/Reference/generated_libraries.py": "a column of StoryGraph",
                "Tests/Snapshots/": "a column of StoryGraph",
            ]),
        Word("pacing", replacement: "schedule"),
        Word("patience", replacement: "timeout"),
        Word(
            "profile", "profiles", replacement: "format",
            allowed: [
                "Sources/Pipeline/Pipeline.docc/Decisions/": "a measurement of a program's functions",
                "Tests/ServerTests/Chromium.swift": "the folder of a browser's data",
                "Sources/Stages/Formats/Programs/EtlSpreadsheet.swift": "a column of earlier exports",
                "Tests/FormatsTests/Programs/EtlSpreadsheetTests.swift": "a column of earlier exports",
            ]),
        Word("recipe", "recipes", replacement: "stage factory"),
        Word("contribution", replacement: "content hash"),
        Word(
            "draft", "drafts", replacement: "pending upload, staged catalog, prepared row",
            allowed: [
                "Sources/Books/Matching/EnglishSpelling.swift": "a word of titles",
                "Sources/Application/Contract/Fields/Schema.swift": "a version of JSON Schema",
                "Tests/Reference/generated_libraries.py": "a word of titles",
            ]),
        Word("remnant", "remnants", replacement: "candidate"),
        Word(
            "stem", "stems", replacement: "body of an ISBN",
            allowed: [
                "Sources/Application/": "a file's name without its extension",
                "Sources/Books/Matching/EnglishSpelling.swift": "a word without its ending",
                "Sources/Stages/Formats/Rules/RuleProposal.swift": "a word without its ending",
            ]),
        Word(
            "OrderBook", "KeptOrder", "OrderRefusal", "FROM orders", "TABLE orders", "INTO orders",
            replacement: "queued job, job queue"),
        Word("KeptAnswer", replacement: "idempotency record"),
        Word(
            "the reader has set", "the reader has changed", "that the reader has", "the reader's own",
            "readers' own", "the reader asks", "the reader changes",
            "readerTitle", "readerAuthors", "readers_title", "case reader", "a reader's library",
            replacement: "user",
            allowed: [
                "Sources/Stages/Formats/Programs/EtlSpreadsheet.swift": "columns of earlier exports",
                "Tests/FormatsTests/Programs/EtlSpreadsheetTests.swift": "columns of earlier exports",
            ]),
        Word("StageFailure", replacement: "ETLError"),
    ]

    /// Endings of types, and what they are called instead.
    private static let endings = [
        "Tally": "Counts", "Figures": "Metrics", "Measures": "Metrics", "Meter": "Metrics",
        "Summary": "Report",
    ]
    /// Types that keep such an ending.
    private static let allowedTypes = ["JobSummary": "the contract calls it the summary of a job"]

    /// Data that other people's programs have written, or that stands for it; and this list.
    private static let skipped = [
        "Tests/Fixtures/", "Tests/Labelled/", "Tests/AppleStub/", "Pipelines/sample/",
        "Tests/RepositoryTests/WordsTests.swift",
    ]

    private static let texts: [(path: String, text: [CChar])] =
        (["Sources", "Tests", "docs", "Pipelines"]
        .flatMap { Tree.paths(under: $0) } + ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"])
        .filter { path in !path.hasSuffix(".tsv") && !skipped.contains { path.hasPrefix($0) } }
        .map { ($0, Array(text(of: $0).utf8CString)) }

    /// The changelog lists former names behind the rest.
    private static func text(of path: String) -> String {
        let text = Tree.text(path)
        guard path == "CHANGELOG.md", let end = text.range(of: "\n### Changed names") else { return text }
        return String(text[..<end.lowerBound])
    }

    @Test func `replaced words do not come back`() {
        for word in Self.words {
            let spellings = word.spellings + word.spellings.map { $0.prefix(1).uppercased() + $0.dropFirst() }
            for (path, text) in Self.texts where !word.allowed.keys.contains(where: path.hasPrefix) {
                for spelling in Set(spellings) {
                    for line in Self.lines(with: spelling, in: text) {
                        Issue.record("\(path):\(line) says \(spelling); the word is \(word.replacement)")
                    }
                }
            }
        }
    }

    @Test func `allowed words are still there`() {
        for word in Self.words {
            for path in word.allowed.keys {
                let isFound = Self.texts.contains { text in
                    text.path.hasPrefix(path)
                        && word.spellings.contains { spelling in
                            let capital = spelling.prefix(1).uppercased() + spelling.dropFirst()
                            return [spelling, capital].contains {
                                !Self.lines(with: $0, in: text.text).isEmpty
                            }
                        }
                }
                #expect(isFound, "\(path) no longer says \(word.spellings[0])")
            }
        }
    }

    @Test func `counts, metrics and reports have one word each`() {
        for file in Tree.sources {
            for name in file.types where Self.allowedTypes[String(name)] == nil {
                for (ending, instead) in Self.endings where name.hasSuffix(ending) {
                    Issue.record("\(file.path): \(name) ends in \(ending); the word is \(instead)")
                }
            }
        }
    }

    /// Numbers, from 1, of the lines with a word, alone or as a part of a name: `gist`, `gistVersion`, `aGist`.
    private static func lines(with word: String, in text: [CChar]) -> [Int] {
        let letters = Array(word.utf8)
        var found: [Int] = []
        text.withUnsafeBufferPointer { text in
            guard let start = text.baseAddress else { return }
            var from = start
            while let hit = strstr(from, word) {
                let at = UnsafePointer(hit) - start
                from = start + at + 1
                let before = at > 0 ? UInt8(bitPattern: text[at - 1]) : 0
                let after = UInt8(bitPattern: text[at + letters.count])
                // A word in small letters begins a name; one with a capital letter begins a part of it.
                if isLetter(before), isSmall(letters[0]) || !isLetter(letters[0]) { continue }
                if isSmall(after), isLetter(letters[letters.count - 1]) { continue }
                found.append(text[..<at].count { $0 == 10 } + 1)
            }
        }
        return found
    }

    private static func isSmall(_ byte: UInt8) -> Bool { byte >= 0x61 && byte <= 0x7A }
    private static func isLetter(_ byte: UInt8) -> Bool { isSmall(byte | 0x20) }
}
