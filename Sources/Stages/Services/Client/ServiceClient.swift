package import Pipeline

/// The desk at which one service is asked: everything that asks it in a run goes through here.
///
///     ask ─▶ kept? ─▶ already asked for? ─▶ gathered into a batch ─▶ one request (BatchRequest) ─▶ kept ─▶ all who wait
///
/// A key is asked for once, however many want it and whenever; answers that come after those who asked have gone
/// are kept for the next who asks.
package actor ServiceClient {
    package nonisolated let service: any Service
    package nonisolated let tools: ClientDependencies
    nonisolated let line: AdmissionQueue

    /// Nanoseconds within which answers are kept: what a kill loses at the most.
    private static let keepingDelay: UInt64 = 50_000_000

    private var book: RequestCoalescer
    /// Those who wait for their tickets.
    private var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    private var inFlight: [Int: Task<Void, Never>] = [:]
    /// Milliseconds since 1970 until which an errand waits for leave to ask.
    private var pausedUntil: Int64?
    private var nextRequest = 0
    private var lingering: Task<Void, Never>?
    private var watch: Task<Void, Never>?
    private var keeping: Task<Void, Never>?
    private var keepingFailure: StageFailure?
    private var isClosed = false

    private var health = ServiceHealth()
    /// What the run had to do with the service so far.
    package private(set) var metrics = ServiceMetrics()

    package init(_ service: any Service, _ tools: ClientDependencies) {
        self.service = service
        self.tools = tools
        line = AdmissionQueue(service, tools)
        book = RequestCoalescer(
            service, linger: tools.linger, remembering: tools.rememberedKeys,
            since: tools.clock.epochMilliseconds())
    }

    // MARK: Asking

    /// Asks for keys, each different, and waits as long as the run's patience lasts.
    ///
    /// - Parameter deadline: The instant (``RunClock/nanoseconds()``) at which a brief patience ends.
    /// - Returns: Answers in the order of the keys.
    /// - Throws: Where answers cannot be kept: the store is broken. A service's failure is an answer.
    package func ask(
        _ keys: [ServiceKey], deadline: UInt64?
    ) async throws(StageFailure) -> [ServiceAnswer] {
        guard !keys.isEmpty else { return [] }
        if let keepingFailure { throw keepingFailure }
        let kept = try await kept(keys)
        let known = book.known(
            of: keys, kept: kept, tools.waitPolicy.waitPolicy, at: tools.clock.epochMilliseconds())
        var answers = known.answers
        metrics.keys += keys.count
        metrics.hits += keys.count - known.missing.count
        await ask(known.asked, of: keys, knowing: kept, deadline, &answers)
        for number in known.missing where !answers[number].outcome.isSettled {
            guard let standIn = kept[number]?.standIn else { continue }
            answers[number] = standIn
            metrics.stale += 1
        }
        for (key, answer) in zip(keys, answers) {
            metrics.outcomes[answer.outcome, default: 0] += 1
            book.note(key, answer.outcome)
        }
        return answers
    }

    /// Asks the service for what is not there, where it may be asked.
    private func ask(
        _ numbers: [Int], of keys: [ServiceKey], knowing kept: [CachedAnswer?], _ deadline: UInt64?,
        _ answers: inout [ServiceAnswer]
    ) async {
        guard !numbers.isEmpty, tools.waitPolicy.waitPolicy != .cacheOnly, !tools.stop.isRaised, !isClosed
        else {
            return
        }
        watchForStop()
        let ticket = book.openTicket(
            numbers.map { (keys[$0], kept[$0]) }, isHurried: deadline != nil, at: tools.clock.nanoseconds())
        sendRequests()
        await wait(for: ticket, until: deadline)
        let got = book.closeTicket(ticket, of: numbers.map { keys[$0] })
        for (number, answer) in zip(numbers, got) {
            answers[number] = answer ?? .unanswered(health.givenUp ?? .timeout)
        }
    }

    /// What is kept of keys, each with its gist.
    private func kept(_ keys: [ServiceKey]) async throws(StageFailure) -> [CachedAnswer?] {
        guard let cache = tools.cache else { return Array(repeating: nil, count: keys.count) }
        var kept = try await cache.cachedAnswers(in: service.form, keys)
        for (number, key) in keys.enumerated() {
            // Kept by an earlier version, or before its gist was made otherwise.
            guard let answer = kept[number], let body = answer.body, body.decoded == nil,
                let words = body.words
            else { continue }
            kept[number]?.body?.decoded =
                service.decoded(of: words, key.kind, fetchedAt: answer.fetchedAt)?[...]
        }
        return kept
    }

    private func wait(for ticket: Int, until deadline: UInt64?) async {
        guard !book.isSettled(ticket) else { return }
        var timer: Task<Void, Never>?
        if let deadline {
            let now = tools.clock.nanoseconds()
            timer = Task { [tools] in
                await tools.clock.sleep(nanoseconds: deadline > now ? deadline - now : 0)
                if !Task.isCancelled { self.release(ticket) }
            }
        }
        await withCheckedContinuation { waiter in
            guard !book.isSettled(ticket) else { return waiter.resume() }
            waiters[ticket] = waiter
        }
        timer?.cancel()
    }

    private func release(_ ticket: Int) { waiters.removeValue(forKey: ticket)?.resume() }

    // MARK: Errands

    /// Sends out what is gathered, as far as there is room.
    private func sendRequests() {
        let now = tools.clock.nanoseconds()
        let dispatch = book.leave(room: isClosed ? 0 : service.terms.concurrency - inFlight.count, at: now)
        for (kind, keys) in dispatch.batches { send(kind, keys) }
        guard let wakeAt = dispatch.wakeAt, lingering == nil else { return }
        lingering = Task { [tools] in
            await tools.clock.sleep(nanoseconds: wakeAt > now ? wakeAt - now : 0)
            self.lingering = nil
            self.sendRequests()
        }
    }

    private func send(_ kind: ServiceKey.Kind, _ keys: [ServiceKey]) {
        nextRequest += 1
        let number = nextRequest
        inFlight[number] = Task {
            await BatchRequest(client: self, kind: kind).run(keys)
            self.inFlight[number] = nil
            self.book.endRequest(of: keys.count)
            self.sendRequests()
            self.reportStatus()
        }
    }

    private func reportStatus() {
        guard let observe = tools.observe else { return }
        let backlog = book.backlog
        let requests = inFlight.count + backlog.requests
        let pause = pausedUntil.map { max(0, $0 - tools.clock.epochMilliseconds()) } ?? 0
        observe(
            ServiceStatus(
                service: service.name, open: backlog.keys, pausedUntil: pause > 0 ? pausedUntil : nil,
                secondsLeft: Double(pause) / 1_000 + Double(requests) * Double(service.terms.rate.interval)
                    / 1e6))
    }

    /// Takes what the service said of keys, nil for one that it does not know: keeps it, and gives it to all who wait.
    ///
    /// - Parameter instant: Milliseconds since 1970.
    func land(_ answers: [(ServiceKey, CachedBody?)], fetchedAt instant: Int64) {
        for ticket in book.land(answers, fetchedAt: instant) { release(ticket) }
        keepSoon()
    }

    /// Takes note of keys that stay open.
    func land(_ keys: [ServiceKey], open outcome: LookupOutcome) {
        for ticket in book.land(keys, open: outcome) { release(ticket) }
    }

    /// Takes note of another book's answer.
    func landMismatch(_ key: ServiceKey) {
        for ticket in book.landMismatch(key, at: tools.clock.epochMilliseconds()) { release(ticket) }
        keepSoon()
    }

    // MARK: Health

    func noteCall() {
        metrics.calls += 1
        pausedUntil = nil
    }

    func notePause(until instant: Int64) {
        pausedUntil = instant / 1_000
        reportStatus()
    }

    func noteAnswer(after nanoseconds: UInt64) {
        health.answered()
        metrics.noteLatency(nanoseconds: nanoseconds)
    }

    func noteFailure() { health.failed() }

    func noteThrottling(ofCallStartedAt began: UInt64) {
        metrics.throttled += 1
        health.throttled(callStartedAt: began, now: tools.clock.nanoseconds())
        if health.givenUp != nil { line.wake() }
    }

    func noteQuota(until instant: Int64) { metrics.resumeAt = instant / 1_000 }

    func noteLeftAlone(until instant: Int64) { metrics.leftAloneUntil = instant / 1_000 }

    func block() {
        health.blocked()
        line.wake()
    }

    /// Why nobody is let through to the service any more; nil while it may be asked.
    var refusal: LookupOutcome? {
        if isClosed || tools.stop.isRaised { return .skipped }
        return health.givenUp
    }

    /// Whether it is worth waiting until the breaker half-opens.
    var isWorthWaitingFor: Bool { health.isWorthWaitingFor }

    // MARK: Keeping

    private func keepSoon() {
        guard tools.cache != nil else { return book.keepNothing() }
        guard keeping == nil, !book.copyFailure.isEmpty else { return }
        keeping = Task { [tools] in
            await tools.clock.sleep(nanoseconds: Self.keepingDelay)
            await self.keepNow()
            self.keeping = nil
            if self.keepingFailure == nil { self.keepSoon() }
        }
    }

    /// Keeps what has come so far, without delay.
    package func keepAll() async throws(StageFailure) {
        await keeping?.value
        await keepNow()
        if let keepingFailure { throw keepingFailure }
    }

    private func keepNow() async {
        guard let cache = tools.cache, !book.copyFailure.isEmpty else { return }
        let new = book.copyFailure
        do throws(StageFailure) {
            try await cache.keep(
                new.map { NewAnswer(key: $0.key, kept: $0.value) }, in: service.form)
        } catch {
            keepingFailure = error
        }
        book.noteKept(new)
    }

    // MARK: The end

    private func watchForStop() {
        guard watch == nil else { return }
        watch = Task { [tools] in
            await tools.stop.wait()
            if !Task.isCancelled { self.endRequests() }
        }
    }

    /// Calls back what is under way and lets everybody go who waits.
    private func endRequests() {
        for request in inFlight.values { request.cancel() }
        line.wake()
        book.callOff()
        for ticket in Array(waiters.keys) { release(ticket) }
    }

    /// Ends the desk: what has come is kept, what is under way is called back.
    package func close() async throws(StageFailure) {
        isClosed = true
        watch?.cancel()
        lingering?.cancel()
        endRequests()
        for request in inFlight.values { await request.value }
        try await keepAll()
    }
}
