import Pipeline

/// One batch of keys that is asked of the service: admission, attempts, pauses, and the meaning of each
/// response.
///
/// Throttling does not use up attempts, because the request itself was not wrong. Keys that make a batch fail
/// are found by halving it.
struct BatchRequest: Sendable {
    let client: ServiceClient
    let kind: ServiceKey.Kind

    private var service: any Service { client.service }
    private var dependencies: ClientDependencies { client.dependencies }

    /// How an attempt ended.
    private enum Attempt {
        case answered
        /// Some keys are worth another attempt. The outcome is theirs if there is no further attempt.
        case again([ServiceKey], LookupOutcome)
        case throttled([ServiceKey])
        /// Each half is sent separately.
        case halved
    }

    /// Gets an outcome for every key.
    func run(_ keys: [ServiceKey]) async {
        var (left, failed, throttlings) = (keys, 0, 0)
        while !left.isEmpty {
            let lease: Int64
            switch await client.admissionQueue.admit(cost: service.cost(of: left.count), for: client) {
            case .go(let granted): lease = granted
            case .remainder(let budget):
                // The cost grows with the batch: as many keys are sent as the budget allows.
                let count = (0..<left.count).last { service.cost(of: $0) <= budget } ?? 0
                await leaveOpen(Array(left[count...]), .quota)
                left.removeSubrange(count...)
                continue
            case .refused(let outcome): return await leaveOpen(left, outcome)
            }
            switch await attempt(left, lease) {
            case .answered: return
            case .halved:
                let middle = left.count / 2
                await run(Array(left[..<middle]))
                await run(Array(left[middle...]))
                return
            case .throttled(let keys):
                left = keys
                throttlings += 1
                if throttlings > ServiceHealth.throttlingLimit { return await leaveOpen(left, .rateLimited) }
            case .again(let keys, let outcome):
                left = keys
                failed += 1
                guard let pause = dependencies.retry.pause(afterFailed: failed, jitter: dependencies.jitter())
                else {
                    if outcome != .mismatch { return await leaveOpen(left, outcome) }
                    for key in left { await client.receiveMismatch(key) }
                    return
                }
                await dependencies.stop.pause(nanoseconds: pause, on: dependencies.clock)
            }
        }
    }

    // MARK: Rate limits

    /// Returns a lease. The clock is read while the state is locked, as it is when a lease is taken.
    ///
    /// - Returns: When the budget is renewed, if the service has said that it is spent.
    @discardableResult
    private func finish(_ lease: Int64, _ ending: LimiterState.Ending) async -> Int64? {
        let limits = service.limits
        let until = try? await dependencies.limiter.change(service.account) { [dependencies] state in
            let now = dependencies.instant
            state.finish(lease, ending, at: now, limits: limits)
            return state.quota.isExhausted(at: now) ? state.quota.exhaustedUntil : nil
        }
        return until ?? nil
    }

    // MARK: Attempts

    private func attempt(_ keys: [ServiceKey], _ lease: Int64) async -> Attempt {
        let began = dependencies.clock.nanoseconds()
        await client.noteCall()
        let response: HTTPResponse
        do throws(HTTPFailure) {
            response = try await dependencies.transport.send(service.request(kind, keys.map(\.text)))
        } catch {
            return await failed(keys, lease, error)
        }
        let meaning = ResponseKind(response, of: service, now: dependencies.clock.epochMilliseconds())
        switch meaning {
        case .body:
            return await read(response.body, keys, lease, began)
        case .notFound:
            await answered(lease, dependencies.clock.nanoseconds() - began)
            await client.complete(keys.map { ($0, nil) }, fetchedAt: dependencies.clock.epochMilliseconds())
            return .answered
        case .refusedRequest:
            return await refused(keys, lease, dependencies.clock.nanoseconds() - began)
        case .throttled(let pause):
            return await throttled(keys, lease, pause, began)
        case .quota:
            if let until = await finish(lease, .quotaSpent) { await client.noteQuota(until: until) }
            await leaveOpen(keys, .quota)
            return .answered
        case .blocked:
            await client.block()
            await finish(lease, .inconclusive)
            await leaveOpen(keys, .blocked)
            return .answered
        case .failed, .malformed:
            await client.noteFailure()
            await finish(lease, .failed)
            return .again(keys, meaning == .malformed ? .malformed : .down)
        }
    }

    private func read(
        _ body: [UInt8], _ keys: [ServiceKey], _ lease: Int64, _ began: UInt64
    ) async -> Attempt {
        let nanoseconds = dependencies.clock.nanoseconds() - began
        switch service.read(body, kind, keys.map(\.text)) {
        case .answers(let parts) where parts.count == keys.count:
            await answered(lease, nanoseconds)
            let mismatches = await deliver(parts, of: keys)
            return mismatches.isEmpty ? .answered : .again(mismatches, .mismatch)
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
        // If a service refuses to look for a key, it does not have it.
        await client.complete(keys.map { ($0, nil) }, fetchedAt: dependencies.clock.epochMilliseconds())
        return .answered
    }

    private func failed(_ keys: [ServiceKey], _ lease: Int64, _ failure: HTTPFailure) async -> Attempt {
        if failure == .canceled {
            await finish(lease, .inconclusive)
            await leaveOpen(keys, .skipped)
            return .answered
        }
        await client.noteFailure()
        await finish(lease, .failed)
        let outcome: LookupOutcome =
            failure == .timedOut ? .timeout : failure == .tooLarge ? .malformed : .down
        if failure.isWorthRetrying { return .again(keys, outcome) }
        await leaveOpen(keys, outcome)
        return .answered
    }

    private func throttled(
        _ keys: [ServiceKey], _ lease: Int64, _ milliseconds: Int64?, _ began: UInt64
    ) async -> Attempt {
        // The pause is recorded first: requests sent from here on count as another round.
        await finish(lease, .throttled(pause: milliseconds.map { $0 * 1_000 }))
        await client.noteThrottling(ofCallStartedAt: began)
        return .throttled(keys)
    }

    private func answered(_ lease: Int64, _ nanoseconds: UInt64) async {
        await client.noteAnswer(after: nanoseconds)
        await finish(lease, .answered)
    }

    /// Passes the parts of a response to the client, each with its decoded form.
    ///
    /// - Returns: The keys with mismatches.
    private func deliver(_ parts: [ResponsePart], of keys: [ServiceKey]) async -> [ServiceKey] {
        let now = dependencies.clock.epochMilliseconds()
        var delivered: [(ServiceKey, CachedBody?)] = []
        var mismatches: [ServiceKey] = []
        for (key, part) in zip(keys, parts) {
            switch part {
            case .found(let words, let decoded):
                let decoded = decoded ?? service.decoded(of: words, kind, fetchedAt: now)
                delivered.append((key, CachedBody(words: words, decoded: decoded?[...])))
            case .notFound: delivered.append((key, nil))
            case .mismatch: mismatches.append(key)
            }
        }
        await client.complete(delivered, fetchedAt: now)
        return mismatches
    }

    /// Leaves keys unanswered.
    private func leaveOpen(_ keys: [ServiceKey], _ outcome: LookupOutcome) async {
        await client.complete(keys, open: outcome)
    }
}

/// What a response means. Decided from its status, header fields and body, and from the service's words.
enum ResponseKind: Sendable, Hashable {
    /// A body to parse.
    case body
    case notFound
    /// The request was refused because of its content. One of the keys may have made the batch fail.
    case refusedRequest
    /// Too many requests. The value is the pause the service asks for, in milliseconds.
    case throttled(Int64?)
    /// The daily budget is spent.
    case quota
    /// Our credentials were rejected: a wrong key, or no contact in the User-Agent. Retrying does not help.
    case blocked
    /// An error of the service.
    case failed
    /// An unusable response: a captive portal's page, or a redirect without a target.
    case malformed

    /// - Parameter now: Milliseconds since 1970.
    init(_ response: HTTPResponse, of service: any Service, now: Int64) {
        let text = Self.text(response)
        switch service.refusal(status: response.status, text: text) {
        case .credentials: self = .blocked
        case .dailyBudget: self = .quota
        case nil: self.init(response, text, now: now)
        }
    }

    /// - Parameter text: The beginning of the body, in lower case.
    private init(_ response: HTTPResponse, _ text: String, now: Int64) {
        let pause = response.fields["retry-after"].flatMap { RetryAfter.milliseconds($0, now: now) }
        switch response.status {
        case 200:
            // A web page from a portal or a proxy.
            let type = response.fields["content-type"] ?? ""
            self = type.hasPrefix("text/html") ? .malformed : .body
        case 404, 410: self = .notFound
        case 400, 413, 414, 422: self = .refusedRequest
        case 401: self = .blocked
        case 403: self = text.contains("limit") || text.contains("quota") ? .throttled(pause) : .blocked
        case 429: self = .throttled(pause)
        case 408, 500...599: self = .failed
        default: self = .malformed
        }
    }

    /// The beginning of an error's body, in lower case.
    private static func text(_ response: HTTPResponse) -> String {
        response.status == 200
            ? "" : String(decoding: response.body.prefix(4_096), as: UTF8.self).lowercased()
    }
}
