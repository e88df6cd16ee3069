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
        let anna = tokens.access("abc", now: 0)
        #expect(anna.name == "anna" && anna.library == "anna")
        #expect(anna.has(.search) && anna.has(.import) && !anna.has(.admin))
        let admin = tokens.access("xyz", now: 0)
        #expect(ServerTokens.Scope.allCases.allSatisfy { admin.has($0) })
        for wrong in [nil, "", "ab", Self.abc] { #expect(tokens.access(wrong, now: 0) == .none) }
    }

    @Test func `without tokens everything is allowed`() {
        #expect(ServerTokens().access(nil, now: 0) == .unrestricted)
    }

    /// 1 February 2027, 0:00 UTC.
    private static let february: Int64 = 1_801_440_000_000

    @Test func `a token that has ended grants nothing, and only its holder learns why`() throws {
        let tokens = try ServerTokens(
            parsing: "anna \(Self.abc) search - 2027-01-31\nbert \(Self.xyz) admin bert revoked",
            named: "tokens")
        #expect(tokens.access("abc", now: Self.february - 1).name == "anna")
        #expect(tokens.access("abc", now: Self.february - 1).library == nil)
        let expired = tokens.access("abc", now: Self.february)
        #expect(expired.refusal == .expired && expired.name == nil && !expired.has(.search))
        let revoked = tokens.access("xyz", now: 0)
        #expect(revoked.refusal == .revoked && !revoked.has(.admin))
        #expect(tokens.access("abd", now: Self.february) == .none)
        #expect(!tokens.isEmpty, "a file of ended tokens does not open the server")
    }

    @Test(arguments: [
        "anna \(abc) import,search", "anna \(abc) admin anna", "anna \(abc) search - 2027-01-31",
        "anna \(abc) search anna 2027-01-31", "anna \(abc) search - revoked",
    ])
    func `a line is written as it was read`(line: String) throws {
        #expect(try TokenLine(Substring(line))?.text == line)
    }

    @Test(arguments: [
        ("anna \(abc)", "tokens:1: the line has 2 words."),
        ("anna \(abc) search - 2027-02-29", "tokens:1: `2027-02-29` is not a date such as 2027-01-31."),
        ("anna \(abc) search - 2027", "tokens:1: `2027` is not a date such as 2027-01-31."),
        (
            "anna \(abc) search \(String(repeating: "x", count: 65))",
            "tokens:1: the name of the library has more than 64 characters."
        ),
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
