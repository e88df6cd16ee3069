package import Books
import Bytes
import Contract
package import Queries
package import Services
import Sources
package import System

/// Asks services for books that neither the store nor a catalog has, while a client waits: the first one, and if it does
/// not have the book or does not answer, the others at once.
///
///     query ─▶ cached? ─▶ first service ─▶ the others ─▶ those that failed, again ─▶ nothing, or why
///     books ─▶ Wikidata ─▶ books with what is known about their authors
///
/// The services are asked through the same clients as those of a run, with the same limits, circuit breakers and
/// checks of their answers. A request that a caller has stopped waiting for goes on, and its answer is cached.
package final class ServiceSearch: Sendable {
    /// Result of a search.
    package enum Finding: Sendable {
        /// - Parameter isComplete: Whether nothing is missing that a service may still tell.
        case found([FoundBook], isComplete: Bool)
        /// All services have answered, and none has it.
        case nothing
        /// None has it so far, but a service has not answered.
        case unanswered(UnansweredService)
    }

    /// Pause before services are asked again that had no time for the question, in nanoseconds.
    private static let queuePause: UInt64 = 200_000_000

    /// The services of books, in the order in which they are asked.
    package let providers: [Provider]
    private let definitions: [ServiceDefinition]
    private let opened: OpenServices
    private let retry: RetryPolicy
    private let clock: any RunClock
    private let timeout: UInt64
    /// How long services are waited for before others are asked, in nanoseconds.
    private let turn: UInt64
    private let stop = StopSignal()
    private let observe: @Sendable ([ServiceReport]) -> Void

    /// Nil if no service of books is configured.
    ///
    /// - Parameters:
    ///   - cache: The answers so far.
    ///   - timeout: How long a search may take, in nanoseconds.
    ///   - turn: How long services are waited for before others are asked, in nanoseconds.
    ///   - observe: Called with the requests since the last call.
    package init?(
        _ settings: ServiceSettings, cache: any AnswerCache, clock: any RunClock, timeout: UInt64,
        turn: UInt64,
        observing observe: @escaping @Sendable ([ServiceReport]) -> Void = { _ in }
    ) {
        definitions = settings.ofBooks
        guard !definitions.isEmpty else { return nil }
        providers = definitions.compactMap { Provider(contractName: $0.name) }
        retry = settings.retry
        self.clock = clock
        self.timeout = timeout
        self.turn = turn
        self.observe = observe
        var settings = settings
        settings.firstWaitPolicy = .timeout(turn)
        settings.longestPause = timeout
        // The next service is asked instead of the same again.
        settings.retry = RetryPolicy(attempts: 1)
        opened = OpenServices(settings, cache: cache, clock: clock, stop: stop)
    }

    /// A service in a search.
    private struct Asked {
        let definition: ServiceDefinition
        /// Number of requests that failed.
        var failures = 0
        /// Why it has not answered; nil if it was not asked yet.
        var outcome: LookupOutcome?
        /// Whether it is not asked again.
        var isOver = false
    }

    /// Searches the services.
    ///
    /// - Parameter time: In which they are asked, in nanoseconds; nil for that of a search. The first one is asked in any
    ///   case, and a request that is under way is waited for a second at most.
    /// - Throws: If no request can be sent at all.
    package func find(_ query: SearchQuery, within time: UInt64? = nil) async throws(ETLError) -> Finding {
        let now = clock.nanoseconds()
        return try await withClients { clients throws(ETLError) in
            try await find(query, clients, until: now + (time ?? timeout), isShort: time != nil)
        }
    }

    /// The books, with what Wikidata has about authors of whom nothing about culture is known. It is waited for a second
    /// at most.
    ///
    /// - Returns: The books, and whether everything was answered.
    package func describingAuthors(
        of books: [FoundBook]
    ) async throws(ETLError) -> (books: [FoundBook], isComplete: Bool) {
        var people = FoundPeople(books)
        guard !people.isEmpty else { return (books, true) }
        return try await withClients { clients throws(ETLError) in
            let directory = CompositePersonDirectory([], services: clients.directories)
            let isComplete = try await people.identify(in: directory)
            observe(await opened.newReports())
            return (people.books, isComplete)
        }
    }

    private func withClients<Value: Sendable>(
        _ body: (ServiceClients) async throws(ETLError) -> Value
    ) async throws(ETLError) -> Value {
        let clients = try await opened.begin()
        do throws(ETLError) {
            let value = try await body(clients)
            await opened.end()
            return value
        } catch {
            await opened.end()
            throw error
        }
    }

    private func find(
        _ query: SearchQuery, _ clients: ServiceClients, until end: UInt64, isShort: Bool
    ) async throws(ETLError) -> Finding {
        // A client that waits for nothing else is told in time; one that has other books does not wait any longer.
        let turn = isShort ? 0 : turn
        var services = definitions.filter { query.isByISBN || $0.findsTitles }.map { Asked(definition: $0) }
        var result = Finding.nothing
        var round = 0
        while case .nothing = result, services.contains(where: { !$0.isOver }) {
            let began = clock.nanoseconds()
            guard !stop.isRaised, round == 0 || began + turn <= end else { break }
            // The first one alone: mostly it has the book, and each request counts against somebody's quota.
            let asked = round == 0 ? [0] : Self.next(services)
            let replies = try await ask(asked.map { services[$0].definition.name }, clients, query)
            if replies.isEmpty { break }
            for reply in replies {
                let place = asked[reply.place]
                note(reply.open, in: &services[place])
                if !reply.books.isEmpty, case .nothing = result {
                    result = .found(reply.books, isComplete: reply.open == nil)
                }
            }
            if case .nothing = result {
                await passOver(&services, clients, until: end)
                await rest(services, since: began, until: end)
            }
            round += 1
        }
        observe(await opened.newReports())
        if case .found = result {
            // The client may have the book looked up at once, by other clients of services.
            for service in services { await clients[service.definition.name]?.saveNow() }
            return result
        }
        guard let silent = services.first(where: { $0.outcome != nil || !$0.isOver }) else { return .nothing }
        return .unanswered(await Self.unanswered(silent, clients, now: clock.epochMilliseconds()))
    }

    /// Why a service has not answered.
    ///
    /// - Parameter now: Milliseconds since 1970.
    private static func unanswered(
        _ service: Asked, _ clients: ServiceClients, now: Int64
    ) async -> UnansweredService {
        let name = service.definition.name
        let resumeAt = await clients.resumption(of: name, after: now)
        var outcome = service.outcome ?? .queued
        // The request waits until the service may be asked again.
        if outcome == .queued, resumeAt != nil { outcome = .rateLimited }
        let status = await clients[name]?.metrics.failed[outcome]?.last.status
        return UnansweredService(name, outcome, status: status, resumeAt: resumeAt)
    }

    /// Gives up services that may not be asked before the search ends: their circuit breakers have opened, or they want a
    /// pause.
    private func passOver(
        _ services: inout [Asked], _ clients: ServiceClients, until end: UInt64
    ) async {
        let (now, passed) = (clock.epochMilliseconds(), clock.nanoseconds())
        let last = now + Int64(min(end > passed ? end - passed : 0, UInt64(Int64.max / 2)) / 1_000_000)
        for index in services.indices where !services[index].isOver && services[index].outcome != nil {
            let resumeAt = await clients.resumption(of: services[index].definition.name, after: now)
            guard let resumeAt, resumeAt > last else { continue }
            services[index].isOver = true
            if services[index].outcome != .rateLimited { services[index].outcome = .down }
        }
    }

    /// The places of the services that are asked next: those whose requests are under way only if nothing else is left.
    private static func next(_ services: [Asked]) -> [Int] {
        let left = services.indices.filter { !services[$0].isOver }
        let ready = left.filter { services[$0].outcome.map { $0 != .queued && $0 != .skipped } ?? true }
        return ready.isEmpty ? left : ready
    }

    /// Ends all searches, and begins no further ones.
    package func end() async {
        stop.raise()
        await opened.close()
    }

    /// Records that a service has no book, or why it has not answered.
    private func note(_ open: LookupOutcome?, in service: inout Asked) {
        service.outcome = open
        switch open {
        case nil: service.isOver = true
        // Its request is under way, or waits for its turn.
        case .queued, .skipped: break
        // A breaker is open, or a pause was asked for: both are longer than a client waits.
        case .down, .rateLimited, .stopped: service.isOver = true
        case let open?:
            service.failures += 1
            service.isOver = !open.isTransient || service.failures >= retry.attempts
        }
    }

    /// Pauses before the services that have failed are asked again.
    private func rest(_ services: [Asked], since began: UInt64, until end: UInt64) async {
        let left = services.filter { !$0.isOver }
        guard let failures = left.map(\.failures).max() else { return }
        // The first repetition is at once, because a client waits.
        var pause =
            failures < 2 ? 0 : retry.pause(afterFailed: failures - 1, jitter: Double.random(in: 0..<1)) ?? 0
        if left.contains(where: { $0.outcome == .queued || $0.outcome == .skipped }) {
            let passed = clock.nanoseconds() - began
            pause = passed < Self.queuePause ? Self.queuePause : 0
        }
        let now = clock.nanoseconds()
        guard pause > 0, now < end else { return }
        await stop.pause(nanoseconds: min(pause, end - now), on: clock)
    }

    // MARK: Answers

    /// Asks some services at the same time.
    ///
    /// - Returns: What they have replied, in their order.
    private func ask(_ names: [String], _ clients: ServiceClients, _ query: SearchQuery)
        async throws(ETLError)
        -> [Reply]
    {
        let replies = await withTaskGroup(of: Reply.self) { group in
            for (place, name) in names.enumerated() {
                guard let provider = clients.provider(name) else { continue }
                group.addTask {
                    do throws(ETLError) {
                        let (books, open) = try await self.ask(provider, query)
                        return Reply(place, books, open)
                    } catch {
                        return Reply(place, failure: error)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        if let failure = replies.lazy.compactMap(\.failure).first { throw failure }
        return replies.sorted { $0.place < $1.place }
    }

    /// The books of one service that fit, best first, and why it has not told everything.
    private func ask(_ provider: any BookProvider, _ query: SearchQuery) async throws(ETLError)
        -> (books: [FoundBook], open: LookupOutcome?)
    {
        var reader = CatalogBookReader(provider: provider.provider)
        guard case .isbn(let isbn) = query else {
            let found = try await provider.search(title: query.title, author: query.author)
            let books = Self.ranked(found.answers, for: query, &reader)
            return (books, found.outcome == .found ? nil : found.outcome)
        }
        let answers = try await provider.answer(BookQueries(queries: [.isbn(isbn)]))
        guard let answer = answers.answers.first else { return ([], nil) }
        var book = reader.book(answer, of: answers, score: 0, isMatchedByISBN: true)
        // The service's client has checked that the record has the ISBN. It need not be the record's first.
        guard book?.edition?.isbn13s.contains(isbn.isbn13) == true, book?.work.title.isEmpty == false else {
            return ([], answer.openOutcome)
        }
        book?.edition?.isbn13s.removeAll { $0 == isbn.isbn13 }
        book?.edition?.isbn13s.insert(isbn.isbn13, at: 0)
        return (book.map { [$0] } ?? [], answer.openOutcome)
    }

    /// The books that have the words of a query, best first. Of equally good ones, the service's order decides. Records
    /// with one ISBN are editions of one book.
    private static func ranked(
        _ answers: BookAnswers, for query: SearchQuery, _ reader: inout CatalogBookReader
    ) -> [FoundBook] {
        let typed = TypedQuery(title: query.title, author: query.author)
        var found: [FoundBook] = []
        for answer in answers.answers {
            func text(_ field: Field) -> String {
                answers.values[answer.values].filter { $0.field == field }.map { answers.arena[$0.value] }
                    .joined(separator: " ")
            }
            let score = typed.score(
                title: text(.title), subtitle: text(.subtitle), author: text(.authorName))
            guard let score,
                let book = reader.book(answer, of: answers, score: score, isMatchedByISBN: false),
                !book.work.title.isEmpty
            else { continue }
            found.append(book)
        }
        let sorted = found.enumerated().sorted { a, b in
            a.element.score != b.element.score ? a.element.score > b.element.score : a.offset < b.offset
        }
        var books: [FoundBook] = []
        var places: [String: Int] = [:]
        for book in sorted.map(\.element) {
            let keys = [book.work.id] + (book.edition?.isbn13s ?? []).map { "isbn:\($0)" }
            let place = keys.lazy.compactMap { places[$0] }.first ?? books.count
            if place < books.count { books[place].add(book) } else { books.append(book) }
            for key in keys where places[key] == nil { places[key] = place }
        }
        return books
    }
}

/// What a service has replied.
private final class Reply: Sendable {
    /// Its place in the list of those that were asked.
    let place: Int
    /// The books that fit, best first.
    let books: [FoundBook]
    /// Why it has not told everything; nil if it has.
    let open: LookupOutcome?
    /// Why nothing could be asked.
    let failure: ETLError?

    init(_ place: Int, _ books: [FoundBook] = [], _ open: LookupOutcome? = nil, failure: ETLError? = nil) {
        self.place = place
        self.books = books
        self.open = open
        self.failure = failure
    }
}
