import System

/// The queue in which requests wait until the limiter admits them.
///
/// One change of the shared state decides for all waiting requests, in order. Otherwise each request would
/// have to wait for the state's file, only to get the same result as the one before it.
final class AdmissionQueue: Sendable {
    enum Answer: Sendable {
        /// The request may be sent. The lease must be returned (``LimiterState/finish(_:_:at:limits:)``).
        case go(lease: Int64)
        /// The daily budget has only this much left, less than requested.
        case remainder(Int)
        case refused(LookupOutcome)
    }

    private struct Request: Sendable {
        let cost: Int
        let waiter: CheckedContinuation<Answer, Never>
    }

    /// Decisions of the limiter for the waiting requests.
    private struct Admissions: Sendable {
        var admissions: [LimiterState.Admission]
        /// Remaining daily budget.
        var left: Int
        /// When it decided, in microseconds since 1970.
        var now: Int64
    }

    private struct State: Sendable {
        var waiting: [Request] = []
        /// The task that asks the limiter for all waiting requests; nil if none waits.
        var asking: Task<Void, Never>?
    }

    /// Pauses from this length on are reported to the user, in microseconds.
    private static let reportedPause: Int64 = 1_000_000

    private let state = Guarded(State())
    private let service: any Service
    private let dependencies: ClientDependencies
    /// ``ClientDependencies/longestPause`` in microseconds.
    private var longestPause: Int64 { Int64(dependencies.longestPause / 1_000) }

    init(_ service: any Service, _ dependencies: ClientDependencies) {
        self.service = service
        self.dependencies = dependencies
    }

    /// Waits until a request may be sent.
    ///
    /// - Parameter cost: Its cost in units of the daily budget.
    func admit(cost: Int, for client: ServiceClient) async -> Answer {
        await withCheckedContinuation { waiter in
            state.withLock { state in
                state.waiting.append(Request(cost: cost, waiter: waiter))
                if state.asking == nil { state.asking = Task { await self.ask(for: client) } }
            }
        }
    }

    /// Ends a pause under way. Waiting requests then get the client's current answer.
    func wake() { state.withLock { $0.asking?.cancel() } }

    // MARK: Asking

    private func ask(for client: ServiceClient) async {
        while let costs = costs() {
            if let refusal = await client.refusal {
                for _ in costs { reply(.refused(refusal)) }
                continue
            }
            let allowed = dependencies.budget?.take(costs.count) ?? costs.count
            if allowed == 0 {
                for _ in costs { reply(.refused(.stopped)) }
                continue
            }
            let (limits, owner) = (service.limits, dependencies.limiter.owner)
            // The clock is read while the state is locked. Other processes may have changed the state in the
            // meantime, and leases they took since would look as if the clock had been set back.
            let answer: Admissions
            do throws(ETLError) {
                answer = try await dependencies.limiter.change(service.account) { [dependencies] state in
                    let now = dependencies.instant
                    var admissions: [LimiterState.Admission] = []
                    for cost in costs.prefix(allowed) {
                        let admission = state.admit(cost: cost, at: now, limits: limits, owner: owner)
                        admissions.append(admission)
                        guard case .go = admission else { break }
                    }
                    let left = state.quota.left(at: now, budget: limits.quota) ?? 0
                    return Admissions(admissions: admissions, left: Int(left), now: now)
                }
            } catch {
                // If the state cannot be accessed, the service is not asked: respecting its limits is more
                // important than answers.
                dependencies.budget?.giveBack(allowed)
                await client.noteLimiterFailure(error)
                for _ in costs { reply(.refused(.skipped)) }
                continue
            }
            let sent = answer.admissions.count { if case .go = $0 { true } else { false } }
            dependencies.budget?.giveBack(allowed - sent)
            for admission in answer.admissions {
                await take(admission, left: answer.left, now: answer.now, client)
            }
        }
    }

    /// The costs of the waiting requests. If there are none, returns nil and ends the task.
    private func costs() -> [Int]? {
        state.withLock { state in
            if state.waiting.isEmpty { state.asking = nil }
            return state.waiting.isEmpty ? nil : state.waiting.map(\.cost)
        }
    }

    /// Answers the first request in the queue, or pauses for all of them.
    ///
    /// - Parameter left: Remaining daily budget.
    private func take(
        _ admission: LimiterState.Admission, left: Int, now: Int64, _ client: ServiceClient
    ) async {
        switch admission {
        case .go(let lease): reply(.go(lease: lease))
        case .refuse(.quota, let until):
            await client.noteQuota(until: until)
            reply(left > 0 ? .remainder(left) : .refused(.quota))
        case .wait(let until):
            guard until - now <= longestPause else {
                await client.noteThrottled(until: until)
                return reply(.refused(.rateLimited))
            }
            await pause(until - now, client)
        case .refuse(.down, let until):
            guard until - now <= longestPause, await client.isWorthWaitingFor else {
                return await refuseDown(until: until, client)
            }
            await pause(until - now, client)
        case .refuse(.probing, let until):
            // This waits for another request's response, not for an instant.
            guard await client.isWorthWaitingFor else { return await refuseDown(until: until, client) }
            await pause(min(until - now, service.limits.leasePolling), client)
        }
    }

    private func refuseDown(until instant: Int64, _ client: ServiceClient) async {
        reply(.refused(await client.noteSuspended(until: instant)))
    }

    private func reply(_ answer: Answer) {
        state.withLock { $0.waiting.removeFirst() }.waiter.resume(returning: answer)
    }

    private func pause(_ microseconds: Int64, _ client: ServiceClient) async {
        if microseconds >= Self.reportedPause {
            await client.notePause(until: dependencies.instant + microseconds)
        }
        await dependencies.stop.pause(
            nanoseconds: UInt64(max(1_000, microseconds)) * 1_000, on: dependencies.clock)
    }
}
