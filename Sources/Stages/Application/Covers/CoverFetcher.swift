package import Pipeline
import Services

/// Fetches images of covers, at the pace of the rate limits that all processes of the user share.
package struct CoverFetcher {
    /// The most bytes of one image, and of all images of a page.
    private static let (mostOfOne, mostOfAll) = (80_000, 600_000)

    private let settings: ServiceSettings
    private let cache: (any AnswerCache)?
    private let clock: any RunClock
    private let stop: StopSignal

    /// - Parameters:
    ///   - settings: How the user is identified, and where rate limits are kept.
    ///   - folder: Where images are kept between runs; nil for nowhere.
    package init(
        _ settings: ServiceSettings, keptIn folder: String?, clock: any RunClock = SystemClock(),
        stop: StopSignal
    ) {
        self.settings = settings
        cache = folder.map(CoverFolder.init)
        self.clock = clock
        self.stop = stop
    }

    /// The images at addresses. Those that are missing, too large, or not answered are left out.
    ///
    /// - Throws: If HTTP cannot be used, or images cannot be kept.
    package func images(at addresses: [String]) async throws(StageFailure) -> [String: CoverImage] {
        var seen: Set<String> = []
        let wanted = addresses.filter { CoverImage.isAddress($0) && seen.insert($0).inserted }
        guard !wanted.isEmpty else { return [:] }
        var dependencies = ClientDependencies(
            transport: try ServiceClients.transport(settings),
            limiter: try ServiceClients.limiter(settings).store, cache: cache, clock: clock, stop: stop)
        dependencies.retry = settings.retry
        var images: [String: CoverImage] = [:]
        let hosts = Dictionary(grouping: wanted, by: CoverService.account)
        for (account, addresses) in hosts.sorted(by: { $0.key < $1.key }) {
            var service = CoverService(account: account)
            if let limits = settings.limits { service.limits = limits }
            let client = ServiceClient(service, dependencies)
            let answers = try await client.ask(addresses.map(CoverService.key), deadline: nil)
            try await client.close()
            for (address, answer) in zip(addresses, answers) {
                images[address] = answer.decoded.flatMap { CoverImage(Array($0)) }
            }
        }
        var total = 0
        for address in wanted {
            guard let size = images[address]?.bytes.count else { continue }
            let fits = size <= Self.mostOfOne && total + size <= Self.mostOfAll
            if fits { total += size } else { images[address] = nil }
        }
        return images
    }
}

/// A host that has images of covers: each has an address of its own.
struct CoverService: Service {
    let account: String
    let name = "covers"
    let version = 1
    var limits = ServiceLimits(rate: .init(perSecond: 3, burst: 5), concurrency: 3, throttlePause: 60_000_000)

    /// Images are valid for a year.
    private static let kind = ServiceKey.Kind("cover", urgency: 0, lifetime: 365 * 86_400_000)
    /// A longer image is not loaded completely.
    private static let mostBytes = 2 << 20

    init(account: String) { self.account = account }

    /// The key of an image by its address.
    static func key(_ address: String) -> ServiceKey { ServiceKey(kind, address) }

    static func account(of address: String) -> String { HTTPRequest.origin(of: address) }

    func batchSize(of kind: ServiceKey.Kind) -> Int { 1 }
    func hasRecordAddresses(of kind: ServiceKey.Kind) -> Bool { true }

    func request(_ kind: ServiceKey.Kind, _ texts: [String]) -> HTTPRequest {
        HTTPRequest(Self.shown(texts.first ?? ""), byteLimit: Self.mostBytes)
    }

    func read(_ body: [UInt8], _ kind: ServiceKey.Kind, _ texts: [String]) -> ParsedResponse {
        .answers([CoverImage(body) == nil ? .notFound : .found(body)])
    }

    /// The address of an image of the size that a page shows. Open Library has three sizes, and answers with an
    /// empty image instead of 404 unless it is told not to.
    private static func shown(_ address: String) -> String {
        guard address.hasPrefix("https://covers.openlibrary.org/"), address.hasSuffix("-L.jpg") else {
            return address
        }
        return address.dropLast("-L.jpg".count) + "-M.jpg?default=false"
    }
}
