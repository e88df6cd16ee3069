package import System

/// The client of one service. Everything that asks the service in a run goes through it.
///
///     ask ─▶ cached? ─▶ already requested? ─▶ batch ─▶ one request (BatchRequest) ─▶ cache ─▶ all callers
///
/// A key is requested once, however many callers ask for it. Answers that arrive after their callers have
/// stopped waiting are cached for the next caller.
package actor ServiceClient {
    package nonisolated let service: any Service
    package nonisolated let dependencies: ClientDependencies
    nonisolated let admissionQueue: AdmissionQueue

    /// Delay before answers are cached, in nanoseconds. A killed process loses at most this much.
    private static let saveDelay: UInt64 = 50_000_000

    private var coalescer: RequestCoalescer
    /// The callers that wait, by ticket.
    private var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    private var inFlight: [Int: Task<Void, Never>] = [:]
    /// Number of requests that pause before they are sent again.
    private var restingCount = 0
    /// Maximum number of requests under way, resting ones included, as a multiple of the allowed concurrency.
    private static let inFlightFactor = 4
    /// Until when a request waits for admission, in milliseconds since 1970.
    package internal(set) var pausedUntil: Int64?
    private var nextRequest = 0
    private var wakeup: Task<Void, Never>?
    private var watch: Task<Void, Never>?
    private var saving: Task<Void, Never>?
    /// The save that is under way.
    private var currentSave: Task<Void, Never>?
    private var saveFailure: ETLError?
    private(set) var isClosed = false

    var health = ServiceHealth()
    /// The metrics of the run so far.
    package internal(set) var metrics = ServiceMetrics()

    package init(_ service: any Service, _ dependencies: ClientDependencies) {
        self.service = service
        self.dependencies = dependencies
        admissionQueue = AdmissionQueue(service, dependencies)
        coalescer = RequestCoalescer(
            service, linger: dependencies.linger, remembering: dependencies.rememberedKeys,
            since: dependencies.clock.epochMilliseconds())
    }

    /// Asks for distinct keys, and waits as long as the run's wait policy allows.
    ///
    /// - Parameter deadline: The instant (``RunClock/nanoseconds()``) at which a wait with a timeout ends.
    /// - Returns: Answers in the order of the keys.
    /// - Throws: If answers cannot be cached, because the store is broken. A service's failure is an answer.
    package func ask(
        _ keys: [ServiceKey], deadline: UInt64?
    ) async throws(ETLError) -> [ServiceAnswer] {
        guard !keys.isEmpty else { return [] }
        if let saveFailure { throw saveFailure }
        let (waitPolicy, isLaterPass) = dependencies.waitPolicy.current
        let cached = try await cachedAnswers(keys)
        let known = coalescer.known(
            of: keys, cached: cached, waitPolicy, at: dependencies.clock.epochMilliseconds(),
            since: dependencies.refreshesBefore)
        var answers = known.answers
        await ask(known.asked, of: keys, knowing: cached, deadline, &answers)
        var stale: Set<Int> = []
        for number in known.missing where !answers[number].outcome.isAnswered {
            guard dependencies.refreshesBefore == nil, let standIn = cached[number]?.standIn else { continue }
            answers[number] = standIn
            stale.insert(number)
        }
        let requested = waitPolicy == .cacheOnly ? [] : Set(known.asked)
        let missing = Set(known.missing)
        for (number, key) in keys.enumerated() {
            let outcome = answers[number].outcome
            if let previous = coalescer.note(key, outcome) {
                metrics.noteOutcome(outcome, after: previous)
            } else if !isLaterPass || requested.contains(number) {
                // A later pass repeats lookups of the first one. Only the keys that it requests are new.
                metrics.noteOutcome(
                    outcome, isHit: !missing.contains(number), isStale: stale.contains(number))
            }
        }
        return answers
    }

    /// Asks the service for missing keys, if it may be asked.
    private func ask(
        _ numbers: [Int], of keys: [ServiceKey], knowing cached: [CachedAnswer?], _ deadline: UInt64?,
        _ answers: inout [ServiceAnswer]
    ) async {
        guard !numbers.isEmpty, dependencies.waitPolicy.waitPolicy != .cacheOnly, !dependencies.stop.isRaised,
            !isClosed
        else { return }
        watchForStop()
        let ticket = coalescer.openTicket(
            numbers.map { (keys[$0], cached[$0]) }, isHurried: deadline != nil,
            at: dependencies.clock.nanoseconds())
        sendRequests()
        if coalescer.isWhole(ticket), canAskEverything(by: deadline) {
            await wait(for: ticket, until: deadline)
        }
        let got = coalescer.closeTicket(ticket, of: numbers.map { keys[$0] })
        let fallback =
            health.refusal(at: dependencies.clock.nanoseconds())
            ?? (dependencies.stop.isRaised ? .stopped : .queued)
        for (number, answer) in zip(numbers, got) { answers[number] = answer ?? .unanswered(fallback) }
    }

    /// The cached answers for keys, in decoded form.
    private func cachedAnswers(_ keys: [ServiceKey]) async throws(ETLError) -> [CachedAnswer?] {
        guard let cache = dependencies.cache else { return Array(repeating: nil, count: keys.count) }
        var cached = try await cache.cachedAnswers(in: service.form, keys)
        for (number, key) in keys.enumerated() {
            // Cached by another form of the service, or decoded by another decoder.
            guard let answer = cached[number], let body = answer.body, body.decoded == nil,
                let words = body.words
            else { continue }
            cached[number]?.body?.decoded =
                service.decoded(of: words, key.kind, fetchedAt: answer.fetchedAt)?[...]
        }
        return cached
    }

    /// Whether all keys that are collected can be asked for by a deadline, at the service's rate. If not, a
    /// caller with a deadline would wait for nothing: it would hold up the run and get answers for a few keys.
    private func canAskEverything(by deadline: UInt64?) -> Bool {
        guard let deadline else { return true }
        let now = dependencies.clock.nanoseconds()
        let left = deadline > now ? Int64((deadline - now) / 1_000) : 0
        let pause = pausedUntil.map { $0 * 1_000 - dependencies.instant } ?? 0
        return max(pause, coalescer.timeToAsk) <= left
    }

    private func wait(for ticket: Int, until deadline: UInt64?) async {
        guard !coalescer.isAnswered(ticket) else { return }
        var timer: Task<Void, Never>?
        if let deadline {
            let now = dependencies.clock.nanoseconds()
            timer = Task { [dependencies] in
                await dependencies.clock.sleep(nanoseconds: deadline > now ? deadline - now : 0)
                if !Task.isCancelled { self.release(ticket) }
            }
        }
        await withCheckedContinuation { waiter in
            guard !coalescer.isAnswered(ticket) else { return waiter.resume() }
            waiters[ticket] = waiter
        }
        timer?.cancel()
    }

    private func release(_ ticket: Int) { waiters.removeValue(forKey: ticket)?.resume() }

    /// Releases all callers; their requests continue. Called after the wait policy was changed to
    /// ``WaitPolicy/cacheOnly``, so that they do not ask again.
    package func releaseCallers() {
        for ticket in Array(waiters.keys) { release(ticket) }
    }

    // MARK: Requests

    /// Sends batches that are ready, up to the allowed concurrency.
    private func sendRequests() {
        let now = dependencies.clock.nanoseconds()
        let limit = service.limits.concurrency
        let free = min(
            limit + restingCount - inFlight.count, limit * Self.inFlightFactor - inFlight.count)
        let dispatch = coalescer.takeReadyBatches(atMost: isClosed ? 0 : max(0, free), at: now)
        for (kind, keys) in dispatch.batches { send(kind, keys) }
        guard let wakeAt = dispatch.wakeAt, wakeup == nil else { return }
        wakeup = Task { [dependencies] in
            await dependencies.clock.sleep(nanoseconds: wakeAt > now ? wakeAt - now : 0)
            self.wakeup = nil
            self.sendRequests()
        }
    }

    private func send(_ kind: ServiceKey.Kind, _ keys: [ServiceKey]) {
        nextRequest += 1
        let number = nextRequest
        inFlight[number] = Task {
            await BatchRequest(client: self, kind: kind).run(keys)
            self.inFlight[number] = nil
            self.coalescer.endRequest(of: keys.count)
            self.sendRequests()
            self.reportStatus()
        }
    }

    /// Pauses a request before it is sent again. Another one can be sent meanwhile.
    func rest(nanoseconds: UInt64) async {
        restingCount += 1
        sendRequests()
        await dependencies.stop.pause(nanoseconds: nanoseconds, on: dependencies.clock)
        restingCount -= 1
    }

    func reportStatus() {
        guard let observe = dependencies.observe else { return }
        let backlog = coalescer.backlog
        let requests = inFlight.count + backlog.requests
        let pause = pausedUntil.map { max(0, $0 - dependencies.clock.epochMilliseconds()) } ?? 0
        observe(
            ServiceStatus(
                service: service.name, calls: metrics.calls, open: backlog.keys,
                pausedUntil: pause > 0 ? pausedUntil : nil,
                secondsLeft: Double(pause) / 1_000 + Double(requests) * Double(service.limits.rate.interval)
                    / 1e6))
    }

    /// Receives the service's answers, nil for a key that it does not know: caches them and passes them to
    /// all callers.
    ///
    /// - Parameters:
    ///   - instant: Milliseconds since 1970.
    ///   - validator: That of the response to a single key.
    func complete(
        _ answers: [(ServiceKey, CachedBody?)], fetchedAt instant: Int64, validator: CacheValidator? = nil
    ) {
        for ticket in coalescer.complete(answers, fetchedAt: instant, validator: validator) {
            release(ticket)
        }
        saveSoon()
    }

    /// The validator (ETag or Last-Modified) of a requested key's cached answer.
    func validator(of key: ServiceKey) -> CacheValidator? { coalescer.validator(of: key) }

    /// Records that the cached answer of a requested key is still the service's.
    ///
    /// - Parameter instant: Milliseconds since 1970.
    func confirm(_ key: ServiceKey, at instant: Int64) {
        metrics.confirmed += 1
        for ticket in coalescer.confirm(key, at: instant) { release(ticket) }
        saveSoon()
    }

    /// Records keys that stay unanswered.
    func complete(_ keys: [ServiceKey], open outcome: LookupOutcome) {
        for ticket in coalescer.complete(keys, open: outcome) { release(ticket) }
    }

    /// Records a mismatch.
    func receiveMismatch(_ key: ServiceKey) {
        for ticket in coalescer.receiveMismatch(key, at: dependencies.clock.epochMilliseconds()) {
            release(ticket)
        }
        saveSoon()
    }

    // MARK: Caching

    private func saveSoon() {
        guard dependencies.cache != nil else { return coalescer.discardUnsaved() }
        guard saving == nil, !coalescer.unsaved.isEmpty else { return }
        saving = Task { [dependencies] in
            await dependencies.clock.sleep(nanoseconds: Self.saveDelay)
            await self.saveNow()
            self.saving = nil
            if self.saveFailure == nil { self.saveSoon() }
        }
    }

    /// Caches received answers without delay if each key costs something. A process that is killed must not
    /// pay for the same keys again.
    func saveIfBilled() async {
        if service.cost(of: 2) > service.cost(of: 1) { await saveNow() }
    }

    /// Caches all answers received so far, without delay.
    package func saveAll() async throws(ETLError) {
        await saving?.value
        await saveNow()
        if let saveFailure { throw saveFailure }
    }

    /// Caches all answers received so far. Several requests may end at the same time: one saves, with the others'
    /// answers too. A failure is thrown by ``saveAll()``.
    package func saveNow() async {
        while let current = currentSave { await current.value }
        guard let cache = dependencies.cache, !coalescer.unsaved.isEmpty else { return }
        let new = coalescer.unsaved
        let save = Task {
            do throws(ETLError) {
                try await cache.save(
                    new.map { NewAnswer(key: $0.key, cached: $0.value) }, in: service.form)
            } catch {
                self.saveFailure = error
            }
            self.coalescer.noteSaved(new)
            self.currentSave = nil
        }
        currentSave = save
        await save.value
    }

    // MARK: Closing

    private func watchForStop() {
        guard watch == nil else { return }
        watch = Task { [dependencies] in
            await dependencies.stop.wait()
            if !Task.isCancelled { self.endRequests() }
        }
    }

    /// Cancels requests under way and releases all callers.
    private func endRequests() {
        for request in inFlight.values { request.cancel() }
        admissionQueue.wake()
        coalescer.discardOpenBatches()
        releaseCallers()
    }

    /// Closes the client: caches what has arrived and cancels requests under way.
    package func close() async throws(ETLError) {
        isClosed = true
        watch?.cancel()
        wakeup?.cancel()
        endRequests()
        for request in inFlight.values { await request.value }
        try await saveAll()
    }
}
