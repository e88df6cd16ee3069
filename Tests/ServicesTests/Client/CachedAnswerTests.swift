import Books
import System
import TestSupport
import Testing

@testable import Database
@testable import Services
@testable import Store

/// Lifetime of a service's answer.
@Suite struct CachedAnswerTests {
    private static let now: Int64 = 1_700_000_000_000
    private static let day: Int64 = 86_400_000

    @Test(
        arguments: [
            (.isbn, true, 7), (.title, true, 1), (.nameItems, true, 1), (.isbn, false, 1),
        ] as [(ServiceKey.Kind, Bool, Int64)])
    func `an answer is fresh for a number of days, even if the clock was set back`(
        _ kind: ServiceKey.Kind, _ isFound: Bool, _ days: Int64
    ) {
        func isFresh(age: Int64) -> Bool {
            let body = isFound ? CachedBody(words: [1]) : nil
            return CachedAnswer(body: body, fetchedAt: Self.now - age).isFresh(kind, at: Self.now)
        }
        #expect(isFresh(age: 0) && isFresh(age: days * Self.day - 1))
        #expect(!isFresh(age: days * Self.day))
        for back in [1, Self.day, 365 * Self.day] { #expect(isFresh(age: -back)) }
    }

    @Test func `exactly the answers that are not fresh are deleted as stale`() throws {
        let folder = try TemporaryFolder()
        let store = folder.file("s.sqlite")
        let connection = try StoreFile.openForWriting(store)
        for age in [-365 * Self.day, -1, 0, 7 * Self.day - 1, 7 * Self.day] {
            try connection.execute(
                """
                INSERT INTO answers(service, key, version, fetched_at, body)
                VALUES ('openlibrary', 'isbn:\(age)', 1, \(Self.now - age), x'01')
                """)
        }
        #expect(try CachedAnswers.purge(store, service: nil, onlyStale: true, now: Self.now) == 1)
        #expect(try connection.integer("SELECT count(*) FROM answers") == 4)
    }
}
