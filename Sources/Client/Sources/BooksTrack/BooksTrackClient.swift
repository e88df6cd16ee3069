public import Foundation

/// A client of the BooksTrack service (`etl serve`): searches, imports, jobs and their events.
///
///     let client = BooksTrackClient(.init(server: URL(string: "http://127.0.0.1:8787")!))
///     let found = try await client.book(isbn: "9780441013593")
///     let job = try await client.importFile(csv, named: "goodreads_library_export.csv")
///     for try await update in client.events(of: job) { print(update.progress ?? 0) }
///     let results = try await client.results(of: job)
///
/// A request that fails for a reason that may pass is sent again (``RetryPolicy``). Every method returns the answer or
/// throws a ``BooksTrackError`` within its deadline; canceling the task ends it at once.
public actor BooksTrackClient {
    /// Where the service is, and how patient the client is.
    public struct Configuration: Sendable {
        /// The server's address, with the path of `--base` if it has one.
        public var server: URL
        /// A token of the server (`--tokens`); nil if it needs none.
        public var token: String?
        /// Name and version of the app, for the server's log.
        public var clientVersion: String
        /// Maximum time of a method, with all its attempts. Streams of events have none.
        public var deadline: Duration
        /// When a failed request is sent again.
        public var retries: RetryPolicy
        /// The pause between two questions for a job's status if its events cannot be read.
        public var pollInterval: Duration

        /// A configuration with the pauses of the contract.
        public init(
            server: URL, token: String? = nil, clientVersion: String = "BooksTrackClient",
            deadline: Duration = .seconds(90), retries: RetryPolicy = RetryPolicy(),
            pollInterval: Duration = .seconds(2)
        ) {
            self.server = server
            self.token = token
            self.clientVersion = clientVersion
            self.deadline = deadline
            self.retries = retries
            self.pollInterval = pollInterval
        }
    }

    let configuration: Configuration
    let transport: any Transport
    private let clock: any Clock<Duration>
    private let startMeasuring: @Sendable () -> @Sendable () -> Duration
    /// The time of day, by which tokens end.
    let date: @Sendable () -> Date
    private var random: any RandomNumberGenerator & Sendable
    /// When tokens end that were renewed, by job.
    var tokens: [String: TokenLifetime] = [:]
    private var shared = SharedRequests()

    /// A client with a transport of the app's choice. On Apple's platforms it can be left out; Linux has none of its own.
    ///
    /// - Parameters:
    ///   - configuration: Where the service is, and how patient the client is.
    ///   - transport: Sends requests.
    ///   - clock: The time by which deadlines and pauses are measured.
    ///   - date: The time of day, by which tokens end.
    ///   - random: Varies the pauses, so that many clients do not come back at once.
    public init(
        _ configuration: Configuration, transport: any Transport,
        clock: some Clock<Duration> = ContinuousClock(), date: @escaping @Sendable () -> Date = { Date() },
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.configuration = configuration
        self.transport = transport
        self.clock = clock
        startMeasuring = {
            let start = clock.now
            return { start.duration(to: clock.now) }
        }
        self.date = date
        self.random = random
    }

    #if canImport(Darwin)
    /// A client that sends its requests with the shared URLSession.
    ///
    /// - Parameter configuration: Where the service is, and how patient the client is.
    public init(_ configuration: Configuration) {
        self.init(configuration, transport: URLSessionTransport())
    }
    #endif

    // MARK: Requests

    /// Sends a request until there is an answer, within the deadline. Equal requests that only read are sent once for all
    /// that wait for them at the same time.
    ///
    /// - Parameter sent: Called with the number of bytes of the body that have been sent.
    func send(
        _ request: TransportRequest, sent: (@Sendable (Int) -> Void)? = nil
    ) async throws(BooksTrackError) -> TransportAnswer {
        guard request.method == "GET" else { return try await exchange(request, sent) }
        let caller = shared.makeCaller()
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                shared.add(caller, to: request, continuation) {
                    Task { await self.run(request) }
                }
                if Task.isCancelled { shared.cancel(caller, of: request) }
            }
        } onCancel: {
            Task { await self.cancel(caller, of: request) }
        }
        return try outcome.get()
    }

    private func run(_ request: TransportRequest) async {
        let outcome: SharedRequests.Outcome
        do throws(BooksTrackError) {
            outcome = .success(try await exchange(request, nil))
        } catch {
            outcome = .failure(error)
        }
        // A canceled request has no caller, and an equal one may be under way.
        if !Task.isCancelled { shared.end(request, outcome) }
    }

    private func cancel(_ caller: Int, of request: TransportRequest) {
        shared.cancel(caller, of: request)
    }

    private func exchange(
        _ request: TransportRequest, _ sent: (@Sendable (Int) -> Void)?
    ) async throws(BooksTrackError) -> TransportAnswer {
        let (transport, clock, deadline) = (transport, clock, configuration.deadline)
        let (retries, elapsed) = (configuration.retries, stopwatch())
        return try await RacingTasks(clock: clock, deadline: deadline).run {
            () async -> Result<TransportAnswer, BooksTrackError> in
            var attempts = retries.begin()
            while true {
                let outcome = await Self.outcome(of: request, transport, sent)
                // A pause beyond the deadline would hide the error behind a timeout.
                guard case .failure(let error) = outcome, request.mayBeRepeated || error.wasNotProcessed,
                    let pause = attempts.pause(after: error, share: await self.pauseShare()),
                    elapsed() + pause < deadline
                else { return outcome }
                do { try await clock.sleep(for: pause) } catch { return .failure(.canceled) }
            }
        }
    }

    /// Varies a pause: between half and all of it.
    func pauseShare() -> Double {
        var random = random
        defer { self.random = random }
        return 0.5 + Double.random(in: 0..<0.5, using: &random)
    }

    /// Measures the time from now on.
    nonisolated func stopwatch() -> @Sendable () -> Duration { startMeasuring() }

    private static func outcome(
        of request: TransportRequest, _ transport: any Transport, _ sent: (@Sendable (Int) -> Void)?
    ) async -> Result<TransportAnswer, BooksTrackError> {
        do throws(BooksTrackError) {
            let answer = try await TransportAnswer(
                collecting: transport.exchange(request, sent: sent ?? { _ in }))
            guard !answer.isSuccess else { return .success(answer) }
            return .failure(.service(ServiceError(answer)))
        } catch {
            return .failure(error)
        }
    }

    /// Waits between two questions.
    func sleep(_ pause: Duration) async throws(BooksTrackError) {
        do { try await clock.sleep(for: pause) } catch { throw .canceled }
    }

    /// A request to a path of the server.
    ///
    /// - Parameter token: A job's token; nil for the server's.
    nonisolated func request(
        _ method: String = "GET", _ path: String, query: [(String, String?)] = [], token: String? = nil
    ) -> TransportRequest {
        var request = TransportRequest(method: method, url: url(path, query))
        request.fields["X-Client-Version"] = configuration.clientVersion
        if let token = token ?? configuration.token { request.fields["Authorization"] = "Bearer \(token)" }
        return request
    }

    private nonisolated func url(_ path: String, _ query: [(String, String?)]) -> URL {
        var parts =
            URLComponents(url: configuration.server, resolvingAgainstBaseURL: false) ?? URLComponents()
        parts.path = (parts.path.hasSuffix("/") ? String(parts.path.dropLast()) : parts.path) + path
        let items = query.compactMap { name, value in value.map { URLQueryItem(name: name, value: $0) } }
        if !items.isEmpty { parts.queryItems = items }
        // A plus sign in a query means a blank to servers.
        parts.percentEncodedQuery = parts.percentEncodedQuery?.replacingOccurrences(of: "+", with: "%2B")
        return parts.url ?? configuration.server
    }

    /// The `data` of a success.
    func data<Value: Decodable>(
        of request: TransportRequest, as type: Value.Type = Value.self
    ) async throws(BooksTrackError) -> Value {
        try await answer(to: request, as: type).data
    }

    /// A success with its metadata.
    func answer<Value: Decodable>(
        to request: TransportRequest, as type: Value.Type
    ) async throws(BooksTrackError) -> SuccessEnvelope<Value> {
        try Self.success(try await send(request))
    }

    static func success<Value: Decodable>(
        _ answer: TransportAnswer
    ) throws(BooksTrackError) -> SuccessEnvelope<Value> {
        do {
            return try JSONDecoder.ofContract.decode(SuccessEnvelope<Value>.self, from: Data(answer.body))
        } catch {
            throw .malformed("\(error)")
        }
    }
}

/// A success of the contract.
struct SuccessEnvelope<Value: Decodable>: Decodable {
    var data: Value
    var metadata: AnswerMetadata?
}

extension JSONDecoder {
    /// Dates are ISO 8601.
    static var ofContract: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }
}
