import Foundation
import System
import TestSupport
import Testing

@testable import Server

@Suite struct TokenFileTests {
    private let folder: TemporaryFolder
    private let file: TokenFile

    init() throws {
        folder = try TemporaryFolder()
        file = TokenFile(folder.file("tokens"))
    }

    private func token(_ name: String, _ end: TokenLine.End = .never) -> TokenLine {
        TokenLine(name: name, Secret(), scopes: [.search], library: nil, end: end)
    }

    private var text: String { get throws { try String(contentsOfFile: file.path, encoding: .utf8) } }

    private var mode: Int? {
        get throws {
            try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        }
    }

    private func kind(_ change: () throws -> Void) -> ETLError.Kind? {
        do { try change() } catch { return (error as? ETLError)?.kind }
        return nil
    }

    @Test func `a new file is for its owner only, and keeps the permissions that it is given`() throws {
        try file.add(token("anna"), now: 0)
        #expect(try mode == 0o600)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
        try file.add(token("bert"), now: 0)
        #expect(try mode == 0o640)
        #expect(try file.read().lines.map(\.name) == ["anna", "bert"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["tokens"])
    }

    @Test func `comments and other lines stay`() throws {
        _ = try folder.write("# ours\n\n\(token("anna").text)\n", to: "tokens")
        let before = try text
        try file.add(token("bert"), now: 0)
        #expect(try text.hasPrefix(before))
        try file.revoke("bert")
        #expect(try text.hasPrefix(before) && text.hasSuffix("- revoked\n"))
        #expect(try file.read().lines.map(\.end) == [.never, .revoked])
    }

    @Test func `a name is free when its token has ended`() throws {
        try file.add(token("anna"), now: 0)
        let new = token("anna")
        #expect(kind { try file.add(new, now: 0) } == .usage)
        try file.revoke("anna")
        try file.add(new, now: 0)
        #expect(try file.read().lines == [new])
        #expect(kind { try file.revoke("bert") } == .missing)
    }

    @Test func `what cannot be used changes nothing`() throws {
        #expect(kind { try file.revoke("anna") } == .missing)
        #expect(!FileManager.default.fileExists(atPath: file.path))
        _ = try folder.write("anna 12\n", to: "tokens")
        #expect(kind { try file.add(token("bert"), now: 0) } == .configuration)
        #expect(try text == "anna 12\n")
    }

    @Test func `a change is noticed once, and a damaged file is reported once`() throws {
        try file.add(token("anna"), now: 0)
        let seen = Guarded<[ETLError.Kind?]>([])
        let tokens = try file.read()
        let authentication = Authentication(tokens, clock: ManualClock())
        let watched = WatchedTokens(file) { failure in seen.withLock { $0.append(failure?.kind) } }
        func look() -> [ETLError.Kind?] {
            for _ in 0..<2 { watched.look(for: authentication) }
            return seen.withLock { $0 }
        }
        #expect(look() == [])
        try file.add(token("bert"), now: 0)
        #expect(look() == [nil])
        _ = try folder.write("anna\n", to: "tokens")
        #expect(look() == [nil, .configuration])
        _ = try folder.write("", to: "tokens")
        #expect(look() == [nil, .configuration, .configuration])
        try FileManager.default.removeItem(atPath: file.path)
        #expect(look() == [nil, .configuration, .configuration, .missing])
        #expect(authentication.signIn("x").access.name == nil, "the server still needs tokens")
    }
}
