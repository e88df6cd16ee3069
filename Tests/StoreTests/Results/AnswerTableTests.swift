import Books
import TestSupport
import Testing

@testable import Database
@testable import Services
@testable import Store
@testable import Syntax
@testable import System

@Suite struct AnswerTableTests {
    private static let form = AnswerFormat(service: "s", version: 1, decoderVersion: 3)
    private static let words = Array(String(repeating: "{} ", count: 200).utf8)

    private static func cached(_ answers: [ServiceKey: CachedAnswer]) -> [NewAnswer] {
        answers.map { NewAnswer(key: $0.key, cached: $0.value) }
    }

    @Test func `a cached answer is returned as stored, with later mismatches`() async throws {
        let folder = try TemporaryFolder()
        let store = try ResultsStore(folder.file("s.sqlite"))
        let cached: [ServiceKey: CachedAnswer] = [
            ServiceKey(.isbn, "1"): CachedAnswer(body: CachedBody(words: Self.words), fetchedAt: 5),
            ServiceKey(.isbn, "2"): CachedAnswer(
                body: CachedBody(words: Self.words), fetchedAt: 6, mismatches: 2),
            ServiceKey(.isbn, "3"): CachedAnswer(body: nil, fetchedAt: 7, mismatches: 3),
            ServiceKey(.title, "4"): CachedAnswer(body: nil, fetchedAt: 8),
        ]
        try await store.save(Self.cached(cached), in: Self.form)
        let keys = Array(cached.keys) + [ServiceKey(.isbn, "5")]
        #expect(try await store.cachedAnswers(in: Self.form, keys) == keys.map { cached[$0] })
        var other = Self.form
        other.version = 2
        #expect(try await store.cachedAnswers(in: other, keys).allSatisfy { $0 == nil })
    }

    @Test func `a decoded answer is returned without its response unless its decoder version differs`()
        async throws
    {
        let folder = try TemporaryFolder()
        let store = try ResultsStore(folder.file("s.sqlite"))
        let keys = ["1", "2", "3"].map { ServiceKey(.isbn, $0) }
        let decodedAnswers: [[UInt8]?] = [[1, 2, 3], [], nil]
        let new = zip(keys, decodedAnswers).map { key, decoded in
            NewAnswer(
                key: key,
                cached: CachedAnswer(
                    body: CachedBody(words: Self.words, decoded: decoded?[...]), fetchedAt: 5))
        }
        try await store.save(new, in: Self.form)
        let cached = try await store.cachedAnswers(in: Self.form, keys)
        #expect(cached.map { $0?.body?.decoded.map { Array($0) } } == decodedAnswers)
        #expect(cached.map { $0?.body?.words } == [nil, nil, Self.words])
        var newer = Self.form
        newer.decoderVersion = 4
        #expect(
            try await store.cachedAnswers(in: newer, keys).map { $0?.body } == [
                CachedBody(words: Self.words), CachedBody(words: Self.words), CachedBody(words: Self.words),
            ])
    }

    @Test func `a later mismatch is counted, and response and decoded answer stay`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("s.sqlite")
        let key = ServiceKey(.isbn, "1")
        do {
            let store = try ResultsStore(path)
            let body = CachedBody(words: Self.words, decoded: [7])
            try await store.save(
                [NewAnswer(key: key, cached: CachedAnswer(body: body, fetchedAt: 5))], in: Self.form)
            let before = try #require(try await store.cachedAnswers(in: Self.form, [key])[0])
            try await store.save(
                [NewAnswer(key: key, cached: .mismatch(after: before, at: 9))], in: Self.form)
        }
        let store = try ResultsStore(path)
        let cached = try await store.cachedAnswers(in: Self.form, [key])
        #expect(
            cached == [CachedAnswer(body: CachedBody(words: nil, decoded: [7]), fetchedAt: 5, mismatches: 1)])
        var other = Self.form
        other.decoderVersion = 0
        #expect(try await store.cachedAnswers(in: other, [key])[0]?.body?.words == Self.words)
    }

    @Test func `a confirmed answer gets a new date, and keeps response, decoded answer and validator`()
        async throws
    {
        let folder = try TemporaryFolder()
        let path = folder.file("s.sqlite")
        let key = ServiceKey(.isbn, "1")
        let validator = CacheValidator(etag: "\"x\"", modified: nil)
        do {
            let store = try ResultsStore(path)
            let body = CachedBody(words: Self.words, decoded: [7])
            let new = CachedAnswer(body: body, fetchedAt: 5, validator: validator)
            try await store.save([NewAnswer(key: key, cached: new)], in: Self.form)
            let before = try #require(try await store.cachedAnswers(in: Self.form, [key])[0])
            try await store.save([NewAnswer(key: key, cached: before.confirmed(at: 9))], in: Self.form)
        }
        let store = try ResultsStore(path)
        let cached = try #require(try await store.cachedAnswers(in: Self.form, [key])[0])
        #expect(cached.fetchedAt == 9 && cached.validator == validator && cached.body?.decoded == [7])
        var other = Self.form
        other.decoderVersion = 0
        #expect(try await store.cachedAnswers(in: other, [key])[0]?.body?.words == Self.words)
    }
}
