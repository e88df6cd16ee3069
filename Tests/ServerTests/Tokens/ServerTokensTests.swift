import System
import Testing

@testable import Server

@Suite struct ServerTokensTests {
    /// SHA-256 of `abc` and of `xyz`.
    private static let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    private static let xyz = "3608bca1e44ea6c4d268eb6db02260269892c0b42b86bbf1e77a6fa16c3c9282"

    @Test func `a file names tokens with their scopes and libraries`() throws {
        let text = """
            # our family

            anna \(Self.abc) search,import anna
            admin\t\(Self.xyz.uppercased())\tadmin\r
            """
        let tokens = try ServerTokens(parsing: text, named: "tokens")
        let anna = tokens.access("abc")
        #expect(anna.name == "anna" && anna.library == "anna")
        #expect(anna.has(.search) && anna.has(.import) && !anna.has(.admin))
        let admin = tokens.access("xyz")
        #expect(ServerTokens.Scope.allCases.allSatisfy { admin.has($0) })
        for wrong in [nil, "", "ab", Self.abc] { #expect(tokens.access(wrong) == .none) }
    }

    @Test func `without tokens everything is allowed`() {
        #expect(ServerTokens().access(nil) == .unrestricted)
    }

    @Test(arguments: [
        ("anna \(abc)", "tokens:1: the line has 2 words."),
        ("anna 1234 search", "tokens:1: the second word is not the SHA-256 of a token."),
        ("\n\nanna \(abc) search,all", "tokens:3: there is no scope `all`."),
        ("anna \(abc) search\nanna \(xyz) search", "tokens:2: the name `anna` occurs twice."),
    ])
    func `a line that cannot be read is an error with its number`(text: String, message: String) {
        #expect { try ServerTokens(parsing: text, named: "tokens") } throws: { error in
            (error as? ETLError)?.message == message
        }
    }
}
