import Books
import Queries
import Services
import System

/// A host of cover images, each with its own address.
struct CoverService: Service {
    let account: String
    let name = "covers"
    let version = 1
    let isAnonymous = true
    var limits = ServiceLimits(rate: .init(perSecond: 3, burst: 5), concurrency: 3, throttlePause: 60_000_000)

    /// Images are valid for a year.
    private static let kind = ServiceKey.Kind("cover", urgency: 0, lifetime: 365 * 86_400_000)
    /// A longer image is not loaded completely.
    private static let mostBytes = 4 << 20

    init(account: String) { self.account = account }

    /// The key of the image at an address.
    static func key(_ address: String) -> ServiceKey { ServiceKey(kind, address) }

    func batchSize(of kind: ServiceKey.Kind) -> Int { 1 }
    func hasRecordAddresses(of kind: ServiceKey.Kind) -> Bool { true }

    func request(_ kind: ServiceKey.Kind, _ texts: [String]) -> HTTPRequest {
        HTTPRequest(texts.first ?? "", byteLimit: Self.mostBytes)
    }

    func read(_ body: [UInt8], _ kind: ServiceKey.Kind, _ texts: [String]) -> ParsedResponse {
        .answers([CoverImage(body) == nil ? .notFound : .found(body)])
    }
}

/// Asks the hosts of covers, within the rate limits that all processes of the user share.
actor CoverClients {
    private let settings: ServiceSettings
    private let dependencies: ClientDependencies
    private var clients: [String: ServiceClient] = [:]

    /// - Parameters:
    ///   - settings: Identification of the user, and storage of rate limits.
    ///   - cache: Cache of images; nil for none.
    /// - Throws: If HTTP cannot be used.
    init(
        _ settings: ServiceSettings, cache: (any AnswerCache)?, clock: any RunClock, stop: StopSignal
    ) throws(ETLError) {
        self.settings = settings
        var dependencies = ClientDependencies(
            transport: try ServiceClients.transport(settings),
            limiter: try ServiceClients.limiter(settings).store, cache: cache, clock: clock, stop: stop)
        dependencies.retry = settings.retry
        self.dependencies = dependencies
    }

    /// The answers for addresses.
    ///
    /// - Throws: If images cannot be kept.
    func ask(_ addresses: [String]) async throws(ETLError) -> [String: ServiceAnswer] {
        var found: [String: ServiceAnswer] = [:]
        for (host, addresses) in Dictionary(grouping: Set(addresses), by: HTTPRequest.origin)
            .sorted(by: { $0.key < $1.key })
        {
            let addresses = addresses.sorted()
            let answers = try await client(of: host).ask(addresses.map(CoverService.key), deadline: nil)
            for (address, answer) in zip(addresses, answers) { found[address] = answer }
        }
        return found
    }

    /// Keeps what has arrived, and ends.
    func close() async throws(ETLError) {
        for (_, client) in clients.sorted(by: { $0.key < $1.key }) { try await client.close() }
        clients = [:]
    }

    private func client(of host: String) -> ServiceClient {
        if let client = clients[host] { return client }
        var service = CoverService(account: host)
        if let limits = settings.limits { service.limits = limits }
        let client = ServiceClient(service, dependencies)
        clients[host] = client
        return client
    }
}
