import System
import TestSupport
import Testing

@testable import Formats

/// Rules that are proposed for what rows say.
@Suite struct RuleProposalTests {
    private static func counts(_ rows: [RuleCounts.Row]) -> RuleCounts {
        var counts = RuleCounts()
        for row in rows { counts.add(row) }
        return counts
    }

    private static func row(
        _ status: String = "", _ tags: [String] = [], rating: String = "", isRead: Bool = true,
        by people: [String] = [], format: String = "generic"
    ) -> RuleCounts.Row {
        var row = RuleCounts.Row(formatName: format)
        (row.status, row.tags, row.people) = (status, tags, people)
        (row.rating, row.isRatingRead) = (rating, isRead)
        return row
    }

    private static func proposal(_ rows: [RuleCounts.Row]) throws -> RuleProposal {
        let proposal = RuleProposal(counts(rows))
        // The proposal is a file of rules, also with everything that is not certain.
        _ = try MappingRules(Array(proposal.text.utf8), named: "proposed.yaml")
        let all = proposal.text.replacing(#/(?m)^(\s*)#(?! )/#) { $0.1 }
        if !all.contains("STARS") { _ = try MappingRules(Array(all.utf8), named: "all.yaml") }
        return proposal
    }

    private static func rules(_ rows: [RuleCounts.Row]) throws -> (certain: [String], uncertain: [String]) {
        let proposal = try proposal(rows)
        let lines = proposal.shelves + proposal.ratings + proposal.authors
        return (lines.filter(\.isCertain).map(\.rule), lines.filter { !$0.isCertain }.map(\.rule))
    }

    @Test(arguments: ["abandoned", "dnf", "DNF", "did-not-finish", "abgebrochen", "On Hold"])
    func `a shelf that says that reading has ended is a status`(name: String) throws {
        let status = name == "On Hold" ? "paused" : "did-not-finish"
        let found = try Self.rules([Self.row("read", [name]), Self.row("", [name])])
        #expect(found.certain == ["\(name): {status: \(status)}"] && found.uncertain == [])
        // A book to be read may have been given up before.
        let doubtful = try Self.rules([Self.row("to-read", [name])])
        #expect(doubtful.certain == [] && doubtful.uncertain == found.certain)
    }

    @Test func `a status in other words is certain, and one that says nothing is not`() throws {
        let found = try Self.rules([Self.row("abandoned"), Self.row("Referenz")])
        #expect(found.certain == ["abandoned: {status: did-not-finish}"])
        #expect(found.uncertain == ["Referenz: {tag: Referenz}"])
    }

    @Test func `a shelf with a year stays a tag, and is not certain`() throws {
        let found = try Self.rules([
            Self.row("read", ["tbr-2024"]), Self.row("to-read", ["tbr-2024", "to-read"]),
        ])
        #expect(found.certain == [])
        #expect(found.uncertain == ["tbr-2024: {status: to-read, tag: tbr-2024}"])
    }

    @Test(arguments: ["wishlist", "own", "finished", "sub", "stopped"])
    func `words with other meanings are not certain`(name: String) throws {
        #expect(try Self.rules([Self.row("paused", [name])]).certain == [])
        #expect(try Self.rules([Self.row("paused", [name])]).uncertain.count == 1)
    }

    @Test func `nothing is proposed for shelves that say what is known`() throws {
        let rows = [
            Self.row("to-read", ["to-read", "owned"]), Self.row("read", ["read", "finished", "to-read"]),
        ]
        #expect(try Self.rules(rows).certain == [])
        #expect(try Self.rules([Self.row("read", ["finished", "fantasy"])]).uncertain == [])
    }

    @Test func `spellings of a shelf become the most frequent one`() throws {
        let found = try Self.rules([
            Self.row("", ["sci-fi", "novel"]), Self.row("", ["sci-fi"]), Self.row("", ["SciFi", "novels"]),
            Self.row("", ["Sci Fi", "novels"]), Self.row("", ["news"]), Self.row("", ["new"]),
            Self.row("", ["glass"]),
        ])
        #expect(found.certain == ["\"sci-fi, SciFi\": {tag: sci-fi}"])
        #expect(found.uncertain.sorted() == ["news: {tag: new}", "novel: {tag: novels}"])
    }

    @Test func `ratings above five are on another scale if there are enough of them`() throws {
        let above = Self.row("", [], rating: "8", isRead: false)
        #expect(
            try Self.rules([above, above, above, Self.row("", [], rating: "4")]).certain == ["scale: 10"])
        #expect(try Self.rules([above, Self.row("", [], rating: "4")]).uncertain == ["scale: 10"])
        let percent = Self.row("", [], rating: "85", isRead: false)
        #expect(try Self.rules([percent, percent, above]).certain == ["scale: 100"])
        let program = Self.row("", [], rating: "9", isRead: false, format: "goodreads")
        #expect(
            try Self.rules([program, program, program]).uncertain
                == ["scale: 10", "formats: [goodreads]"])
        let words = try Self.proposal([Self.row("", [], rating: "loved it!", isRead: false)])
        #expect(words.words.map(\.rule) == ["\"loved it!\": STARS"])
    }

    @Test func `authors in several spellings get the one with accents, or the most frequent one`() throws {
        let found = try Self.rules([
            Self.row(by: ["J. R. R. Tolkien"]), Self.row(by: ["J. R. R. Tolkien", "Gabriel Garcia Marquez"]),
            Self.row(by: ["JRR Tolkien"]), Self.row(by: ["Gabriel García Márquez"]),
            Self.row(by: ["Gabriel Garcia Marquez"]),
            Self.row(by: ["Harper Lee"]), Self.row(by: ["Harper Lee"]), Self.row(by: ["Lee Harper"]),
        ])
        #expect(
            found.certain.sorted() == [
                "Gabriel Garcia Marquez: Gabriel García Márquez", "JRR Tolkien: J. R. R. Tolkien",
            ])
        #expect(found.uncertain == ["Lee Harper: Harper Lee"])
    }

    @Test func `names with any signs give a file that can be read`() throws {
        let names = [
            "a: b", "# x", "\"q\"", "\\", "{x}", "- y", "null", "é", "☃", "x\ny", "'", "%", "&a", "*", "?",
            "\u{202E}z", "no", "1", "@", "!t", "x #y", ">", "|", "drop", String(repeating: "w", count: 600),
        ]
        var rows = names.map {
            Self.row($0, [$0 + " 1", "S " + $0, "s-" + $0], by: [$0 + " b", "B, " + $0])
        }
        rows += names.map { Self.row("", ["S" + $0], by: ["b " + $0, $0 + " B"]) }
        rows += names.map { Self.row("", [], rating: "x" + $0, isRead: false) }
        #expect(try Self.proposal(rows).counts.uncertain > 0)
    }

    @Test func `what rules say is not proposed again`() throws {
        let rows = [
            Self.row("abandoned", ["Sci-Fi"], by: ["A. B. Cee"]), Self.row("", ["scifi"], by: ["AB Cee"]),
        ]
        let proposal = try Self.proposal(rows)
        #expect(proposal.counts.certain == 3)
        let known = try MappingRules(Array(proposal.text.utf8), named: "r.yaml")
        let rest = RuleProposal(Self.counts(rows), besides: known).counts
        #expect(rest.certain == 0 && rest.uncertain == 0)
    }

    @Test func `the order of rows makes no difference`() throws {
        let rows = (0..<60).map { number in
            Self.row(
                ["", "read", "x"][number % 3], ["a-\(number % 7)", "A \(number % 5)"],
                by: ["P. Q. N\(number % 4)", "PQ N\(number % 3)"])
        }
        #expect(try Self.proposal(rows).text == Self.proposal(rows.reversed()).text)
    }
}
