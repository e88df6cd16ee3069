package import Pipeline

/// The desk at which one service is asked: everything that asks it in a run goes through here.
///
///     ask ─▶ kept? ─▶ already asked for? ─▶ gathered into a batch ─▶ one request (ServiceErrand) ─▶ kept ─▶ all who wait
///
/// A key is asked for once, however many want it and whenever; answers that come after those who asked have gone
/// are kept for the next who asks.
package actor ServiceDesk {
    package nonisolated let service: any Service
    let tools: DeskTools
    nonisolated let line: LeaveLine

    /// Keys that may wait to be asked; a batch that is in a hurry adds none beyond it.
    private static let queueLimit = 4_096
    /// Nanoseconds within which answers are kept: what a kill loses at the most.
    private static let keepingDelay: UInt64 = 50_000_000

    private struct Ticket {
        var left: Int
        var answers: [ServiceKey: ServiceAnswer] = [:]
        var waiter: CheckedContinuation<Void, Never>?
    }

    private var flights = SingleFlight<ServiceKey, Int>()
    private var gatherings: [ServiceKey.Kind: Gathering<ServiceKey>] = [:]
    private var tickets: [Int: Ticket] = [:]
    private var nextTicket = 0
    private var errands: [Int: Task<Void, Never>] = [:]
    /// Keys that errands are out for.
    private var keysUnderWay = 0
    /// Milliseconds since 1970 until which an errand waits for leave to ask.
    private var pausedUntil: Int64?
    private var nextErrand = 0
    private var lingering: Task<Void, Never>?
    private var watch: Task<Void, Never>?
    /// What is kept of keys that are on their way: a wrong answer does not put it away.
    private var standing: [ServiceKey: KeptAnswer] = [:]
    /// Keys in whose place other books came: they are not asked for again in this run.
    private var wrong: WrongKeys
    /// Answered, and not kept yet.
    private var unkept: [ServiceKey: KeptAnswer] = [:]
    private var keeping: Task<Void, Never>?
    private var keepingFailure: StageFailure?
    private var isClosed = false

    private var health = ServiceHealth()
    /// Keys left open in this run, and why: what a pass that asks nobody tells of them.
    private var open: OpenKeys
    /// What the run had to do with the service so far.
    package private(set) var figures = ServiceFigures()

    package init(_ service: any Service, _ tools: DeskTools) {
        self.service = service
        self.tools = tools
        line = LeaveLine(service, tools)
        open = OpenKeys(limit: tools.rememberedKeys)
        wrong = WrongKeys(limit: tools.rememberedKeys, since: tools.clock.epochMilliseconds())
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
        let now = tools.clock.epochMilliseconds()
        let patience = tools.patience.patience
        var missing: [Int] = []
        var asked: [Int] = []
        var answers: [ServiceAnswer] = []
        answers.reserveCapacity(keys.count)
        for (number, key) in keys.enumerated() {
            let new = unkept[key]
            if let answer = new?.answer {
                answers.append(answer)
            } else if let kept = kept[number], patience.takesAnyAge || kept.isFresh(key.kind, at: now),
                let answer = kept.answer
            {
                answers.append(answer)
            } else if let answer = wrong.answer(to: key, kept: new ?? kept[number]) {
                answers.append(answer)
                missing.append(number)
            } else {
                let reason = open[key]
                // Where nobody is asked, all were asked before: a key is one of many that are open for one reason.
                answers.append(.unanswered(reason ?? (patience == .keptOnly ? open.usual : .skipped)))
                missing.append(number)
                // A gap is what nobody has tried to fill in this run.
                if patience != .gapsOnly || kept[number] == nil && reason == nil { asked.append(number) }
            }
        }
        figures.keys += keys.count
        figures.hits += keys.count - missing.count
        await ask(asked, of: keys, knowing: kept, deadline, &answers)
        for number in missing where !answers[number].outcome.isSettled {
            guard let standIn = kept[number]?.standIn else { continue }
            answers[number] = standIn
            figures.stale += 1
        }
        note(answers, to: keys)
        return answers
    }

    /// Asks the service for what is not there, where it may be asked.
    private func ask(
        _ numbers: [Int], of keys: [ServiceKey], knowing kept: [KeptAnswer?], _ deadline: UInt64?,
        _ answers: inout [ServiceAnswer]
    ) async {
        guard !numbers.isEmpty, tools.patience.patience != .keptOnly, !tools.stop.isRaised, !isClosed else {
            return
        }
        let ticket = openTicket(numbers.map { (keys[$0], kept[$0]) }, isHurried: deadline != nil)
        sendErrands()
        await wait(for: ticket, until: deadline)
        let got = tickets.removeValue(forKey: ticket)?.answers ?? [:]
        for number in numbers {
            let answer = got[keys[number]]
            if answer == nil { flights.leave(keys[number], ticket) }
            answers[number] = answer ?? .unanswered(health.givenUp ?? .timeout)
        }
    }

    /// Counts what came of keys, and remembers those that stay open.
    private func note(_ answers: [ServiceAnswer], to keys: [ServiceKey]) {
        for (key, answer) in zip(keys, answers) {
            let outcome = answer.outcome
            figures.outcomes[outcome, default: 0] += 1
            open.note(key, outcome)
        }
    }

    /// What is kept of keys, each with its gist.
    private func kept(_ keys: [ServiceKey]) async throws(StageFailure) -> [KeptAnswer?] {
        guard let cache = tools.cache else { return Array(repeating: nil, count: keys.count) }
        var kept = try await cache.keptAnswers(in: service.form, keys)
        for (number, key) in keys.enumerated() {
            // Kept by an earlier version, or before its gist was made otherwise.
            guard let answer = kept[number], let body = answer.body, body.gist == nil, let words = body.words
            else { continue }
            kept[number]?.body?.gist = service.gist(of: words, key.kind, fetchedAt: answer.fetchedAt)?[...]
        }
        return kept
    }

    private func openTicket(
        _ keys: [(key: ServiceKey, kept: KeptAnswer?)], isHurried: Bool
    ) -> Int {
        watchForStop()
        nextTicket += 1
        var ticket = Ticket(left: keys.count)
        let now = tools.clock.nanoseconds()
        for (key, kept) in keys {
            if isHurried, (gatherings[key.kind]?.count ?? 0) >= Self.queueLimit {
                ticket.left -= 1
                ticket.answers[key] = .unanswered(.skipped)
                continue
            }
            guard flights.join(key, nextTicket) else { continue }
            standing[key] = kept
            gatherings[
                key.kind,
                default: Gathering(size: service.batchSize(of: key.kind), linger: tools.linger)
            ].add(key, at: now)
        }
        tickets[nextTicket] = ticket
        return nextTicket
    }

    private func wait(for ticket: Int, until deadline: UInt64?) async {
        guard tickets[ticket]?.left != 0 else { return }
        var timer: Task<Void, Never>?
        if let deadline {
            let now = tools.clock.nanoseconds()
            timer = Task { [tools] in
                await tools.clock.sleep(nanoseconds: deadline > now ? deadline - now : 0)
                if !Task.isCancelled { self.release(ticket) }
            }
        }
        await withCheckedContinuation { waiter in
            guard tickets[ticket]?.left != 0 else { return waiter.resume() }
            tickets[ticket]?.waiter = waiter
        }
        timer?.cancel()
    }

    private func release(_ ticket: Int) {
        tickets[ticket]?.waiter?.resume()
        tickets[ticket]?.waiter = nil
    }

    // MARK: Errands

    /// Sends out what is gathered, as far as there is room.
    private func sendErrands() {
        var wakeAt: UInt64?
        for kind in ServiceKey.Kind.byUrgency {
            while errands.count < service.terms.concurrency, !isClosed {
                let step = gatherings[kind]?.next(at: tools.clock.nanoseconds()) ?? .nothing
                if case .leave(let keys) = step {
                    send(kind, keys)
                    continue
                }
                if case .wait(let until) = step { wakeAt = min(wakeAt ?? .max, until) }
                break
            }
        }
        guard let wakeAt, lingering == nil else { return }
        let now = tools.clock.nanoseconds()
        lingering = Task { [tools] in
            await tools.clock.sleep(nanoseconds: wakeAt > now ? wakeAt - now : 0)
            self.lingering = nil
            self.sendErrands()
        }
    }

    private func send(_ kind: ServiceKey.Kind, _ keys: [ServiceKey]) {
        nextErrand += 1
        let number = nextErrand
        keysUnderWay += keys.count
        errands[number] = Task {
            await ServiceErrand(desk: self, kind: kind).run(keys)
            self.errands[number] = nil
            self.keysUnderWay -= keys.count
            self.sendErrands()
            self.tellStanding()
        }
    }

    private func tellStanding() {
        guard let observe = tools.observe else { return }
        var (open, requests) = (keysUnderWay, errands.count)
        for (kind, gathering) in gatherings {
            open += gathering.count
            let size = service.batchSize(of: kind)
            requests += (gathering.count + size - 1) / size
        }
        let pause = pausedUntil.map { max(0, $0 - tools.clock.epochMilliseconds()) } ?? 0
        observe(
            ServiceStanding(
                service: service.name, open: open, pausedUntil: pause > 0 ? pausedUntil : nil,
                secondsLeft: Double(pause) / 1_000 + Double(requests) * Double(service.terms.rate.interval)
                    / 1e6))
    }

    /// Takes what the service said of keys, nil for one that it does not know: keeps it, and gives it to all who wait.
    ///
    /// - Parameter instant: Milliseconds since 1970.
    func land(_ answers: [(ServiceKey, KeptWords?)], fetchedAt instant: Int64) {
        for (key, body) in answers {
            let kept = KeptAnswer(body: body, fetchedAt: instant)
            standing[key] = nil
            unkept[key] = kept
            release(key, kept.answer ?? .notFound)
        }
        if !answers.isEmpty { keepSoon() }
    }

    /// Takes note of keys that stay open.
    func land(_ keys: [ServiceKey], open outcome: LookUpOutcome) {
        for key in keys {
            standing[key] = nil
            release(key, .unanswered(outcome))
        }
    }

    /// Takes note of another book's answer, which is never attached. A few runs ask again, each once; then it is settled
    /// that the service has nothing else to say.
    func landWrong(_ key: ServiceKey) {
        let kept = KeptAnswer.wrong(
            after: standing.removeValue(forKey: key), at: tools.clock.epochMilliseconds())
        if wrong.note(key, kept) {
            unkept[key] = kept
            keepSoon()
        }
        release(key, WrongKeys.answer(kept))
    }

    /// Gives an answer to all who wait for it.
    private func release(_ key: ServiceKey, _ answer: ServiceAnswer) {
        for number in flights.land(key) {
            tickets[number]?.answers[key] = answer
            tickets[number]?.left -= 1
            if tickets[number]?.left == 0 { release(number) }
        }
    }

    // MARK: Health

    func noteCall() {
        figures.calls += 1
        pausedUntil = nil
    }

    func notePause(until instant: Int64) {
        pausedUntil = instant / 1_000
        tellStanding()
    }

    func noteAnswer(after nanoseconds: UInt64) {
        health.answered()
        figures.noteLatency(nanoseconds: nanoseconds)
    }

    func noteFailure() { health.failed() }

    func noteThrottling(ofCallBegunAt began: UInt64) {
        figures.throttled += 1
        health.throttled(callBegunAt: began, now: tools.clock.nanoseconds())
        if health.givenUp != nil { line.wake() }
    }

    func noteQuota(until instant: Int64) { figures.resumeAt = instant / 1_000 }

    func noteLeftAlone(until instant: Int64) { figures.leftAloneUntil = instant / 1_000 }

    func block() {
        health.blocked()
        line.wake()
    }

    /// Why nobody is let through to the service any more; nil while it may be asked.
    var refusal: LookUpOutcome? {
        if isClosed || tools.stop.isRaised { return .skipped }
        return health.givenUp
    }

    /// Whether it is worth waiting until the breaker half-opens.
    var isWorthWaitingFor: Bool { health.isWorthWaitingFor }

    // MARK: Keeping

    private func keepSoon() {
        guard tools.cache != nil else { return unkept.removeAll() }
        guard keeping == nil else { return }
        keeping = Task { [tools] in
            await tools.clock.sleep(nanoseconds: Self.keepingDelay)
            await self.keepNow()
            self.keeping = nil
            if !self.unkept.isEmpty, self.keepingFailure == nil { self.keepSoon() }
        }
    }

    /// Keeps what has come so far, without delay.
    package func keepAll() async throws(StageFailure) {
        await keeping?.value
        await keepNow()
        if let keepingFailure { throw keepingFailure }
    }

    private func keepNow() async {
        guard let cache = tools.cache, !unkept.isEmpty else { return }
        let new = unkept
        do throws(StageFailure) {
            try await cache.keep(
                new.map { NewAnswer(key: $0.key, kept: $0.value) }, in: service.form)
        } catch {
            keepingFailure = error
        }
        for (key, kept) in new where unkept[key] == kept { unkept[key] = nil }
    }

    // MARK: The end

    private func watchForStop() {
        guard watch == nil else { return }
        watch = Task { [tools] in
            await tools.stop.wait()
            if !Task.isCancelled { self.endErrands() }
        }
    }

    /// Calls back what is under way and lets everybody go who waits.
    private func endErrands() {
        for errand in errands.values { errand.cancel() }
        line.wake()
        gatherings = [:]
        for ticket in Array(tickets.keys) { release(ticket) }
    }

    /// Ends the desk: what has come is kept, what is under way is called back.
    package func close() async throws(StageFailure) {
        isClosed = true
        watch?.cancel()
        lingering?.cancel()
        endErrands()
        for errand in errands.values { await errand.value }
        try await keepAll()
    }
}
