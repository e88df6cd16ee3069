import Pipeline

/// The books of a ``ServiceClient``: who waits for which keys, which are gathered, which were answered and what the run
/// makes of the others. A pure value: it is told what happens and says what is to be done.
///
/// Whoever asks gets a ticket, which is settled once all of its keys have landed.
struct RequestCoalescer: Sendable {
    /// Keys that may wait to be asked; a batch that is in a hurry adds none beyond it.
    static let queueLimit = 4_096

    private struct Ticket {
        var left: Int
        var answers: [ServiceKey: ServiceAnswer] = [:]
    }

    private let service: any Service
    private let linger: UInt64
    private var flights = SingleFlight<ServiceKey, Int>()
    private var openBatches: [ServiceKey.Kind: BatchAccumulator<ServiceKey>] = [:]
    private var tickets: [Int: Ticket] = [:]
    private var lastTicket = 0
    /// Keys that errands are out for.
    private var keysUnderWay = 0
    /// What is kept of keys that are on their way: a wrong answer does not put it away.
    private var standing: [ServiceKey: CachedAnswer] = [:]
    /// Answered, and not kept yet.
    private(set) var copyFailure: [ServiceKey: CachedAnswer] = [:]
    /// Keys in whose place other books came: they are not asked for again in this run.
    private var wrong: MismatchedKeys
    /// Keys left open in this run, and why: what a pass that asks nobody tells of them.
    private var open: UnansweredKeys

    /// - Parameters:
    ///   - linger: Nanoseconds that a batch which is not full waits for more.
    ///   - limit: Keys that are remembered once they were asked for (``ClientDependencies/rememberedKeys``).
    ///   - instant: When the run began, in milliseconds since 1970.
    init(_ service: any Service, linger: UInt64, remembering limit: Int, since instant: Int64) {
        self.service = service
        self.linger = linger
        open = UnansweredKeys(limit: limit)
        wrong = MismatchedKeys(limit: limit, since: instant)
    }

    // MARK: What is known

    /// What is known of keys before anybody is asked.
    struct Known {
        /// One for each key.
        var answers: [ServiceAnswer] = []
        /// The numbers of keys that have no good answer, and of these the ones to be asked for.
        var missing: [Int] = []
        var asked: [Int] = []
    }

    /// - Parameters:
    ///   - kept: What is kept of each key.
    ///   - instant: Milliseconds since 1970.
    func known(
        of keys: [ServiceKey], kept: [CachedAnswer?], _ waitPolicy: WaitPolicy, at instant: Int64
    ) -> Known {
        var known = Known()
        known.answers.reserveCapacity(keys.count)
        for (number, key) in keys.enumerated() {
            let new = copyFailure[key]
            if let answer = new?.answer {
                known.answers.append(answer)
            } else if let kept = kept[number],
                waitPolicy.takesAnyAge || kept.isFresh(key.kind, at: instant), let answer = kept.answer
            {
                known.answers.append(answer)
            } else if let answer = wrong.answer(to: key, kept: new ?? kept[number]) {
                known.answers.append(answer)
                known.missing.append(number)
            } else {
                let reason = open[key]
                // Where nobody is asked, all were asked before: a key is one of many that are open for one reason.
                let fallback = waitPolicy == .cacheOnly ? open.fallback : .skipped
                known.answers.append(.unanswered(reason ?? fallback))
                known.missing.append(number)
                // A gap is what nobody has tried to fill in this run.
                if waitPolicy != .gapsOnly || kept[number] == nil && reason == nil {
                    known.asked.append(number)
                }
            }
        }
        return known
    }

    /// Takes note of what whoever asked was told of a key.
    mutating func note(_ key: ServiceKey, _ outcome: LookupOutcome) { open.note(key, outcome) }

    // MARK: Tickets

    /// Notes who asks for keys, and gathers those that nobody has asked for.
    ///
    /// - Parameters:
    ///   - keys: With what is kept of each.
    ///   - now: Nanoseconds on the run's clock.
    /// - Returns: The ticket.
    mutating func openTicket(
        _ keys: [(key: ServiceKey, kept: CachedAnswer?)], isHurried: Bool, at now: UInt64
    ) -> Int {
        lastTicket += 1
        var ticket = Ticket(left: keys.count)
        let (service, linger) = (service, linger)
        for (key, kept) in keys {
            if isHurried, (openBatches[key.kind]?.count ?? 0) >= Self.queueLimit {
                ticket.left -= 1
                ticket.answers[key] = .unanswered(.skipped)
                continue
            }
            guard flights.join(key, lastTicket) else { continue }
            standing[key] = kept
            openBatches[
                key.kind, default: BatchAccumulator(size: service.batchSize(of: key.kind), linger: linger)
            ].add(key, at: now)
        }
        tickets[lastTicket] = ticket
        return lastTicket
    }

    /// Whether nothing is left to wait for.
    func isSettled(_ ticket: Int) -> Bool { tickets[ticket]?.left == 0 }

    /// Takes a ticket back, settled or not. What is asked for is asked for none the less.
    ///
    /// - Returns: What has come of the ticket's keys.
    mutating func closeTicket(_ ticket: Int, of keys: [ServiceKey]) -> [ServiceAnswer?] {
        let got = tickets.removeValue(forKey: ticket)?.answers ?? [:]
        return keys.map { key in
            let answer = got[key]
            if answer == nil { flights.leave(key, ticket) }
            return answer
        }
    }

    // MARK: Errands

    /// The batches that leave, and when to look again for more; nil where nothing waits to be full.
    typealias Departure = (batches: [(kind: ServiceKey.Kind, keys: [ServiceKey])], wakeAt: UInt64?)

    /// Lets go what is gathered, as far as there is room for errands.
    ///
    /// - Parameter now: Nanoseconds on the run's clock.
    mutating func leave(room: Int, at now: UInt64) -> Departure {
        var dispatch: Departure = ([], nil)
        for kind in openBatches.keys.sorted(by: { ($0.urgency, $0.name) < ($1.urgency, $1.name) }) {
            gathering: while dispatch.batches.count < room {
                switch openBatches[kind]?.next(at: now) ?? .nothing {
                case .leave(let keys):
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

    /// An errand is back that so many keys left with.
    mutating func endRequest(of count: Int) { keysUnderWay -= count }

    /// Lets nothing go any more of what is gathered.
    mutating func callOff() { openBatches = [:] }

    /// Answers that are still to come, and the requests that those take which have not left.
    var backlog: (keys: Int, requests: Int) {
        var backlog = (keys: keysUnderWay, requests: 0)
        for (kind, gathering) in openBatches {
            backlog.keys += gathering.count
            let size = service.batchSize(of: kind)
            backlog.requests += (gathering.count + size - 1) / size
        }
        return backlog
    }

    // MARK: Answers

    /// Takes what the service said of keys, nil for one that it does not know.
    ///
    /// - Parameter instant: Milliseconds since 1970.
    /// - Returns: The tickets that are settled by it.
    mutating func land(_ answers: [(ServiceKey, CachedBody?)], fetchedAt instant: Int64) -> [Int] {
        var settled: [Int] = []
        for (key, body) in answers {
            let kept = CachedAnswer(body: body, fetchedAt: instant)
            standing[key] = nil
            copyFailure[key] = kept
            give(kept.answer ?? .notFound, to: key, &settled)
        }
        return settled
    }

    /// Takes note of keys that stay open.
    ///
    /// - Returns: The tickets that are settled by it.
    mutating func land(_ keys: [ServiceKey], open outcome: LookupOutcome) -> [Int] {
        var settled: [Int] = []
        for key in keys {
            standing[key] = nil
            give(.unanswered(outcome), to: key, &settled)
        }
        return settled
    }

    /// Takes note of another book's answer, which is never attached. A few runs ask again, each once; then it is
    /// settled that the service has nothing else to say.
    ///
    /// - Parameter instant: Milliseconds since 1970.
    /// - Returns: The tickets that are settled by it.
    mutating func landMismatch(_ key: ServiceKey, at instant: Int64) -> [Int] {
        let kept = CachedAnswer.wrong(after: standing.removeValue(forKey: key), at: instant)
        if wrong.note(key, kept) { copyFailure[key] = kept }
        var settled: [Int] = []
        give(MismatchedKeys.answer(kept), to: key, &settled)
        return settled
    }

    private mutating func give(_ answer: ServiceAnswer, to key: ServiceKey, _ settled: inout [Int]) {
        for number in flights.land(key) {
            tickets[number]?.answers[key] = answer
            tickets[number]?.left -= 1
            if tickets[number]?.left == 0 { settled.append(number) }
        }
    }

    /// Some answers are kept now; those that have come in their place meanwhile are not.
    mutating func noteKept(_ answers: [ServiceKey: CachedAnswer]) {
        for (key, kept) in answers where copyFailure[key] == kept { copyFailure[key] = nil }
    }

    /// Nothing is kept.
    mutating func keepNothing() { copyFailure.removeAll() }
}
