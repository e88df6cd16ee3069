import Testing

@testable import Server

@Suite struct JobTokensTests {
    private static let hour: Int64 = 3_600_000
    private let secret = Secret()

    private func token(expiresAt: Int64 = 2 * hour, renewedAt: Int64? = nil) -> JobToken {
        JobToken(hash: Secret.hash(secret.text), job: "j", expiresAt: expiresAt, renewedAt: renewedAt)
    }

    @Test func `a token is valid for its job and its time`() {
        let tokens = JobTokens([token()])
        #expect(tokens.check(secret.text, for: "j", now: 0) == .valid)
        #expect(tokens.check(secret.text, for: "j", now: 2 * Self.hour - 1) == .valid)
        #expect(tokens.check(secret.text, for: "j", now: 2 * Self.hour) == .expired)
        #expect(tokens.check(secret.text, for: "other", now: 0) == .wrong)
        for wrong in ["", "x", Secret().text, secret.text + "x", String(secret.text.dropLast())] {
            #expect(tokens.check(wrong, for: "j", now: 0) == .wrong)
        }
    }

    @Test func `a token is renewed in its last thirty minutes only, and not after its end`() {
        var tokens = JobTokens([token()])
        #expect(tokens.renew(secret.text, of: "j", now: Self.hour) == nil)
        let renewed = tokens.renew(secret.text, of: "j", now: Self.hour + 31 * 60_000)
        #expect(renewed?.expiresAt == 3 * Self.hour + 31 * 60_000)
        #expect(tokens.check(secret.text, for: "j", now: 3 * Self.hour) == .valid)
        var late = JobTokens([token()])
        #expect(late.renew(secret.text, of: "j", now: 2 * Self.hour) == nil)
        #expect(late.renew("wrong", of: "j", now: 100 * 60_000) == nil)
    }

    @Test func `who was cut off during a renewal may come back for five minutes`() {
        let (fresh, renewed) = (JobTokens([token()]), JobTokens([token(renewedAt: Self.hour)]))
        let late = 2 * Self.hour + 4 * 60_000
        #expect(fresh.check(secret.text, for: "j", reconnects: true, now: late) == .expired)
        #expect(renewed.check(secret.text, for: "j", reconnects: true, now: late) == .valid)
        #expect(renewed.check(secret.text, for: "j", now: late) == .expired)
        #expect(renewed.check(secret.text, for: "j", reconnects: true, now: late + 60_000) == .expired)
    }

    @Test func `a job keeps its latest tokens only`() {
        var tokens = JobTokens()
        let secrets = (0..<10).map { _ in Secret() }
        for secret in secrets {
            tokens.add(JobToken(hash: Secret.hash(secret.text), job: "j", expiresAt: Self.hour))
        }
        let verdicts = secrets.map { tokens.check($0.text, for: "j", now: 0) }
        #expect(verdicts == [.wrong, .wrong] + [JobTokens.Verdict](repeating: .valid, count: 8))
        // Whoever has started a job reads its results for as long as they are kept.
        tokens.purge(keeping: ["j"], now: 2 * Self.hour)
        #expect(tokens.check(secrets[9].text, for: "j", now: 2 * Self.hour) == .expired)
        #expect(tokens.has(secrets[9].text, of: "j") && !tokens.has("x", of: "j"))
        tokens.purge(keeping: [], now: 2 * Self.hour)
        #expect(!tokens.has(secrets[9].text, of: "j"))
    }
}

@Suite struct SecretTests {
    @Test func `a secret has 256 random bits and needs no escape`() {
        let secrets = Set((0..<1_000).map { _ in Secret().text })
        #expect(secrets.count == 1_000)
        for secret in secrets {
            #expect(secret.utf8.count == 43)
            #expect(
                secret.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
        }
        // Each bit varies.
        let first = Set(secrets.map { $0.first })
        let last = Set(secrets.map { $0.last })
        #expect(first.count > 50 && last.count > 10)
    }

    @Test func `bytes are spelled as RFC 4648 says`() {
        for (text, spelled) in [
            ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy"),
        ] {
            #expect(Secret.spelled(Array(text.utf8)) == spelled)
        }
        #expect(Secret.spelled([0xFB, 0xFF, 0xFE]) == "-__-")
    }

    @Test func `hashes are compared as a whole`() {
        #expect(Secret.isEqual([1, 2, 3], [1, 2, 3]))
        #expect(!Secret.isEqual([1, 2, 3], [1, 2, 4]))
        #expect(!Secret.isEqual([0, 2, 3], [1, 2, 3]))
        #expect(!Secret.isEqual([1, 2], [1, 2, 3]))
    }
}
