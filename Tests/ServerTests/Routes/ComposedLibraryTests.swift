import Database
import Foundation
import Store
import TestSupport
import Testing

@testable import Server

/// Names of libraries with letters that Unicode writes in two ways: they name one library.
@Suite(.ownThread) struct ComposedLibraryTests {
    private static let (joined, apart) = ("jos\u{E9}", "jose\u{301}")
    /// Tokens `abc` and `def` of the two spellings, and `ghi` of an administrator.
    private static let tokens = """
        one ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad search,import \(joined)
        two cb8379ac2098aa165029e3938a51da0bcecfc008fd6795f401178647f96c5b34 search,import \(apart)
        root 50ae61e841fac4e8f9e40baf2ad36ec868922ea48368c18f9535e47db56dd7fb admin
        """

    private static func libraries(_ running: RunningServer) throws -> [[UInt8]] {
        let rows = try StoreFile.openForReading(running.store).query(
            "SELECT name FROM libraries ORDER BY name")
        var names: [[UInt8]] = []
        while try rows.next() { names.append(Array(rows.string(0).utf8)) }
        return names
    }

    @Test func `tokens whose libraries differ only in composition have one library`() async throws {
        let running = try await RunningServer(tokens: try ServerTokens(parsing: Self.tokens, named: "tokens"))
        for (token, table) in [
            ("def", "Title,Author,ISBN\nReef,Ana Lee,9780306406157\n"),
            ("abc", "Title,Author\nCove,Ida Ray\n"),
        ] {
            let browser = try PageBrowser(running, token: token)
            _ = try browser.done(try browser.importFile(table))
        }
        #expect(try Self.libraries(running) == [Array(Self.joined.utf8)])
        for token in ["abc", "def"] {
            let fields = [("Authorization", "Bearer \(token)")]
            let found = try running.request("GET", "/v1/search/isbn?isbn=9780306406157", fields)
            #expect(found.text.contains("Reef"))
            for path in ["/page/library", "/page/export", "/page/book?id=9780306406157"] {
                #expect(try running.client().request("GET", path, fields).text.contains("Reef"), "\(path)")
            }
        }
        await running.server.stop()
    }

    @Test func `the library of a form and of a page is named in either way`() async throws {
        let running = try await RunningServer(tokens: try ServerTokens(parsing: Self.tokens, named: "tokens"))
        let fields = [("Authorization", "Bearer ghi")]
        let answer = try running.upload("Title\nReef\n", fields: [("library", Self.apart)], headers: fields)
        let (job, token) = try answer.acceptedJob()
        try running.wait(for: job, token)
        #expect(try Self.libraries(running) == [Array(Self.joined.utf8)])
        for name in ["jos%C3%A9", "jose%CC%81"] {
            let page = try running.client().request("GET", "/page/library?library=\(name)", fields)
            #expect(page.text.contains("Reef"), "\(name)")
        }
        await running.server.stop()
    }
}
