import Pipeline

/// The line in which errands wait for leave to ask their service.
///
/// One change of the shared state asks for all who wait, in the order in which they came: each by itself would wait for
/// the state's file anew, and find there what the one before it has found.
final class AdmissionQueue: Sendable {
    enum Answer: Sendable {
        /// It may ask, and gives the lease back (``LimiterState/finish(_:_:at:terms:)``).
        case go(lease: Int64)
        /// The day's budget has no more than this left, which is less than was asked for.
        case remainder(Int)
        case refused(LookupOutcome)
    }

    private struct Request: Sendable {
        let cost: Int
        let waiter: CheckedContinuation<Answer, Never>
    }

    private struct State: Sendable {
        var waiting: [Request] = []
        /// The task that asks for those who wait; nil where nobody does.
        var asking: Task<Void, Never>?
    }

    /// Pauses longer than this are not waited for: the keys are left for another run.
    private static let longestWait: Int64 = 150_000_000
    /// Pauses of a second and more are told: somebody may wonder.
    private static let noteworthy: Int64 = 1_000_000

    private let state = Guarded(State())
    private let service: any Service
    private let tools: ClientDependencies

    init(_ service: any Service, _ tools: ClientDependencies) {
        self.service = service
        self.tools = tools
    }

    /// Waits until a request may go.
    ///
    /// - Parameter cost: What it takes of the day's budget.
    func leave(for cost: Int, at client: ServiceClient) async -> Answer {
        await withCheckedContinuation { waiter in
            state.withLock { state in
                state.waiting.append(Request(cost: cost, waiter: waiter))
                if state.asking == nil { state.asking = Task { await self.ask(for: client) } }
            }
        }
    }

    /// Ends a pause that is under way: whoever waits is told what the desk has to say then.
    func wake() { state.withLock { $0.asking?.cancel() } }

    // MARK: Asking

    private func ask(for client: ServiceClient) async {
        while let costs = costs() {
            if let refusal = await client.refusal {
                for _ in costs { tell(.refused(refusal)) }
                continue
            }
            let (terms, owner) = (service.terms, tools.pace.owner)
            // The clock is read when the state is in hand: others may have changed it meanwhile, and leases they took
            // since would seem to have come from a clock that was set back.
            let answer = try? await tools.pace.change(service.account) { [tools] state in
                let now = tools.instant
                var admissions: [LimiterState.Admission] = []
                for cost in costs {
                    let admission = state.admit(cost: cost, at: now, terms: terms, owner: owner)
                    admissions.append(admission)
                    guard case .go = admission else { break }
                }
                let left = state.quota.left(at: now, budget: terms.quota) ?? 0
                return (admissions: admissions, left: Int(left), now: now)
            }
            // Where the state cannot be reached nobody is asked: politeness goes before answers.
            guard let answer else {
                for _ in costs { tell(.refused(.skipped)) }
                continue
            }
            for admission in answer.admissions {
                await take(admission, left: answer.left, now: answer.now, client)
            }
        }
    }

    /// What those who wait cost; nil, and nobody asks any more, where there is none.
    private func costs() -> [Int]? {
        state.withLock { state in
            if state.waiting.isEmpty { state.asking = nil }
            return state.waiting.isEmpty ? nil : state.waiting.map(\.cost)
        }
    }

    /// Tells the first in the line, or waits for them all.
    ///
    /// - Parameter left: What is left of the day's budget.
    private func take(
        _ admission: LimiterState.Admission, left: Int, now: Int64, _ client: ServiceClient
    ) async {
        switch admission {
        case .go(let lease): tell(.go(lease: lease))
        case .refuse(.quota, let until):
            await client.noteQuota(until: until)
            tell(left > 0 ? .remainder(left) : .refused(.quota))
        case .wait(let until):
            guard until - now <= Self.longestWait else { return tell(.refused(.rateLimited)) }
            await pause(until - now, client)
        case .refuse(.down, let until):
            guard until - now <= Self.longestWait, await client.isWorthWaitingFor else {
                return await leaveAlone(until: until, client)
            }
            await pause(until - now, client)
        case .refuse(.probing, let until):
            // Another call's answer is waited for, not an instant.
            guard await client.isWorthWaitingFor else { return await leaveAlone(until: until, client) }
            await pause(min(until - now, service.terms.leasePolling), client)
        }
    }

    private func leaveAlone(until instant: Int64, _ client: ServiceClient) async {
        await client.noteLeftAlone(until: instant)
        tell(.refused(.down))
    }

    private func tell(_ answer: Answer) {
        state.withLock { $0.waiting.removeFirst() }.waiter.resume(returning: answer)
    }

    private func pause(_ microseconds: Int64, _ client: ServiceClient) async {
        if microseconds >= Self.noteworthy { await client.notePause(until: tools.instant + microseconds) }
        await tools.stop.pause(nanoseconds: UInt64(max(1_000, microseconds)) * 1_000, on: tools.clock)
    }
}
