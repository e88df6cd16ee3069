import Testing

@testable import Server

@Suite struct SessionsTests {
    private let token = Secret.hash("abc")

    @Test func `a session is its token's until it ends`() {
        var sessions = Sessions()
        let (first, second) = (Secret(), Secret())
        sessions.begin(first, of: token, now: 0)
        sessions.begin(second, of: token, now: 1)
        #expect(sessions.token(of: first.text, now: Sessions.lifetime - 1) == token)
        #expect(sessions.token(of: first.text, now: Sessions.lifetime) == nil)
        #expect(sessions.token(of: "abc", now: 2) == nil, "the token itself is no session")
        sessions.end(first.text)
        #expect(sessions.token(of: first.text, now: 2) == nil)
        #expect(sessions.token(of: second.text, now: 2) == token)
        sessions.end { $0 == token }
        #expect(sessions.token(of: second.text, now: 2) == nil)
    }

    @Test func `a token has a limited number of sessions, and ended ones are forgotten`() {
        var sessions = Sessions()
        let ids = (0...Sessions.perToken).map { _ in Secret() }
        for (now, id) in ids.enumerated() { sessions.begin(id, of: token, now: Int64(now)) }
        #expect(sessions.count == Sessions.perToken)
        #expect(sessions.token(of: ids[0].text, now: 100) == nil)
        #expect(sessions.token(of: ids[1].text, now: 100) == token)
        sessions.begin(Secret(), of: Secret.hash("xyz"), now: Sessions.lifetime + 1_000)
        #expect(sessions.count == 1)
    }
}
