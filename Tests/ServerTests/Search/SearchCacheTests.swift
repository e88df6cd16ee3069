import Testing

@testable import Server

@Suite struct SearchCacheTests {
    private static let day: Int64 = 86_400_000

    private static func key(_ text: String, _ kind: SearchKind = .title) -> SearchCache.Key {
        .init(kind: kind, text: text, limit: 20, shape: .full)
    }

    private static func entry(
        _ size: Int = 10, isEmpty: Bool = false, isComplete: Bool = true, at time: Int64 = 0,
        version: UInt64 = 1
    ) -> SearchCache.Entry {
        .init(
            data: [UInt8](repeating: 1, count: size), provider: "none", tag: "t", isEmpty: isEmpty,
            isComplete: isComplete, madeAt: time, version: version)
    }

    @Test func `an ISBN is kept for a week, everything else for a day`() {
        var cache = SearchCache(capacity: 1 << 20)
        cache.keep(Self.entry(), for: Self.key("a", .isbn))
        cache.keep(Self.entry(isEmpty: true), for: Self.key("b", .isbn))
        cache.keep(Self.entry(), for: Self.key("c"))
        #expect(cache.entry(Self.key("c"), now: Self.day - 1, version: 1) != nil)
        #expect(cache.entry(Self.key("c"), now: Self.day, version: 1) == nil)
        #expect(cache.entry(Self.key("b", .isbn), now: Self.day, version: 1) == nil)
        #expect(cache.entry(Self.key("a", .isbn), now: 7 * Self.day - 1, version: 1) != nil)
        #expect(cache.entry(Self.key("a", .isbn), now: 7 * Self.day, version: 1) == nil)
    }

    @Test func `an answer is used for five seconds after the store has changed`() {
        var cache = SearchCache(capacity: 1 << 20)
        cache.keep(Self.entry(), for: Self.key("a"))
        #expect(cache.entry(Self.key("a"), now: 4_999, version: 2) != nil)
        #expect(cache.entry(Self.key("a"), now: 5_000, version: 2) == nil)
        #expect(cache.entry(Self.key("a"), now: 5_000, version: 1) == nil, "it is forgotten")
    }

    @Test func `after a change an answer is made again before it is too old`() {
        #expect(!SearchCache.isAging(Self.entry(), now: 1_999, version: 2))
        #expect(SearchCache.isAging(Self.entry(), now: 2_000, version: 2))
        #expect(!SearchCache.isAging(Self.entry(), now: Self.day, version: 1), "the store is the same")
    }

    @Test func `an answer to which a service may still add is used as shortly, and made again as soon`() {
        var cache = SearchCache(capacity: 1 << 20)
        cache.keep(Self.entry(isComplete: false), for: Self.key("a"))
        #expect(cache.entry(Self.key("a"), now: 4_999, version: 1) != nil)
        #expect(cache.entry(Self.key("a"), now: 5_000, version: 1) == nil)
        #expect(!SearchCache.isAging(Self.entry(isComplete: false), now: 1_999, version: 1))
        #expect(SearchCache.isAging(Self.entry(isComplete: false), now: 2_000, version: 1))
    }

    @Test func `memory has a bound, and what is used stays`() {
        var cache = SearchCache(capacity: 1_000)
        cache.keep(Self.entry(100), for: Self.key("used"))
        for number in 0..<50 {
            cache.keep(Self.entry(100), for: Self.key("\(number)"))
            #expect(cache.entry(Self.key("used"), now: 0, version: 1) != nil)
            #expect(cache.size <= 1_000)
        }
        #expect(cache.entry(Self.key("0"), now: 0, version: 1) == nil)
        cache.keep(Self.entry(500), for: Self.key("huge"))
        #expect(cache.entry(Self.key("huge"), now: 0, version: 1) == nil)
    }

    @Test func `shape and limit are part of what is asked`() {
        var cache = SearchCache(capacity: 1_000)
        cache.keep(Self.entry(), for: Self.key("a"))
        var other = Self.key("a")
        other.limit = 5
        #expect(cache.entry(other, now: 0, version: 1) == nil)
        other = Self.key("a")
        other.shape = .books
        #expect(cache.entry(other, now: 0, version: 1) == nil)
    }
}
