import System

/// The state of a ``ServiceClient``: which callers wait for which keys, which keys are collected for a batch,
/// which answers have arrived, and what the run knows about unanswered keys. A pure value: it gets events and
/// returns what to do.
///
/// Each caller gets a ticket, which is settled when all its keys have arrived.
struct RequestCoalescer: Sendable {
    /// Maximum number of collected keys. A hurried caller adds no more.
    static let queueLimit = 4_096
    /// A hurried caller adds no more keys than can be asked in this many nanoseconds. Otherwise the keys of
    /// thousands of records would be asked before the authors of the first.
    private static let hurriedTime = 2_000_000_000

    private struct Ticket {
        var left: Int
        /// Whether some of its keys were not collected.
        var isPartial = false
        var answers: [ServiceKey: ServiceAnswer] = [:]
    }

    private let service: any Service
    private let linger: UInt64
    /// The same for callers without a deadline.
    private let patientLinger: UInt64
    /// Patient callers let a batch wait for this many requests at the service's rate limit, and at most this
    /// many nanoseconds. So a service is asked in full batches even if another one, on whose answers the keys
    /// depend, is slow.
    private static let (lingerRequests, longestLinger): (UInt64, UInt64) = (3, 2_000_000_000)
    private var flights = SingleFlight<ServiceKey, Int>()
    private var openBatches: [ServiceKey.Kind: BatchAccumulator<ServiceKey>] = [:]
    private var tickets: [Int: Ticket] = [:]
    private var lastTicket = 0
    /// Number of keys in requests under way.
    private var keysUnderWay = 0
    /// The cached answers of requested keys. A mismatch does not replace them.
    private var previous: [ServiceKey: CachedAnswer] = [:]
    /// Answers that are not cached yet.
    private(set) var unsaved: [ServiceKey: CachedAnswer] = [:]
    /// Keys with mismatches. They are not asked for again in this run.
    private var mismatched: MismatchedKeys
    /// Keys left unanswered in this run, with the reasons. A pass that asks no service reports these.
    private var open: UnansweredKeys

    /// - Parameters:
    ///   - linger: Time for which an incomplete batch waits for more keys, in nanoseconds.
    ///   - limit: Maximum number of remembered keys (``ClientDependencies/rememberedKeys``).
    ///   - instant: When the run began, in milliseconds since 1970.
    init(_ service: any Service, linger: UInt64, remembering limit: Int, since instant: Int64) {
        self.service = service
        self.linger = linger
        let requests = Self.lingerRequests * UInt64(service.limits.rate.interval) * 1_000
        patientLinger = max(linger, min(Self.longestLinger, requests))
        open = UnansweredKeys(limit: limit)
        mismatched = MismatchedKeys(limit: limit, since: instant)
    }

    // MARK: Known answers

    /// Known facts about keys before the service is asked.
    struct Known {
        /// One answer for each key.
        var answers: [ServiceAnswer] = []
        /// The indices of keys without a valid answer, and of those that should be requested.
        var missing: [Int] = []
        var asked: [Int] = []
    }

    /// - Parameters:
    ///   - cached: The cached answer of each key.
    ///   - instant: Milliseconds since 1970.
    ///   - oldest: Answers from before this instant have expired, and no others; nil for the lifetime of answers.
    func known(
        of keys: [ServiceKey], cached: [CachedAnswer?], _ waitPolicy: WaitPolicy, at instant: Int64,
        since oldest: Int64? = nil
    ) -> Known {
        var known = Known()
        known.answers.reserveCapacity(keys.count)
        for (number, key) in keys.enumerated() {
            let new = unsaved[key]
            if let answer = new?.answer {
                known.answers.append(answer)
            } else if let cached = cached[number],
                waitPolicy.takesAnyAge
                    || oldest.map({ cached.fetchedAt >= $0 }) ?? cached.isFresh(key.kind, at: instant),
                let answer = cached.answer
            {
                known.answers.append(answer)
            } else if let answer = mismatched.answer(to: key, cached: new ?? cached[number]) {
                known.answers.append(answer)
                known.missing.append(number)
            } else {
                let reason = open[key]
                // In a cache-only pass, all keys were asked for before. A key that is not remembered is one
                // of many that are open for the same reason.
                let fallback = waitPolicy == .cacheOnly ? open.fallback : .skipped
                known.answers.append(.unanswered(reason ?? fallback))
                known.missing.append(number)
                // A gap is a key that was not asked for in this run.
                if waitPolicy != .gapsOnly || cached[number] == nil && reason == nil {
                    known.asked.append(number)
                }
            }
        }
        return known
    }

    /// Records the outcome that was reported for a key.
    ///
    /// - Returns: The previous outcome in this run if the key was unanswered; nil for any other key.
    @discardableResult
    mutating func note(_ key: ServiceKey, _ outcome: LookupOutcome) -> LookupOutcome? {
        defer { open.note(key, outcome) }
        return open[key]
    }

    // MARK: Tickets

    /// Registers a caller, and collects the keys that are not requested yet.
    ///
    /// - Parameters:
    ///   - keys: Each with its cached answer.
    ///   - now: Nanoseconds on the run's clock.
    /// - Returns: The ticket.
    mutating func openTicket(
        _ keys: [(key: ServiceKey, cached: CachedAnswer?)], isHurried: Bool, at now: UInt64
    ) -> Int {
        lastTicket += 1
        var ticket = Ticket(left: keys.count)
        let (service, linger) = (service, linger)
        for (key, cached) in keys {
            if isHurried, (openBatches[key.kind]?.count ?? 0) >= hurriedLimit(key.kind) {
                ticket.left -= 1
                ticket.answers[key] = .unanswered(.queued)
                ticket.isPartial = true
                continue
            }
            guard flights.join(key, lastTicket) else { continue }
            previous[key] = cached
            openBatches[
                key.kind, default: BatchAccumulator(size: service.batchSize(of: key.kind), linger: linger)
            ].add(key, at: now, lingering: isHurried ? nil : patientLinger)
        }
        tickets[lastTicket] = ticket
        return lastTicket
    }

    /// Maximum number of collected keys of a kind to which a hurried caller adds.
    private func hurriedLimit(_ kind: ServiceKey.Kind) -> Int {
        let rate = service.limits.rate
        let requests = Int(rate.burst) + Self.hurriedTime / 1_000 / Int(rate.interval)
        return min(Self.queueLimit, max(1, requests) * service.batchSize(of: kind))
    }

    /// Whether all keys of a ticket were collected.
    func isWhole(_ ticket: Int) -> Bool { tickets[ticket]?.isPartial == false }

    /// Whether all keys of a ticket have arrived.
    func isAnswered(_ ticket: Int) -> Bool { tickets[ticket]?.left == 0 }

    /// Closes a ticket, settled or not. Its keys are still requested.
    ///
    /// - Returns: The answers that have arrived for the ticket's keys.
    mutating func closeTicket(_ ticket: Int, of keys: [ServiceKey]) -> [ServiceAnswer?] {
        let got = tickets.removeValue(forKey: ticket)?.answers ?? [:]
        return keys.map { key in
            let answer = got[key]
            if answer == nil { flights.leave(key, ticket) }
            return answer
        }
    }

    // MARK: Batches

    /// The batches to send, and when to check again; nil if no incomplete batch waits.
    typealias ReadyBatches = (batches: [(kind: ServiceKey.Kind, keys: [ServiceKey])], wakeAt: UInt64?)

    /// Takes the batches that are ready.
    ///
    /// - Parameters:
    ///   - count: Maximum number of batches.
    ///   - now: Nanoseconds on the run's clock.
    mutating func takeReadyBatches(atMost count: Int, at now: UInt64) -> ReadyBatches {
        var dispatch: ReadyBatches = ([], nil)
        for kind in openBatches.keys.sorted(by: { ($0.urgency, $0.name) < ($1.urgency, $1.name) }) {
            gathering: while dispatch.batches.count < count {
                switch openBatches[kind]?.next(at: now) ?? .nothing {
                case .ready(let keys):
                    keysUnderWay += keys.count
                    dispatch.batches.append((kind, keys))
                case .wait(let until):
                    dispatch.wakeAt = min(dispatch.wakeAt ?? .max, until)
                    break gathering
                case .nothing: break gathering
                }
            }
        }
        return dispatch
    }

    /// Records the end of a request with this many keys.
    mutating func endRequest(of count: Int) { keysUnderWay -= count }

    /// Discards all collected keys.
    mutating func discardOpenBatches() { openBatches = [:] }

    /// Number of pending answers, and of the requests needed for those not sent yet.
    var backlog: (keys: Int, requests: Int) {
        var backlog = (keys: keysUnderWay, requests: 0)
        for (kind, gathering) in openBatches {
            backlog.keys += gathering.count
            let size = service.batchSize(of: kind)
            backlog.requests += (gathering.count + size - 1) / size
        }
        return backlog
    }

    /// Time to ask for all collected keys at the service's rate, in microseconds.
    var timeToAsk: Int64 {
        let rate = service.limits.rate
        return max(0, Int64(backlog.requests) - rate.burst) * rate.interval
    }

    // MARK: Answers

    /// Receives the service's answers, nil for a key that it does not know.
    ///
    /// - Parameters:
    ///   - instant: Milliseconds since 1970.
    ///   - validator: That of the response to a single key.
    /// - Returns: The tickets that are now settled.
    mutating func complete(
        _ answers: [(ServiceKey, CachedBody?)], fetchedAt instant: Int64, validator: CacheValidator? = nil
    ) -> [Int] {
        var settled: [Int] = []
        for (key, body) in answers {
            complete(key, CachedAnswer(body: body, fetchedAt: instant, validator: validator), &settled)
        }
        return settled
    }

    private mutating func complete(_ key: ServiceKey, _ cached: CachedAnswer, _ settled: inout [Int]) {
        previous[key] = nil
        unsaved[key] = cached
        deliver(cached.answer ?? .notFound, to: key, &settled)
    }

    /// The validator (ETag or Last-Modified) of a requested key's cached answer; nil if it has to send the
    /// answer.
    func validator(of key: ServiceKey) -> CacheValidator? {
        guard let cached = previous[key], cached.mismatches == 0 else { return nil }
        return cached.validator
    }

    /// Records that the cached answer of a key is still the service's.
    ///
    /// - Parameter instant: Milliseconds since 1970.
    /// - Returns: The tickets that are now settled.
    mutating func confirm(_ key: ServiceKey, at instant: Int64) -> [Int] {
        var settled: [Int] = []
        if let cached = previous[key] { complete(key, cached.confirmed(at: instant), &settled) }
        return settled
    }

    /// Records keys that stay unanswered.
    ///
    /// - Returns: The tickets that are now settled.
    mutating func complete(_ keys: [ServiceKey], open outcome: LookupOutcome) -> [Int] {
        var settled: [Int] = []
        for key in keys {
            previous[key] = nil
            deliver(.unanswered(outcome), to: key, &settled)
        }
        return settled
    }

    /// Records a mismatch, which is never used as an answer. A few later runs ask again, each once. After
    /// that, the key counts as settled.
    ///
    /// - Parameter instant: Milliseconds since 1970.
    /// - Returns: The tickets that are now settled.
    mutating func receiveMismatch(_ key: ServiceKey, at instant: Int64) -> [Int] {
        let cached = CachedAnswer.mismatch(after: previous.removeValue(forKey: key), at: instant)
        if mismatched.note(key, cached) { unsaved[key] = cached }
        var settled: [Int] = []
        deliver(MismatchedKeys.answer(cached), to: key, &settled)
        return settled
    }

    private mutating func deliver(_ answer: ServiceAnswer, to key: ServiceKey, _ settled: inout [Int]) {
        for number in flights.complete(key) {
            tickets[number]?.answers[key] = answer
            tickets[number]?.left -= 1
            if tickets[number]?.left == 0 { settled.append(number) }
        }
    }

    /// Records which answers were cached. Newer answers to the same keys are still not cached.
    mutating func noteSaved(_ answers: [ServiceKey: CachedAnswer]) {
        for (key, cached) in answers where unsaved[key] == cached { unsaved[key] = nil }
    }

    /// Discards the answers to be cached: there is no cache.
    mutating func discardUnsaved() { unsaved.removeAll() }
}
