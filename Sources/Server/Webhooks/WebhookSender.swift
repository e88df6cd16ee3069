package import Services
package import System

/// Tells another program when jobs end: sends the messages that the queue keeps, one after the other, and tries again
/// what has not arrived. Jobs never wait for it.
package final class WebhookSender: Sendable {
    /// Where messages go, and how they are signed.
    package struct Settings: Sendable {
        package var url: String
        /// The key of the signature.
        package var secret: [UInt8]
        package var transport: any HTTPTransport

        package init(url: String, secret: [UInt8], transport: any HTTPTransport) {
            self.url = url
            self.secret = secret
            self.transport = transport
        }

        /// With libcurl.
        ///
        /// - Parameter environment: The variables with proxies and certificates.
        /// - Throws: `.temporary` if the process may not have another thread.
        package init(
            url: String, secret: [UInt8], version: String, environment: [String: String]
        ) throws(ETLError) {
            let client: CurlClient
            do throws(HTTPFailure) {
                client = try CurlClient(version: version, contact: nil, environment: environment)
            } catch {
                throw ETLError(.temporary, "HTTP cannot be used, so the webhook cannot be told anything.")
            }
            self.init(url: url, secret: secret, transport: client)
        }
    }

    private struct State: Sendable {
        var waiting = 0
        var lost = 0
        /// What came of a message, if the queue could not be written. The message is not sent again for that.
        var unwritten: Outcome?
    }

    /// What came of an attempt.
    private enum Outcome: Sendable {
        /// The message has arrived, or is given up.
        case done(WebhookDelivery)
        /// It is sent again later.
        case later(WebhookDelivery)
    }

    private let settings: Settings
    private let queue: JobQueue
    private let clock: any RunClock
    private let log: AccessLog?
    private let task = RepeatedTask()
    private let state = Guarded(State())

    package init(_ settings: Settings, _ queue: JobQueue, log: AccessLog?, clock: any RunClock) {
        self.settings = settings
        self.queue = queue
        self.log = log
        self.clock = clock
    }

    /// Number of messages that have not arrived, and of those that were given up since the start.
    package var counts: (waiting: Int, lost: Int) { state.withLock { ($0.waiting, $0.lost) } }

    /// Sends what is due. Call it a few times a second.
    package func tick() { task.begin { { [self] in await sendDue() } } }

    /// Sends nothing more. What has not arrived is sent by the next process.
    package func stop() async { await task.stop(canceling: true) }

    private func sendDue() async {
        do throws(ETLError) {
            if let outcome = state.withLock({ $0.unwritten }) { try await write(outcome) }
            while !Task.isCancelled {
                let next = try await queue.nextDelivery(at: clock.epochMilliseconds())
                state.withLock { $0.waiting = next.waiting }
                guard let delivery = next.delivery else { return }
                let failure = await send(delivery)
                if Task.isCancelled { return }
                try await write(failure.map { outcome(of: delivery, $0) } ?? .done(delivery))
            }
        } catch {
            // The file of the queue cannot be written now.
        }
    }

    private func write(_ outcome: Outcome) async throws(ETLError) {
        state.withLock { $0.unwritten = outcome }
        switch outcome {
        case .done(let delivery): try await queue.remove(delivery)
        case .later(let delivery): try await queue.postpone(delivery)
        }
        state.withLock { $0.unwritten = nil }
    }

    private func outcome(of delivery: WebhookDelivery, _ failure: Failure) -> Outcome {
        var delivery = delivery
        let isKept = delivery.fail(at: clock.epochMilliseconds(), pause: failure.pause)
        note(delivery, failure.reason, isKept: isKept)
        guard !isKept else { return .later(delivery) }
        state.withLock { $0.lost += 1 }
        return .done(delivery)
    }

    private struct Failure {
        var reason: String
        /// How long the receiver asks to wait, in milliseconds; nil if it does not say.
        var pause: Int64?
    }

    /// - Returns: Nil if the receiver has taken the message.
    private func send(_ delivery: WebhookDelivery) async -> Failure? {
        let now = clock.epochMilliseconds()
        let seconds = "\(now / 1_000)"
        let signature = MessageCode.sha256(
            of: Array("\(seconds).".utf8) + delivery.body, key: settings.secret)
        // The operator has chosen the address, so it may be in a private network.
        let request = HTTPRequest(
            settings.url,
            fields: [
                .init("Content-Type", "application/json"), .init("X-Etl-Event", delivery.event),
                .init("X-Etl-Delivery", delivery.id), .init("X-Etl-Timestamp", seconds),
                .init("X-Etl-Signature", "sha256=\(signature)", isSecret: true),
            ], body: delivery.body, timeLimit: 10_000_000_000, byteLimit: 1 << 20, allowsPrivateNetwork: true)
        do throws(HTTPFailure) {
            let response = try await settings.transport.send(request)
            if (200..<300).contains(response.status) { return nil }
            return Failure(
                reason: "The receiver has answered \(response.status).",
                pause: response.fields["retry-after"].flatMap { RetryAfter.milliseconds($0, now: now) })
        } catch {
            return Failure(reason: "The receiver was not reached: \(error.detail ?? "\(error)").")
        }
    }

    private func note(_ delivery: WebhookDelivery, _ reason: String, isKept: Bool) {
        log?.add(
            AccessLog.Event(
                time: clock.epochMilliseconds(), name: "webhook", job: nil,
                result: isKept ? "failed" : "lost",
                sentence: "\(reason) Attempt \(delivery.failures) of message \(delivery.id)."))
    }
}
