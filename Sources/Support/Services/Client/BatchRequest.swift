import System

/// One batch of keys that is asked of the service: admission, attempts, pauses, and the meaning of each
/// response.
///
/// Throttling does not use up attempts, because the request itself was not wrong. Keys that make a batch fail
/// are found by halving it (``BatchHalving``).
struct BatchRequest: Sendable {
    let client: ServiceClient
    let kind: ServiceKey.Kind

    private var service: any Service { client.service }
    private var dependencies: ClientDependencies { client.dependencies }

    /// Outcome of an attempt.
    private enum Attempt {
        case answered
        /// The keys were left unanswered.
        case open
        /// Some keys are worth another attempt. The outcome is theirs if there is no further attempt.
        case again([ServiceKey], LookupOutcome)
        case throttled([ServiceKey])
        /// The service refused the request because of its content.
        case refused(ServiceError)
    }

    /// Outcome of a part of the batch, after all its attempts.
    private enum End {
        case answered, open
        /// The service refused these keys. Others of the part were answered.
        case refused([ServiceKey], ServiceError)
    }

    /// Gets an outcome for every key.
    func run(_ keys: [ServiceKey]) async {
        var halving = BatchHalving(keys)
        var throttlings = 0
        var refusal: ServiceError?
        while let part = halving.next() {
            switch await send(part, &throttlings) {
            case .answered: halving.noteAnswered()
            case .open: halving.noteOpen()
            case .refused(let keys, let error):
                halving.noteRefused(keys)
                refusal = error
            }
        }
        if let refusal { await settle(halving, refusal) }
    }

    /// Determines the meaning of refused keys: the service does not have them, or it refuses all requests.
    private func settle(_ halving: BatchHalving, _ error: ServiceError) async {
        let open = halving.refused + halving.rest
        guard !open.isEmpty else { return }
        var isAnswer = halving.hasAnswers || service.hasRecordAddresses(of: kind)
        if !isAnswer, open.count < ServiceHealth.refusalLimit {
            isAnswer = await client.settlesRefusal(of: kind)
        }
        if isAnswer {
            let now = dependencies.clock.epochMilliseconds()
            await client.complete(halving.refused.map { ($0, nil) }, fetchedAt: now)
            await leaveOpen(halving.rest, .skipped)
        } else {
            await client.noteError(error, to: kind, count: open.count)
            await leaveOpen(open, .requestRejected)
        }
    }

    /// Sends a part of the batch until it is answered or refused, or left open.
    ///
    /// - Parameter throttlings: Number of throttled requests of the batch.
    private func send(_ keys: [ServiceKey], _ throttlings: inout Int) async -> End {
        var (left, failed) = (keys, 0)
        while !left.isEmpty {
            if await client.isRefused(kind) { return await leaveOpen(left, .requestRejected) }
            let lease: Int64
            switch await client.admissionQueue.admit(cost: service.cost(of: left.count), for: client) {
            case .go(let granted): lease = granted
            case .remainder(let budget):
                // The cost grows with the batch: the number of keys is limited by the budget.
                let count = (0..<left.count).last { service.cost(of: $0) <= budget } ?? 0
                await leaveOpen(Array(left[count...]), .quota)
                left.removeSubrange(count...)
                continue
            case .refused(let outcome): return await leaveOpen(left, outcome)
            }
            let isLast = failed + 1 >= dependencies.retry.attempts
            switch await attempt(left, lease, isLast: isLast) {
            case .answered: return .answered
            case .open: return .open
            case .refused(let error): return .refused(left, error)
            case .throttled(let keys):
                left = keys
                throttlings += 1
                if throttlings > ServiceHealth.overloadLimit { return await leaveOpen(left, .rateLimited) }
            case .again(let keys, let outcome):
                left = keys
                failed += 1
                guard let pause = dependencies.retry.pause(afterFailed: failed, jitter: dependencies.jitter())
                else {
                    if outcome != .mismatch { return await leaveOpen(left, outcome) }
                    for key in left { await client.receiveMismatch(key) }
                    return .answered
                }
                await client.rest(nanoseconds: pause)
            }
        }
        return .open
    }

    // MARK: Rate limits

    /// Returns a lease. The clock is read while the state is locked, as it is when a lease is taken.
    ///
    /// - Returns: The limiter's state; nil if it is not accessible.
    @discardableResult
    private func finish(_ lease: Int64, _ ending: LimiterState.Ending) async -> LimiterState? {
        let limits = service.limits
        return try? await dependencies.limiter.change(service.account) { [dependencies] state in
            state.finish(lease, ending, at: dependencies.instant, limits: limits)
            return state
        }
    }

    // MARK: Attempts

    /// - Parameter isLast: Whether it is not repeated. Any other is given up when an answer is no longer likely, so
    ///   that requests to which the service stays silent hold up few others.
    private func attempt(_ keys: [ServiceKey], _ lease: Int64, isLast: Bool) async -> Attempt {
        let began = dependencies.clock.nanoseconds()
        await client.noteCall()
        var request = service.request(kind, keys.map(\.text))
        let isOfOne = keys.count == 1 && request.body == nil
        let validator = isOfOne ? await client.validator(of: keys[0]) : nil
        if let validator { request.fields += validator.fields }
        if !isLast, let usual = await client.metrics.usualTimeLimit(of: kind) {
            request.timeLimit = min(request.timeLimit, usual)
        }
        let response: HTTPResponse
        do throws(HTTPFailure) {
            response = try await dependencies.transport.send(request)
        } catch {
            return await failed(keys, lease, error, ServiceError(error.detail, address: request.address))
        }
        if response.status == 304, validator != nil {
            await answered(lease, dependencies.clock.nanoseconds() - began)
            await client.confirm(keys[0], at: dependencies.clock.epochMilliseconds())
            return .answered
        }
        let meaning = ResponseKind(
            response, to: kind, of: service, now: dependencies.clock.epochMilliseconds())
        let error = ServiceError(response.status, address: request.address)
        switch meaning {
        case .body:
            return await read(
                response.body, keys, lease, began, error, validator: isOfOne ? CacheValidator(response) : nil)
        case .notFound:
            await answered(lease, dependencies.clock.nanoseconds() - began)
            await client.complete(keys.map { ($0, nil) }, fetchedAt: dependencies.clock.epochMilliseconds())
            return .answered
        case .refusedRequest:
            await finish(lease, .inconclusive)
            return .refused(error)
        case .wrongAddress:
            await client.noteError(error, to: kind, count: 1)
            await finish(lease, .inconclusive)
            return await open(keys, .requestRejected)
        case .throttled(let pause):
            return await throttled(keys, lease, pause)
        case .quota:
            if let state = await finish(lease, .quotaSpent) {
                await client.noteQuota(until: state.quota.exhaustedUntil)
            }
            return await open(keys, .quota)
        case .blocked: return await blocked(keys, lease, error)
        case .failed: return await failed(keys, lease, .serverError, error)
        case .webPage: return await failed(keys, lease, .webPage, error)
        }
    }

    /// Records rejected credentials. If the service has accepted them before, the attempt has failed: firewalls
    /// reject single requests, and many in a row open the circuit breaker.
    private func blocked(_ keys: [ServiceKey], _ lease: Int64, _ error: ServiceError) async -> Attempt {
        let answersNow = await client.hasAnswered
        let isAccepted =
            answersNow ? true : try? await dependencies.limiter.change(service.account) { $0.hasAnswered }
        guard isAccepted == true else {
            await client.block(error)
            await finish(lease, .inconclusive)
            return await open(keys, .blocked)
        }
        return await failed(keys, lease, answersNow ? .serverError : .blocked, error)
    }

    /// Records a failed attempt after which others may succeed.
    private func failed(
        _ keys: [ServiceKey], _ lease: Int64, _ outcome: LookupOutcome, _ error: ServiceError
    ) async -> Attempt {
        await client.noteFailure(outcome, error, lease)
        await finish(lease, .failed)
        return .again(keys, outcome)
    }

    /// - Parameters:
    ///   - error: Meaning of the response if its body is an error.
    ///   - validator: That of the response, if it is about one key.
    private func read(
        _ body: [UInt8], _ keys: [ServiceKey], _ lease: Int64, _ began: UInt64, _ error: ServiceError,
        validator: CacheValidator?
    ) async -> Attempt {
        switch service.read(body, kind, keys.map(\.text)) {
        case .answers(let parts) where parts.count == keys.count:
            await answered(lease, dependencies.clock.nanoseconds() - began)
            let mismatches = await deliver(parts, of: keys, validator)
            return mismatches.isEmpty ? .answered : .again(mismatches, .mismatch)
        case .throttled(let pause):
            return await throttled(keys, lease, pause)
        case .overloaded(let pause):
            return await throttled(keys, lease, pause, isOverloaded: true)
        case .refusedRequest:
            await finish(lease, .inconclusive)
            return .refused(error)
        case .answers, .malformed: return await failed(keys, lease, .malformed, error)
        }
    }

    private func failed(
        _ keys: [ServiceKey], _ lease: Int64, _ failure: HTTPFailure, _ error: ServiceError
    ) async -> Attempt {
        if failure == .canceled {
            await finish(lease, .inconclusive)
            return await open(keys, .stopped)
        }
        let attempt = await failed(keys, lease, LookupOutcome(failure), error)
        return failure.isWorthRetrying ? attempt : await open(keys, LookupOutcome(failure))
    }

    private func throttled(
        _ keys: [ServiceKey], _ lease: Int64, _ milliseconds: Int64?, isOverloaded: Bool = false
    ) async -> Attempt {
        // Each further pause in a row is twice as long.
        let shortest =
            isOverloaded ? 0 : service.limits.throttlePause << min(8, await client.throttlingsInARow)
        let pause = max(milliseconds.map { $0 * 1_000 } ?? 0, shortest)
        // Requests admitted after the pause was recorded count as another round.
        let state = await finish(lease, .throttled(pause: pause))
        await client.noteThrottling(
            lease, grantedBeforePause: state?.lastLease ?? lease, isOverloaded: isOverloaded,
            until: state?.limiter.pausedUntil ?? dependencies.instant + pause)
        return .throttled(keys)
    }

    private func answered(_ lease: Int64, _ nanoseconds: UInt64) async {
        await client.noteAnswer(to: kind, lease, after: nanoseconds)
        await finish(lease, .answered)
    }

    /// Passes the parts of a response to the client, each with its decoded form.
    ///
    /// - Returns: The keys with mismatches.
    private func deliver(
        _ parts: [ResponsePart], of keys: [ServiceKey], _ validator: CacheValidator?
    ) async -> [ServiceKey] {
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
        await client.complete(delivered, fetchedAt: now, validator: validator)
        await client.saveIfBilled()
        return mismatches
    }

    /// Leaves keys unanswered.
    @discardableResult
    private func leaveOpen(_ keys: [ServiceKey], _ outcome: LookupOutcome) async -> End {
        await client.complete(keys, open: outcome)
        return .open
    }

    private func open(_ keys: [ServiceKey], _ outcome: LookupOutcome) async -> Attempt {
        await leaveOpen(keys, outcome)
        return .open
    }
}

extension LookupOutcome {
    /// The outcome of keys whose request failed.
    fileprivate init(_ failure: HTTPFailure) {
        self =
            switch failure {
            case .timedOut: .timeout
            case .unreachable: .unreachable
            case .refused: .connectionRefused
            case .cutOff: .cutOff
            case .insecure: .insecure
            case .tooLarge: .tooLarge
            case .forbiddenAddress: .redirectRefused
            case .tooManyRedirects: .redirectLoop
            case .canceled: .stopped
            }
    }
}
