package import Books
package import FakeServices
package import Services
package import Sources
import System

/// Clients that ask the fake services over a real socket.
package struct FakeClient {
    package static let limits = ServiceLimits(rate: .init(perSecond: 100_000, burst: 1_000), concurrency: 8)

    package let server: FakeServer
    package let client: CurlClient
    package let cache = CacheInMemory()

    package init(folder: String? = nil, faults: [String: FakeFaults] = [:]) throws {
        let services = FakeServices(folder: folder, faults: faults)
        server = try FakeServer { services.answer($0) }
        client = try CurlClient(version: "1", contact: nil, environment: [:])
    }

    package func address(_ service: String) -> ServiceEndpoint {
        ServiceEndpoint("\(server.url)/\(service)", isUserConfigured: true, key: "CANARY-key")
    }

    package func client(_ service: some Service) -> ServiceClient {
        var dependencies = ClientDependencies(
            transport: client, limiter: InMemoryLimiterStore(), cache: cache, clock: SystemClock())
        dependencies.retry = RetryPolicy(attempts: 3, base: 1_000_000)
        return ServiceClient(service, dependencies)
    }

    package var openLibrary: OpenLibrary {
        OpenLibrary(client(OpenLibraryService(address("openlibrary"), isIdentified: true).under(Self.limits)))
    }
    package var googleBooks: GoogleBooks {
        GoogleBooks(client(GoogleBooksService(address("google-books")).under(Self.limits)))
    }
    package var isbndb: ISBNdb { ISBNdb(client(ISBNdbService(address("isbndb")).under(Self.limits))) }
    package var wikidata: WikidataDirectory {
        WikidataDirectory(client(WikidataService(address("wikidata"), isIdentified: true).under(Self.limits)))
    }

    /// The author of the generated book with an ISBN. A row with another one would contradict its ISBN.
    package static func author(of isbn: ISBN) -> String {
        FakeLibrary().book(isbn)?.authorName ?? "User's Author"
    }

    /// ISBNs that the generated library has, and ISBNs that it does not have.
    package static func isbns(known: Int, unknown: Int) -> (known: [ISBN], unknown: [ISBN]) {
        var found: (known: [ISBN], unknown: [ISBN]) = ([], [])
        var body: Int64 = 978_100_000_000
        while found.known.count < known || found.unknown.count < unknown {
            body += 1
            let isbn = ISBN(twelve: body)
            if FakeLibrary().book(isbn) != nil {
                found.known.append(isbn)
            } else {
                found.unknown.append(isbn)
            }
        }
        return (Array(found.known.prefix(known)), Array(found.unknown.prefix(unknown)))
    }
}
