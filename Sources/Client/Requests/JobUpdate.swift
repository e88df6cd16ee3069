import Foundation

/// What happens to a job.
public struct JobUpdate: Sendable, Hashable {
    /// The kinds of events.
    public enum Kind: String, Sendable, Hashable {
        /// The job began.
        case started
        /// It is further than before.
        case progress
        /// It is done.
        case completed
        /// It ended by an error.
        case failed
        /// It was canceled.
        case canceled

        /// Whether nothing follows.
        public var isFinal: Bool { self != .started && self != .progress }
    }

    /// What happened.
    public var kind: Kind
    /// How far the job is, from 0 to 1; nil if the event does not say so.
    public var progress: Double?
    /// One sentence to show to people; can be empty.
    public var text: String
}

extension BooksTrackClient {
    /// The events of a job until its last one.
    ///
    /// They come from the service's stream. If it breaks, the client connects again behind the last event. If that
    /// fails as often as the policy allows, it asks for the status every two seconds, and tries the stream again after
    /// each answer. It ends with an error only if the status cannot be had either.
    public nonisolated func events(of job: Job) -> AsyncThrowingStream<JobUpdate, any Error> {
        AsyncThrowingStream { continuation in
            let task = Task {
                do throws(BooksTrackError) {
                    var last: String?
                    var known: JobUpdate?
                    while true {
                        if try await self.follow(
                            job, behind: &last,
                            { event in
                                known = event
                                continuation.yield(event)
                            })
                        {
                            break
                        }
                        let status = try await self.status(of: job)
                        let event = JobUpdate(status)
                        if event != known { continuation.yield(event) }
                        known = event
                        if status.status.isFinal { break }
                        try await self.sleep(self.configuration.pollInterval)
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Reads the service's stream once.
    ///
    /// - Returns: Whether the job's last event was read.
    private func follow(
        _ job: Job, behind last: inout String?, _ receive: (JobUpdate) -> Void
    ) async throws(BooksTrackError) -> Bool {
        var request = request("GET", "/v1/jobs/\(job.jobId)/stream", token: job.token)
        request.fields["Accept"] = "text/event-stream"
        if let last { request.fields["Last-Event-ID"] = last }
        // The service sends a comment every 15 seconds.
        request.idleSeconds = 45
        var parser = EventParser()
        do {
            for try await part in transport.exchange(request) {
                switch part {
                case .head(204, _):
                    // The last event was seen.
                    return true
                case .head(let status, _) where status == 401 || status == 404:
                    throw BooksTrackError.service(
                        ServiceError(
                            status: status, code: status == 401 ? .unauthorized : .notFound,
                            message: "The job's events cannot be read.", isRetryable: false))
                case .head(let status, _):
                    guard status == 200 else { return false }
                case .body(let bytes):
                    for event in parser.read(bytes) {
                        last = event.id ?? last
                        guard let event = JobUpdate(event) else { continue }
                        receive(event)
                        if event.kind.isFinal { return true }
                    }
                }
            }
        } catch let error as BooksTrackError {
            guard error.isRetryable else { throw error }
        } catch {
            return false
        }
        if Task.isCancelled { throw .canceled }
        return false
    }
}

extension JobUpdate {
    /// The state of a job that was asked for.
    init(_ status: JobStatus) {
        kind =
            switch status.status {
            case .initialized: .started
            case .processing: .progress
            case .completed: .completed
            case .failed: .failed
            case .canceled: .canceled
            }
        progress = status.progress
        text = ""
    }

    /// An event of the service; nil for one that this client does not know.
    init?(_ event: EventParser.Event) {
        struct Message: Decodable {
            struct Payload: Decodable {
                var progress: Double?
                var status: String?
                var message: String?
            }
            var payload: Payload?
        }
        // The state of a client that came back is its progress.
        let name = event.name == "reconnected" ? Kind.progress.rawValue : event.name
        guard let kind = Kind(rawValue: name) else { return nil }
        let message = try? JSONDecoder().decode(Message.self, from: Data(event.data.utf8))
        self.kind = kind
        progress = message?.payload?.progress ?? (kind == .completed ? 1 : nil)
        text = message?.payload?.message ?? message?.payload?.status ?? ""
    }
}

/// Reads a stream of server-sent events, as the HTML standard defines it.
struct EventParser {
    /// One event.
    struct Event: Equatable {
        var id: String?
        var name = "message"
        var data = ""
    }

    private var rest = Data()
    private var event = Event()
    private var hasData = false
    /// Most bytes of a line. A longer one is dropped.
    private static let mostBytes = 1 << 20

    /// The events that end in a piece of the stream.
    mutating func read(_ bytes: Data) -> [Event] {
        rest += bytes
        var events: [Event] = []
        while let end = rest.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
            // A CR can be followed by an LF in the next piece.
            if rest[end] == 0x0D, end == rest.index(before: rest.endIndex) { break }
            let line = String(decoding: rest[..<end], as: UTF8.self)
            let isPair = rest[end] == 0x0D && rest[rest.index(after: end)] == 0x0A
            rest = Data(rest[rest.index(end, offsetBy: isPair ? 2 : 1)...])
            if let event = take(line) { events.append(event) }
        }
        if rest.count > Self.mostBytes { rest = Data() }
        return events
    }

    private mutating func take(_ line: String) -> Event? {
        guard !line.isEmpty else {
            defer { (event, hasData) = (Event(), false) }
            return hasData ? event : nil
        }
        let colon = line.firstIndex(of: ":") ?? line.endIndex
        var value = colon == line.endIndex ? "" : line[line.index(after: colon)...]
        if value.first == " " { value = value.dropFirst() }
        switch line[..<colon] {
        case "id": event.id = String(value)
        case "event": event.name = String(value)
        case "data":
            event.data += (hasData ? "\n" : "") + value
            hasData = true
        default: break
        }
        return nil
    }
}
