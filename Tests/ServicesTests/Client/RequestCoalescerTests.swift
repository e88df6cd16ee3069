import Books
import System
import Testing

@testable import Services

/// The decisions of a client as events and actions: no tasks, no clock, no network.
@Suite struct RequestCoalescerTests {
    private static let day: Int64 = 86_400_000
    private static let now: Int64 = 1_700_000_000_000

    private func book(size: Int = 3, remembering limit: Int = 1_000) -> RequestCoalescer {
        RequestCoalescer(EchoService(size: size), linger: 10_000, remembering: limit, since: Self.now)
    }

    private func key(_ text: String, _ kind: ServiceKey.Kind = .isbn) -> ServiceKey { ServiceKey(kind, text) }

    private func words(_ text: String) -> CachedBody { CachedBody(words: Array(text.utf8)) }

    private func found(_ text: String) -> ServiceAnswer { .found(Array(text.utf8)[...]) }

    private func open(
        _ texts: [String], _ kind: ServiceKey.Kind = .isbn, cached: CachedAnswer? = nil,
        isHurried: Bool = false,
        at now: UInt64 = 0, in book: inout RequestCoalescer
    ) -> Int {
        book.openTicket(texts.map { (key($0, kind), cached) }, isHurried: isHurried, at: now)
    }

    /// The batches that are ready, each as its kind and its texts.
    private func readyBatches(_ book: inout RequestCoalescer, room: Int = 9, at now: UInt64 = 0) -> [String] {
        book.takeReadyBatches(atMost: room, at: now).batches
            .map { "\($0.kind.name) \($0.keys.map(\.text).joined(separator: ","))" }
    }

    // MARK: Tickets

    @Test func `callers that ask for the same key wait for the same answer, and nothing is requested twice`()
    {
        var book = book()
        let first = open(["a", "b", "c"], in: &book)
        let second = open(["b", "d"], in: &book)
        #expect(readyBatches(&book) == ["isbn a,b,c"])
        #expect(book.complete([(key("a"), words("a")), (key("b"), words("b"))], fetchedAt: 5).isEmpty)
        #expect(!book.isAnswered(first) && !book.isAnswered(second))
        #expect(book.complete([(key("c"), nil)], fetchedAt: 5) == [first])
        #expect(book.isAnswered(first) && !book.isAnswered(second))
        #expect(readyBatches(&book, at: 10_000) == ["isbn d"])
        #expect(book.complete([key("d")], open: .down) == [second])
        #expect(book.closeTicket(first, of: [key("a"), key("c")]) == [found("a"), .notFound])
        #expect(book.closeTicket(second, of: [key("b"), key("d")]) == [found("b"), .unanswered(.down)])
    }

    @Test func `a caller that stops waiting does not stop the request, and a new caller joins it`() {
        var book = book()
        let hasty = open(["a", "b", "c"], in: &book)
        #expect(readyBatches(&book).count == 1)
        _ = book.complete([(key("a"), words("a"))], fetchedAt: Self.now)
        #expect(book.closeTicket(hasty, of: ["a", "b", "c"].map { key($0) }) == [found("a"), nil, nil])
        // The request is under way: a new caller joins it.
        let patient = open(["b"], in: &book)
        #expect(readyBatches(&book, at: 500).isEmpty)
        #expect(book.complete([(key("b"), words("b")), (key("c"), nil)], fetchedAt: Self.now) == [patient])
        #expect(book.unsaved.count == 3)
    }

    @Test func `a hurried caller adds no keys to a long queue, a patient one does`() {
        var book = book()
        _ = open((0..<RequestCoalescer.queueLimit).map { "\($0)" }, in: &book)
        let hasty = open(["x", "0"], isHurried: true, in: &book)
        #expect(book.isAnswered(hasty))
        #expect(book.closeTicket(hasty, of: [key("x")]) == [.unanswered(.queued)])
        let patient = open(["x"], in: &book)
        #expect(!book.isAnswered(patient))
        // Other kinds have their own queues.
        #expect(!book.isAnswered(open(["x"], .work, isHurried: true, in: &book)))
        #expect(book.backlog.keys == RequestCoalescer.queueLimit + 2)
    }

    // MARK: Requests

    @Test func `full batches leave while there is room, starting with the kind that completes a record`() {
        var book = book()
        _ = open((0..<7).map { "\($0)" }, at: 10, in: &book)
        _ = open((0..<4).map { "t\($0)" }, .title, at: 20, in: &book)
        #expect(
            readyBatches(&book, room: 0, at: 20).isEmpty
                && book.takeReadyBatches(atMost: 0, at: 500).wakeAt == nil)
        #expect(readyBatches(&book, room: 2, at: 20) == ["title t0,t1,t2", "isbn 0,1,2"])
        #expect(book.backlog.keys == 11 && book.backlog.requests == 3)
        let dispatch = book.takeReadyBatches(atMost: 5, at: 20)
        #expect(dispatch.batches.map(\.keys.count) == [3])
        #expect(dispatch.wakeAt == 10_010, "the first batch that has waited long enough")
        book.endRequest(of: 3)
        #expect(book.backlog.keys == 8 && book.backlog.requests == 2)
        #expect(readyBatches(&book, at: 10_020) == ["title t3", "isbn 6"])
    }

    @Test func `a batch waits longer for more keys if the service is slow and no caller is in a hurry`() {
        var service = EchoService(size: 3)
        service.limits.rate = .init(perSecond: 3)
        var book = RequestCoalescer(service, linger: 10_000, remembering: 10, since: Self.now)
        _ = open(["a"], in: &book)
        #expect(book.takeReadyBatches(atMost: 1, at: 10_000).wakeAt == 999_999_000)
        #expect(readyBatches(&book, at: 999_999_000) == ["isbn a"])
        _ = open(["b"], isHurried: true, in: &book)
        #expect(readyBatches(&book, at: 10_000) == ["isbn b"])
        service.limits.rate = .init(perSecond: 0.1)
        book = RequestCoalescer(service, linger: 10_000, remembering: 10, since: Self.now)
        _ = open(["c"], in: &book)
        #expect(book.takeReadyBatches(atMost: 1, at: 10_000).wakeAt == 2_000_000_000)
    }

    @Test func `after a stop no more batches leave`() {
        var book = book()
        _ = open(["a", "b", "c", "d"], in: &book)
        book.discardOpenBatches()
        #expect(readyBatches(&book, at: 1_000).isEmpty && book.backlog.keys == 0)
    }

    // MARK: Mismatched answers

    @Test func `a mismatch counts against the earlier answer, and the key is not requested again`() {
        var book = book()
        let good = CachedAnswer(body: words("a"), fetchedAt: Self.now - 8 * Self.day)
        let ticket = open(["a"], cached: good, in: &book)
        #expect(book.receiveMismatch(key("a"), at: Self.now + 5) == [ticket])
        #expect(book.closeTicket(ticket, of: [key("a")]) == [.unanswered(.malformed)])
        let cached = book.unsaved[key("a")]
        #expect(cached == CachedAnswer(body: good.body, fetchedAt: good.fetchedAt, mismatches: 1))
        let known = book.known(of: [key("a")], cached: [cached], .noTimeout, at: Self.now + 9)
        #expect(known.answers == [.unanswered(.malformed)])
        #expect(known.missing == [0] && known.asked.isEmpty)
    }

    // MARK: Known answers

    @Test(
        arguments: [
            (.noTimeout, [1, 2, 3, 4]), (.timeout(1), [1, 2, 3, 4]), (.gapsOnly, [4]), (.cacheOnly, [3, 4]),
        ] as [(WaitPolicy, [Int])])
    func `fresh answers are known, and what is requested depends on the wait policy`(
        _ waitPolicy: WaitPolicy, _ asked: [Int]
    ) {
        var book = book()
        book.note(key("open"), .quota)
        let keys = ["fresh", "stale", "gone", "open", "new"].map { key($0) }
        let cached = [
            CachedAnswer(body: words("fresh"), fetchedAt: Self.now - Self.day),
            CachedAnswer(body: words("stale"), fetchedAt: Self.now - 9 * Self.day),
            CachedAnswer(body: nil, fetchedAt: Self.now - 2 * Self.day), nil, nil,
        ]
        let known = book.known(of: keys, cached: cached, waitPolicy, at: Self.now)
        #expect(known.answers[0] == found("fresh"))
        #expect(known.answers[3] == .unanswered(.quota) && known.answers[4] == .unanswered(.skipped))
        #expect(known.asked == asked)
        let takesAll = waitPolicy == .gapsOnly || waitPolicy == .cacheOnly
        #expect(known.missing == (takesAll ? [3, 4] : [1, 2, 3, 4]))
        #expect(known.answers[1] == (takesAll ? found("stale") : .unanswered(.skipped)))
        #expect(known.answers[2] == (takesAll ? .notFound : .unanswered(.skipped)))
    }

    @Test func `an answer that is not cached yet is known, and a newer one is not overwritten`() {
        var book = book()
        _ = open(["a"], in: &book)
        _ = book.complete([(key("a"), words("old"))], fetchedAt: Self.now)
        let before = book.unsaved
        _ = open(["a"], in: &book)
        _ = book.complete([(key("a"), words("new"))], fetchedAt: Self.now)
        book.noteSaved(before)
        let known = book.known(of: [key("a")], cached: [before[key("a")]], .noTimeout, at: Self.now)
        #expect(known.answers == [found("new")] && known.missing.isEmpty)
        book.noteSaved(book.unsaved)
        #expect(book.unsaved.isEmpty)
    }
}
