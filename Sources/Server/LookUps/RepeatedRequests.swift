package import System

/// Answers requests with idempotency keys. A request that is sent again gets the same answer, also if the server was
/// killed in between. Requests with the same key that arrive at the same time are done once.
package final class RepeatedRequests: Sendable {
    /// A key, and who uses it.
    package struct ID: Sendable, Hashable {
        /// The owner of the server's token; empty without one.
        package var owner: String
        package var key: String

        package init(owner: String, key: String) {
            self.owner = owner
            self.key = key
        }
    }

    /// Outcome of a request.
    package enum Outcome: Sendable {
        /// It has this answer, now and later.
        case kept(IdempotencyRecord)
        /// It was done, and may be done again.
        case made(Response)
        /// The key belongs to a request that asks something else.
        case asksOther
        /// Too much work waits.
        case busy(Places.Refusal)
        case failed(ETLError)
    }

    private struct Flight: Sendable {
        var question: String
        var replies: [@Sendable (Outcome) -> Void]
    }

    private enum Admission { case leads, follows, asksOther }

    private let queue: JobQueue
    private let pool: WorkPool
    private let clock: any RunClock
    private let flights = Guarded<[ID: Flight]>([:])

    /// - Parameter pool: Pool that handles the requests.
    package init(_ queue: JobQueue, on pool: WorkPool, clock: any RunClock) {
        self.queue = queue
        self.pool = pool
        self.clock = clock
    }

    /// Answers a request.
    ///
    /// - Parameters:
    ///   - client: The client whose turn it is in the pool.
    ///   - question: Content of the request. A request with the same key must ask the same.
    ///   - make: Does it. Its answer is kept if it is final: 200 or 404.
    ///   - reply: Called once, on some thread.
    package func answer(
        _ id: ID, of client: String, asking question: String,
        making make: @escaping @Sendable () async -> Response,
        _ reply: @escaping @Sendable (Outcome) -> Void
    ) {
        let admission = flights.withLock { flights -> Admission in
            guard let flight = flights[id] else {
                flights[id] = Flight(question: question, replies: [reply])
                return .leads
            }
            guard flight.question == question else { return .asksOther }
            flights[id]?.replies.append(reply)
            return .follows
        }
        switch admission {
        case .follows: return
        case .asksOther: return reply(.asksOther)
        case .leads: break
        }
        let refusal = pool.submit(of: client) { [self] _ in
            do throws(ETLError) {
                end(id, try await outcome(id, question, make))
            } catch {
                end(id, .failed(error))
            }
        }
        if let refusal { end(id, .busy(refusal)) }
    }

    private func end(_ id: ID, _ outcome: Outcome) {
        let flight = flights.withLock { $0.removeValue(forKey: id) }
        for reply in flight?.replies ?? [] { reply(outcome) }
    }

    private func outcome(
        _ id: ID, _ question: String, _ make: @Sendable () async -> Response
    ) async throws(ETLError) -> Outcome {
        if let kept = try await queue.idempotencyRecord(of: id.owner, id.key, now: clock.epochMilliseconds())
        {
            return kept.question == question ? .kept(kept) : .asksOther
        }
        let response = await make()
        // Failures are not kept: the next attempt may succeed.
        guard response.status == 200 || response.status == 404, case .bytes(let body) = response.body else {
            return .made(response)
        }
        let now = clock.epochMilliseconds()
        return .kept(
            try await queue.keep(
                IdempotencyRecord(
                    owner: id.owner, key: id.key, question: question, status: response.status, body: body,
                    expiresAt: now + IdempotencyRecord.lifetime), now: now))
    }
}
