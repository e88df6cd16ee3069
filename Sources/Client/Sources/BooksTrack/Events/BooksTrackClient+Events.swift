public import Foundation

/// Following jobs.
extension BooksTrackClient {
    /// The events of a job until its last one.
    ///
    /// They come over a WebSocket. If it breaks, the client connects again and is told the state; if that fails as often as
    /// the policy allows, or the service or a proxy has no WebSockets, it reads the service's stream of events, behind the
    /// last event. If that fails too, it asks for the status every two seconds, and tries the better channels again after
    /// half a minute. It ends with an error only if no channel is left, so with the default ones if the status cannot be
    /// had either, or the job is not there or its token is not valid. An update never comes twice.
    ///
    /// - Parameters:
    ///   - job: The job, also one that was accepted in an earlier run of the app.
    ///   - channels: The channels to use. With ``EventChannel/webSocket`` alone, a connection that the service
    ///     closes for a reason that stays is ``BooksTrackError/closed(_:)``.
    public nonisolated func events(
        of job: Job, over channels: Set<EventChannel> = Set(EventChannel.allCases)
    ) -> AsyncThrowingStream<JobUpdate, any Error> {
        AsyncThrowingStream { continuation in
            let task = Task {
                do throws(BooksTrackError) {
                    try await self.follow(job, over: channels) { continuation.yield($0) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Until when a job's token is certainly valid. While the events of a job are read, the service renews its token in the
    /// last half hour.
    public func tokenEnd(of job: Job) -> Date { max(tokens[job.id]?.end ?? job.expiresAt, job.expiresAt) }

    private func follow(
        _ job: Job, over channels: Set<EventChannel>, _ pass: @Sendable (JobUpdate) -> Void
    ) async throws(BooksTrackError) {
        let elapsed = stopwatch()
        var plan = ChannelPlan(
            channels, retries: configuration.retries, pollInterval: configuration.pollInterval)
        var history = JobHistory()
        var wasConnected = false
        while !history.isOver, let channel = plan.next {
            let before = history.newsCount
            let pause: Duration
            do throws(BooksTrackError) {
                switch channel {
                case .webSocket:
                    try await readSocket(job, reconnects: &wasConnected, &history, pass)
                case .stream: try await readStream(job, &history, pass)
                case .polling:
                    if let update = history.accept(JobUpdate(try await status(of: job))) { pass(update) }
                }
                pause = channel == .polling && !history.isOver ? plan.pollAgain(at: elapsed()) : .zero
            } catch {
                pause = try plan.fail(
                    error, hadNews: history.newsCount > before, at: elapsed(), share: pauseShare())
            }
            if pause > .zero { try await sleep(pause) }
            if Task.isCancelled { throw .canceled }
        }
    }

    /// Reads the messages of a WebSocket up to the job's last one.
    private func readSocket(
        _ job: Job, reconnects: inout Bool, _ history: inout JobHistory, _ pass: (JobUpdate) -> Void
    ) async throws(BooksTrackError) {
        var request = request(
            "GET", "/ws/progress", query: [("jobId", job.id), ("reconnect", reconnects ? "true" : nil)])
        // Not in the address, which proxies write into their logs.
        request.fields["Sec-WebSocket-Protocol"] = "bearer, \(job.token)"
        // The service sends a ping every 30 seconds.
        request.idleSeconds = 75
        history.connect()
        defer { tokens[job.id]?.disconnect() }
        let socket = transport.openSocket(request)
        socket.send(JobHistory.ready)
        do {
            for try await message in socket.messages {
                reconnects = true
                noteConnected(job)
                switch history.read(message) {
                case .pass(let update): pass(update)
                case .answer(let text): socket.send(text)
                case nil: break
                }
                if history.isOver { return }
            }
        } catch let error as BooksTrackError {
            if case .closed(let code) = error, let update = history.close(code) { return pass(update) }
            throw error
        } catch {
            throw .unreachable("\(error)")
        }
        throw .canceled
    }

    /// Reads the service's stream of events up to the job's last one.
    private func readStream(
        _ job: Job, _ history: inout JobHistory, _ pass: (JobUpdate) -> Void
    ) async throws(BooksTrackError) {
        var request = request("GET", "/v1/jobs/\(job.id)/stream", token: job.token)
        request.fields["Accept"] = "text/event-stream"
        if let last = history.lastEvent { request.fields["Last-Event-ID"] = last }
        // The service sends a comment every 15 seconds.
        request.idleSeconds = 45
        var parser = EventParser()
        var answer = TransportAnswer()
        defer { tokens[job.id]?.disconnect() }
        do {
            for try await part in transport.exchange(request) {
                guard answer.status == 200, case .body(let bytes) = part else {
                    try answer.add(part)
                    continue
                }
                noteConnected(job)
                for event in parser.read(bytes) { if let update = history.read(event) { pass(update) } }
                if history.isOver { return }
            }
        } catch let error as BooksTrackError {
            throw error
        } catch {
            throw .unreachable("\(error)")
        }
        if Task.isCancelled { throw .canceled }
        // 204 says that the last event was seen. It was not understood, so the status has to tell.
        guard answer.status > 204 else { throw .unreachable("The stream ended before the job.") }
        throw .service(ServiceError(answer))
    }

    private func noteConnected(_ job: Job) {
        tokens[job.id, default: TokenLifetime(end: job.expiresAt)].hear(at: date())
    }
}
