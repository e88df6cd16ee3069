import System
import TestSupport
import Testing

@testable import Queries

/// A title in place of a key.
@Suite struct TitleMatchesTests {
    private static let titles = ["Dune", "Dune Messiah", "100% Wolf", "100 Wolves", "A_B", "AxB", "It"]

    private let store: FilledStore

    init() async throws {
        store = try FilledStore()
        let rows = Self.titles.enumerated().map { number, title in
            SmallLibrary.row(String(number), title, "Author \(number)", isbn: "")
        }
        try await store.importing(
            [([SmallLibrary.header] + rows).joined(separator: "\n") + "\n"], as: ["books.csv"], job: "first")
    }

    private func titles(_ text: String, exactly isExact: Bool = false, of library: String? = nil) throws
        -> [String]
    {
        try TitleMatches(text, exactly: isExact, of: library, in: try store.open()).matches.map(\.title)
    }

    @Test func `a whole title comes before its beginning, in either case`() throws {
        #expect(try titles("dune") == ["Dune"])
        #expect(try titles("DUNE M") == ["Dune Messiah"])
        #expect(try titles("dun") == ["Dune", "Dune Messiah"])
        #expect(try titles("dun", exactly: true).isEmpty)
    }

    @Test func `signs of patterns are letters`() throws {
        #expect(try titles("100%") == ["100% Wolf"])
        #expect(try titles("a_b") == ["A_B"])
        #expect(try titles("%").isEmpty && titles("\\").isEmpty && titles("").isEmpty)
    }

    @Test func `a beginning of one or two letters matches nothing, a whole title does`() throws {
        #expect(try titles("it") == ["It"])
        #expect(try titles("du").isEmpty)
    }

    @Test func `another library's titles stay unknown`() throws {
        #expect(try titles("dune", of: "default") == ["Dune"])
        #expect(try titles("dune", of: "other").isEmpty)
    }

    @Test func `only one match is taken, several are listed`() throws {
        let one = try TitleMatches("dune", exactly: true, of: nil, in: try store.open())
        #expect(one.only?.words == "Dune, Author 0")
        let two = try TitleMatches("dun", exactly: false, of: nil, in: try store.open())
        #expect(two.only == nil && !two.isCut)
        #expect(two.advice.map { "\($0)".contains("Dune, Author 0 (`") } == true)
    }

    @Test func `a list of matches ends`() async throws {
        let rows = (0..<20).map { SmallLibrary.row("9\($0)", "Echo \($0)", "Ann \($0)", isbn: "") }
        try await store.importing(
            [([SmallLibrary.header] + rows).joined(separator: "\n") + "\n"], as: ["more.csv"], job: "second")
        let many = try TitleMatches("echo", exactly: false, of: nil, in: try store.open())
        #expect(many.matches.count == TitleMatches.most && many.isCut)
    }
}
