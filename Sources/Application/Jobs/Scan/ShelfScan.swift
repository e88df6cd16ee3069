import Contract
import Formats
import Services
import Store
import Syntax
package import System

/// Reads photos of shelves with an image model, one after the other: what `etl scan` and the server's scans begin with.
///
///     photos ▶ recognized by content, metadata removed ▶ asked before? ▶ model ▶ detections ▶ table ▶ import
///
/// The table goes through the stages of any import. What a model has answered is on disk before the next photo is sent, so a
/// killed scan pays for no photo twice.
package struct ShelfScan: Sendable {
    /// A photo of a scan, or a file that is none.
    package typealias Source = Result<ShelfPhoto, PhotoProblem>

    /// A photo and what was read in it.
    package struct Photo: Sendable, Hashable {
        /// Its name on its owner's machine.
        package var name: String
        /// Nil if the file is no photo.
        package var digest: String?
        /// The books, unreadable ones included; or why there are none.
        package var result: Result<[Detection], PhotoProblem>

        private var books: [Detection] { (try? result.get()) ?? [] }

        /// Number of books that can be looked up.
        package var booksFound: Int { books.count(where: \.isReadable) }

        /// Why it has no books; nil if it was read.
        package var problem: PhotoProblem? { if case .failure(let problem) = result { problem } else { nil } }

        var note: ScanNote.Photo {
            ScanNote.Photo(
                name: name, digest: digest, books: booksFound, unreadable: books.count - booksFound,
                problem: problem?.sentence)
        }
    }

    /// About how long a model takes for a photo, in seconds.
    static let usualSeconds = 10.0

    private let endpoint: VisionEndpoint
    private let settings: ServiceSettings
    private let folder: PhotoFolder
    private let clock: any RunClock
    private let stop: StopSignal
    /// Whether the model is asked; if not, only photos are read that were read before.
    package var asksModel = true

    /// - Parameters:
    ///   - settings: Identification of the user, and storage of rate limits.
    ///   - stop: Ends the scan. What was answered is kept.
    package init(
        _ endpoint: VisionEndpoint, _ settings: ServiceSettings, keptIn folder: PhotoFolder,
        clock: any RunClock = SystemClock(), stop: StopSignal = StopSignal()
    ) {
        self.endpoint = endpoint
        self.settings = settings
        self.folder = folder
        self.clock = clock
        self.stop = stop
    }

    /// Reads photos in their order.
    ///
    /// - Parameters:
    ///   - begin: Called before each photo with its index.
    ///   - finish: Called after each photo with its index.
    /// - Throws: If nothing can be kept, or HTTP cannot be used. What is wrong with a photo, or with the service, is in the
    ///   result.
    package func read(
        _ sources: [(name: String, source: Source)],
        beginning begin: @Sendable (Int) -> Void = { _ in },
        finishing finish: @Sendable (Int, Photo) -> Void = { _, _ in }
    ) async throws(ETLError) -> [Photo] {
        let photos = sources.compactMap { try? $0.source.get() }
        for photo in photos { try folder.keep(photo) }
        let client = try client(photos)
        var read: [Photo] = []
        var failure: ETLError?
        for (index, (name, source)) in sources.enumerated() {
            begin(index)
            var photo = Photo(name: name, digest: nil, result: .failure(.stopped))
            switch source {
            case .failure(let problem): photo.result = .failure(problem)
            case .success(let checked):
                photo.digest = checked.digest
                do throws(ETLError) {
                    if !stop.isRaised { photo.result = try await ask(client, checked) }
                } catch {
                    failure = error
                }
            }
            if failure != nil { break }
            finish(index, photo)
            read.append(photo)
        }
        do throws(ETLError) { try await client.close() } catch { failure = failure ?? error }
        if let failure { throw failure }
        return read
    }

    private func client(_ photos: [ShelfPhoto]) throws(ETLError) -> ServiceClient {
        var dependencies = ClientDependencies(
            transport: asksModel ? try ServiceClients.transport(settings) : OfflineTransport(),
            limiter: try ServiceClients.limiter(settings).store, cache: folder.answers, clock: clock,
            stop: stop,
            waitPolicy: SharedWaitPolicy(asksModel ? .noTimeout : .cacheOnly))
        // An answer of another form is asked for once more.
        dependencies.retry = RetryPolicy(attempts: 2)
        if let pause = settings.longestPause { dependencies.longestPause = pause }
        var service = VisionService(endpoint, photos)
        if let limits = settings.limits { service.limits = limits }
        return ServiceClient(service, dependencies)
    }

    private func ask(
        _ client: ServiceClient, _ photo: ShelfPhoto
    ) async throws(ETLError) -> Result<[Detection], PhotoProblem> {
        let answers = try await client.ask([VisionService.key(photo, endpoint)], deadline: nil)
        // The next photo is not sent before this one's answer is on disk.
        try await client.saveAll()
        guard let answer = answers.first else { return .failure(.stopped) }
        guard let kept = answer.decoded else {
            guard asksModel else { return .failure(.unread) }
            return .failure(answer.outcome == .stopped ? .stopped : .unanswered(answer.outcome))
        }
        switch PhotoReading(kept: Array(kept)) {
        case .books(let books): return .success(books)
        case .refused(let reason): return .failure(.refused(reason))
        case nil: return .failure(.unanswered(.malformed))
        }
    }

    /// What a scan would send, without photos that were read before. Sends and writes nothing.
    package func forecast(_ sources: [(name: String, source: Source)]) async throws(ETLError) -> ScanForecast
    {
        var forecast = ScanForecast(
            photos: sources.count, model: endpoint.model, address: endpoint.address)
        var photos: [String: ShelfPhoto] = [:]
        for (name, source) in sources {
            switch source {
            case .success(let photo): photos[photo.digest] = photo
            case .failure(let problem): forecast.refusals.append(.init(name: name, problem: problem.sentence))
            }
        }
        var unread = Array(photos.values)
        if folder.exists {
            var offline = self
            offline.asksModel = false
            let client = try offline.client(unread)
            var failure: ETLError?
            do throws(ETLError) {
                let keys = unread.map { VisionService.key($0, endpoint) }
                let answers = try await client.ask(keys, deadline: nil)
                unread = zip(unread, answers).filter { $0.1.decoded == nil }.map(\.0)
            } catch {
                failure = error
            }
            do throws(ETLError) { try await client.close() } catch { failure = failure ?? error }
            if let failure { throw failure }
        }
        forecast.bytes = unread.reduce(0) { $0 + $1.bytes.count }
        let limits = VisionService(endpoint, []).limits
        forecast.service.queries = photos.count
        forecast.service.cached = photos.count - unread.count
        forecast.service.calls = unread.count...2 * unread.count
        // Photos are sent one after the other, however many the rate limit allows.
        forecast.service.interval = max(Double(limits.rate.interval) / 1e6, Self.usualSeconds)
        forecast.service.budget = limits.quota.map { Int(clamping: $0.calls) }
        forecast.service.cost = forecast.service.budget.map { _ in 2 * unread.count }
        return forecast
    }

    /// The import of what was read. It has the same name for the same photos and books, so that a scan that was interrupted
    /// continues.
    ///
    /// - Parameters:
    ///   - template: A request with store, catalogs, services and a pipeline of the contract `ai_scan`.
    ///   - leastConfidence: See ``ScanNote/usualConfidence``.
    ///   - duration: How long reading took, in milliseconds.
    package func request(
        _ template: ImportRequest, importing photos: [Photo],
        leastConfidence: Double = ScanNote.usualConfidence, duration: Int64
    ) throws(ETLError) -> ImportRequest {
        var request = template
        let table = try folder.keep(table: Self.table(of: photos, from: endpoint.model))
        var reading = ReadSettings(files: [table])
        try reading.take(words: [(key: "format", word: PhotoScan.formatName)])
        reading.expansionLimit = template.reading.expansionLimit
        request.reading = reading
        request.scan = ScanNote(
            model: endpoint.model, photos: photos.map(\.note), leastConfidence: leastConfidence,
            duration: duration)
        return request
    }

    /// The books of photos as a table for ``PhotoScan``, without those that cannot be read.
    static func table(of photos: [Photo], from model: String) -> [UInt8] {
        var out = CSVWriter()
        out.record(PhotoScan.Column.allCases.map(\.rawValue))
        for (index, photo) in photos.enumerated() {
            for book in (try? photo.result.get()) ?? [] where book.isReadable {
                out.record(
                    PhotoScan.Column.allCases.map { column in
                        switch column {
                        case .title: book.title
                        case .author: book.author
                        case .isbn: book.isbn
                        case .confidence: "\(book.confidence)"
                        case .box: book.box.map { "\($0.x) \($0.y) \($0.width) \($0.height)" } ?? ""
                        case .photo: "\(index + 1)"
                        case .photoName: photo.name
                        case .photoDigest: photo.digest ?? ""
                        case .model: model
                        }
                    })
            }
        }
        return out.bytes
    }
}
