import Foundation
import Testing

@testable import BooksTrack

@Suite struct TokenLifetimeTests {
    private static func at(_ minutes: Double) -> Date { Date(timeIntervalSince1970: minutes * 60) }

    private func end(_ heard: [Double?]) -> Date {
        var token = TokenLifetime(end: Self.at(120))
        for minutes in heard {
            if let minutes { token.hear(at: Self.at(minutes)) } else { token.disconnect() }
        }
        return token.end
    }

    @Test func `a token is renewed in its last half hour, for two hours`() {
        #expect(end([0, 30, 60, 89.9]) == Self.at(120))
        #expect(end([0, 30, 60, 91]) == Self.at(210))
        #expect(end([100, 101]) == Self.at(220))
    }

    @Test func `it is renewed again and again while its holder is connected`() {
        #expect(end(stride(from: 0, through: 400, by: 0.5).map { $0 }) == Self.at(120 + 4 * 90))
    }

    @Test func `a connection that is too short for the service to look does not count`() {
        #expect(end([100, 100.5, nil, 101.2, 101.7]) == Self.at(120))
    }

    @Test func `a token that has ended stays so`() {
        #expect(end([120, 122, 130]) == Self.at(120))
    }
}
