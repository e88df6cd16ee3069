import Books
package import Queries
import Services
package import System

/// Fetches the covers of a page.
package struct CoverFetcher {
    /// Maximum size of one image, and of all images of a page, in bytes.
    private static let (mostOfOne, mostOfAll) = (80_000, 600_000)

    private let settings: ServiceSettings
    private let cache: (any AnswerCache)?
    private let clock: any RunClock
    private let stop: StopSignal

    /// - Parameters:
    ///   - settings: Identification of the user, and storage of rate limits.
    ///   - folder: Cache of images between runs; nil for none.
    package init(
        _ settings: ServiceSettings, keptIn folder: String?, clock: any RunClock = SystemClock(),
        stop: StopSignal
    ) {
        self.settings = settings
        if let folder { PartFile.removeAbandoned(in: folder) }
        cache = folder.map {
            AnswerFolder(path: $0, advice: "Set XDG_CACHE_HOME to a folder that you can write to.")
        }
        self.clock = clock
        self.stop = stop
    }

    /// The images at addresses. Those that are missing, too large, or not answered are left out.
    ///
    /// - Throws: If HTTP cannot be used, or images cannot be kept.
    package func images(at addresses: [String]) async throws(ETLError) -> [String: CoverImage] {
        var seen: Set<String> = []
        let wanted = addresses.filter { CoverAddress.isAddress($0) && seen.insert($0).inserted }
        guard !wanted.isEmpty else { return [:] }
        let clients = try CoverClients(settings, cache: cache, clock: clock, stop: stop)
        let answers = try await clients.ask(wanted.map(CoverAddress.page))
        try await clients.close()
        var images: [String: CoverImage] = [:]
        var total = 0
        for address in wanted {
            guard let image = answers[CoverAddress.page(address)]?.decoded.flatMap({ CoverImage(Array($0)) }),
                image.bytes.count <= Self.mostOfOne, total + image.bytes.count <= Self.mostOfAll
            else { continue }
            total += image.bytes.count
            images[address] = image
        }
        return images
    }
}
