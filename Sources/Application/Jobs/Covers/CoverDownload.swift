package import Contract
package import Database
import Queries
import Services
import Store
package import System

/// Fetches the cover of each edition of a library into a folder: `etl covers`.
///
/// All services that have offered a cover of the edition are asked for it, and the image with the most pixels is taken.
/// If none has one, those that have a cover of the work are asked. All editions are asked for their first address, then
/// for their second one, and so on. An image that three or more works share is a placeholder of its service, such as
/// "image not available", and counts as none. The result depends on the answers only, not on their order.
package struct CoverDownload: Sendable {
    /// Editions asked for at once.
    private static let pageLength = 64
    /// Works that share a placeholder.
    private static let sharingWorks = 3

    private let store: String
    private let folder: String
    private let settings: ServiceSettings
    private let clock: any RunClock
    private let stop: StopSignal

    /// - Parameters:
    ///   - store: The path of the store.
    ///   - folder: Destination of the images.
    ///   - settings: Identification of the user, and storage of rate limits.
    package init(
        of store: String, into folder: String, _ settings: ServiceSettings,
        clock: any RunClock = SystemClock(),
        stop: StopSignal
    ) {
        self.store = store
        self.folder = folder
        self.settings = settings
        self.clock = clock
        self.stop = stop
    }

    /// Fetches covers. A stopped or killed run continues where it was.
    ///
    /// - Parameters:
    ///   - library: Nil for all libraries.
    ///   - observe: Called with the number of editions that are done, and of all.
    /// - Throws: `.missing` if there is no such library, `.usage` if the folder has other files, `.cannotCreate` if
    ///   it cannot be written, `.temporary` if another process writes it.
    package func run(
        library: String?, waiting policy: LockWaitPolicy = LockWaitPolicy(),
        observing observe: @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) async throws(ETLError) -> CoverCounts {
        let targets = try CoverTargets(try StoreFile.openForReading(store, waiting: policy))
        var search = CoverSearch(try targets.ids(of: library), sharedBy: Self.sharingWorks)
        let folder = try CoverCollection(path: folder)
        let clients = try CoverClients(settings, cache: folder.images, clock: clock, stop: stop)
        while !stop.isRaised, !search.open.isEmpty {
            let open = search.open
            for page in stride(from: 0, to: open.count, by: Self.pageLength) where !stop.isRaised {
                let numbers = open[page..<min(page + Self.pageLength, open.count)]
                try await ask(numbers, &search, targets, clients)
                observe(search.doneCount, search.count)
            }
            guard !stop.isRaised else { break }
            search.endRound()
        }
        try await clients.close()
        return try folder.write(search, targets)
    }

    /// Whether an address has no image, although its host did not say so: it is in a private network, redirects without
    /// end, or has something else.
    private static func isFinal(_ outcome: LookupOutcome) -> Bool {
        switch outcome {
        case .redirectRefused, .redirectLoop, .tooLarge, .webPage: true
        default: false
        }
    }

    private func ask(
        _ numbers: ArraySlice<Int>, _ search: inout CoverSearch, _ targets: CoverTargets,
        _ clients: CoverClients
    ) async throws(ETLError) {
        var asked: [(number: Int, offer: CoverOffer)] = []
        for number in numbers {
            let offers = try targets.target(search[number].edition)?.offers ?? []
            if let offer = search.offer(of: number, among: offers) { asked.append((number, offer)) }
        }
        let answers = try await clients.ask(asked.map(\.offer.address))
        for (number, offer) in asked {
            let answer = answers[offer.address] ?? .unanswered(.stopped)
            guard answer.outcome.isAnswered || Self.isFinal(answer.outcome) else {
                search.noteUnanswered(number, answer.outcome)
                continue
            }
            search.note(
                answer.decoded.flatMap { CoverImage(Array($0)) }, of: number, isOfWork: offer.isOfWork)
        }
    }
}
