import Pipeline

/// One batch of keys on its way to the service and back: admission, attempts, pauses, and what each answer means.
///
/// Throttling does not use up attempts: who waits as long as told to has done nothing wrong. Keys that spoil a batch
/// are found by halving it.
struct BatchRequest: Sendable {
    let client: ServiceClient
    let kind: ServiceKey.Kind

    private var service: any Service { client.service }
    private var tools: ClientDependencies { client.tools }

    /// How an attempt ended.
    private enum Attempt {
        case settled
        /// Some keys are worth another attempt; what to call them if there is none.
        case again([ServiceKey], LookupOutcome)
        case throttled([ServiceKey])
        /// Each half goes by itself.
        case halved
    }

    /// Brings every key to an answer.
    func run(_ keys: [ServiceKey]) async {
        var (left, failed, throttlings) = (keys, 0, 0)
        while !left.isEmpty {
            let lease: Int64
            switch await client.line.leave(for: service.cost(of: left.count), at: client) {
            case .go(let granted): lease = granted
            case .remainder(let budget):
                // The service's cost of a batch grows with it: as many keys go as the budget allows.
                let count = (0..<left.count).last { service.cost(of: $0) <= budget } ?? 0
                await leave(Array(left[count...]), .quota)
                left.removeSubrange(count...)
                continue
            case .refused(let outcome): return await leave(left, outcome)
            }
            switch await attempt(left, lease) {
            case .settled: return
            case .halved:
                let middle = left.count / 2
                await run(Array(left[..<middle]))
                await run(Array(left[middle...]))
                return
            case .throttled(let keys):
                left = keys
                throttlings += 1
                if throttlings > ServiceHealth.throttlingLimit { return await leave(left, .rateLimited) }
            case .again(let keys, let outcome):
                left = keys
                failed += 1
                guard let pause = tools.retry.pause(afterFailed: failed, jitter: tools.jitter()) else {
                    if outcome != .wrongBook { return await leave(left, outcome) }
                    for key in left { await client.landMismatch(key) }
                    return
                }
                await tools.stop.pause(nanoseconds: pause, on: tools.clock)
            }
        }
    }

    // MARK: Pace

    /// Gives a lease back. The clock is read when the state is in hand, as for leave to ask.
    ///
    /// - Returns: Until when the budget is spent, if the service has said that it is.
    @discardableResult
    private func finish(_ lease: Int64, _ ending: LimiterState.Ending) async -> Int64? {
        let terms = service.terms
        let until = try? await tools.pace.change(service.account) { [tools] state in
            let now = tools.instant
            state.finish(lease, ending, at: now, terms: terms)
            return state.quota.exhaustedUntil > now ? state.quota.exhaustedUntil : nil
        }
        return until ?? nil
    }

    // MARK: An attempt

    private func attempt(_ keys: [ServiceKey], _ lease: Int64) async -> Attempt {
        let began = tools.clock.nanoseconds()
        await client.noteCall()
        let response: HTTPResponse
        do throws(HTTPFailure) {
            response = try await tools.transport.send(service.request(kind, keys.map(\.text)))
        } catch {
            return await failed(keys, lease, error)
        }
        let verdict = ResponseKind(response, now: tools.clock.epochMilliseconds())
        switch verdict {
        case .body:
            return await read(response.body, keys, lease, began)
        case .notFound:
            await answered(lease, tools.clock.nanoseconds() - began)
            await client.land(keys.map { ($0, nil) }, fetchedAt: tools.clock.epochMilliseconds())
            return .settled
        case .refusedRequest:
            return await refused(keys, lease, tools.clock.nanoseconds() - began)
        case .throttled(let pause):
            return await throttled(keys, lease, pause, began)
        case .quota:
            if let until = await finish(lease, .quotaSpent) { await client.noteQuota(until: until) }
            await leave(keys, .quota)
            return .settled
        case .blocked:
            await client.block()
            await finish(lease, .inconclusive)
            await leave(keys, .blocked)
            return .settled
        case .failed, .malformed:
            await client.noteFailure()
            await finish(lease, .failed)
            return .again(keys, verdict == .malformed ? .malformed : .down)
        }
    }

    private func read(
        _ body: [UInt8], _ keys: [ServiceKey], _ lease: Int64, _ began: UInt64
    ) async -> Attempt {
        let nanoseconds = tools.clock.nanoseconds() - began
        switch service.read(body, kind, keys.map(\.text)) {
        case .answers(let parts) where parts.count == keys.count:
            await answered(lease, nanoseconds)
            let wrong = await land(parts, of: keys)
            return wrong.isEmpty ? .settled : .again(wrong, .wrongBook)
        case .throttled(let pause):
            return await throttled(keys, lease, pause, began)
        case .refusedRequest:
            return await refused(keys, lease, nanoseconds)
        case .answers, .malformed:
            await client.noteFailure()
            await finish(lease, .failed)
            return .again(keys, .malformed)
        }
    }

    private func refused(_ keys: [ServiceKey], _ lease: Int64, _ nanoseconds: UInt64) async -> Attempt {
        await answered(lease, nanoseconds)
        if keys.count > 1 { return .halved }
        // A service that refuses to look for something has not got it.
        await client.land(keys.map { ($0, nil) }, fetchedAt: tools.clock.epochMilliseconds())
        return .settled
    }

    private func failed(_ keys: [ServiceKey], _ lease: Int64, _ failure: HTTPFailure) async -> Attempt {
        if failure == .canceled {
            await finish(lease, .inconclusive)
            await leave(keys, .skipped)
            return .settled
        }
        await client.noteFailure()
        await finish(lease, .failed)
        let outcome: LookupOutcome =
            failure == .timedOut ? .timeout : failure == .tooLarge ? .malformed : .down
        if failure.isWorthRetrying { return .again(keys, outcome) }
        await leave(keys, outcome)
        return .settled
    }

    private func throttled(
        _ keys: [ServiceKey], _ lease: Int64, _ milliseconds: Int64?, _ began: UInt64
    ) async -> Attempt {
        // The pause first: what is sent from here on is another round.
        await finish(lease, .throttled(pause: milliseconds.map { $0 * 1_000 }))
        await client.noteThrottling(ofCallStartedAt: began)
        return .throttled(keys)
    }

    private func answered(_ lease: Int64, _ nanoseconds: UInt64) async {
        await client.noteAnswer(after: nanoseconds)
        await finish(lease, .answered)
    }

    /// Brings home what the service said, each with its gist.
    ///
    /// - Returns: The keys in whose place other books came.
    private func land(_ parts: [ResponsePart], of keys: [ServiceKey]) async -> [ServiceKey] {
        let now = tools.clock.epochMilliseconds()
        var landed: [(ServiceKey, CachedBody?)] = []
        var wrong: [ServiceKey] = []
        for (key, part) in zip(keys, parts) {
            switch part {
            case .found(let words, let decoded):
                let decoded = decoded ?? service.decoded(of: words, kind, fetchedAt: now)
                landed.append((key, CachedBody(words: words, decoded: decoded?[...])))
            case .notFound: landed.append((key, nil))
            case .wrong: wrong.append(key)
            }
        }
        await client.land(landed, fetchedAt: now)
        return wrong
    }

    /// Leaves keys open.
    private func leave(_ keys: [ServiceKey], _ outcome: LookupOutcome) async {
        await client.land(keys, open: outcome)
    }
}

/// What an answer means, from its status, its fields and its body: the rules of contract.md section 8 and
/// providers.md, without a network.
enum ResponseKind: Sendable, Hashable {
    /// A body to be read.
    case body
    case notFound
    /// Refused for what was asked: one of the keys may have spoiled the batch.
    case refusedRequest
    /// Too fast; the milliseconds the service asks for.
    case throttled(Int64?)
    /// The day's budget is spent.
    case quota
    /// We are not let in: a wrong key, no contact in the User-Agent. Asking again helps nobody.
    case blocked
    /// The service's own trouble.
    case failed
    /// An answer that is none: a captive page, a redirect to nowhere.
    case malformed

    /// - Parameter now: Milliseconds since 1970.
    init(_ response: HTTPResponse, now: Int64) {
        let pause = response.fields["retry-after"].flatMap { RetryAfter.milliseconds($0, now: now) }
        switch response.status {
        case 200:
            // A page for people, from a portal or a proxy.
            let type = response.fields["content-type"] ?? ""
            self = type.hasPrefix("text/html") ? .malformed : .body
        case 404, 410: self = .notFound
        case 400: self = Self.speaksOfTheKey(Self.words(response.body)) ? .blocked : .refusedRequest
        case 413, 414, 422: self = .refusedRequest
        case 401: self = .blocked
        case 403:
            let words = Self.words(response.body)
            self =
                Self.speaksOfTheDay(words)
                ? .quota : words.contains("limit") || words.contains("quota") ? .throttled(pause) : .blocked
        case 429: self = Self.speaksOfTheDay(Self.words(response.body)) ? .quota : .throttled(pause)
        case 408, 500...599: self = .failed
        default: self = .malformed
        }
    }

    private static func words(_ body: [UInt8]) -> String {
        String(decoding: body.prefix(4_096), as: UTF8.self).lowercased()
    }

    /// Google refuses a wrong key with a 400: `API key not valid`, `API_KEY_INVALID`, `keyInvalid`.
    private static func speaksOfTheKey(_ words: String) -> Bool {
        ["api key", "api_key", "keyinvalid"].contains { words.contains($0) }
    }

    /// Google's `dailyLimitExceeded` and `defaultPerDayPerProject`, ISBNdb's `Daily quota exceeded`.
    private static func speaksOfTheDay(_ words: String) -> Bool {
        ["perday", "per day", "daily"].contains { words.contains($0) }
    }
}
