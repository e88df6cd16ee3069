import Books
import Foundation
import Services
import Sources
import Store
import System
import TestSupport

/// Asks a service in another process through a provider, as the lookup of an import does: several batches at
/// once, answers cached in a store, limiter state in a file.
struct AskingRate {
    /// Batches looked up at once, and questions per batch.
    private static let workers = 4
    private static let batch = 1_024
    private static let limits = ServiceLimits(
        rate: .init(perSecond: 1_000_000, burst: 1_000), concurrency: 128)

    let isBatched: Bool

    /// Prints books per second and this process's CPU time per book.
    func measure(_ count: Int) async throws {
        let rig = try await Rig(isBatched: isBatched)
        // A first round opens connections and warms up.
        _ = try await ask(rig, 0..<min(count, 4_096))
        let (wall, cpu) = (SystemClock().nanoseconds(), Self.cpuMicroseconds())
        let found = try await ask(rig, 4_096..<4_096 + count)
        let seconds = Double(SystemClock().nanoseconds() - wall) / 1e9
        let perBook = Double(Self.cpuMicroseconds() - cpu) / Double(count)
        let calls = await rig.client.metrics.calls
        print(
            "books/s \(Int(Double(count) / seconds)) found \(found) calls \(calls) CPU \(Int(perBook)) µs a book"
        )
        try await rig.end()
    }

    /// Prints resident memory and open descriptors as requests proceed.
    func soak(_ count: Int) async throws {
        let rig = try await Rig(isBatched: isBatched)
        for tenth in 0..<10 {
            _ = try await ask(rig, tenth * count / 10..<(tenth + 1) * count / 10)
            let calls = await rig.client.metrics.calls
            print("requests \(calls) resident \(Self.residentKiB()) KiB descriptors \(Self.descriptors())")
        }
        try await rig.end()
    }

    /// - Returns: The number of books found.
    private func ask(_ rig: Rig, _ books: Range<Int>) async throws(ETLError) -> Int {
        let provider = rig.provider
        let starts = Array(stride(from: books.lowerBound, to: books.upperBound, by: Self.batch))
        let results = await withTaskGroup(of: Result<Int, ETLError>.self) { group in
            for worker in 0..<Self.workers {
                group.addTask {
                    var found = 0
                    for start in starts where start / Self.batch % Self.workers == worker {
                        let end = min(start + Self.batch, books.upperBound)
                        let queries = (start..<end).compactMap {
                            MadeUpISBN.number($0).map { BookQueries.Query.isbn($0) }
                        }
                        do throws(ETLError) {
                            let answers = try await provider.answer(BookQueries(queries: queries))
                            found += answers.answers.count { $0.outcome == .found }
                        } catch {
                            return .failure(error)
                        }
                    }
                    return .success(found)
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        var found = 0
        for result in results { found += try result.get() }
        return found
    }

    private static func cpuMicroseconds() -> Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1_000_000
            + Int(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
    }

    private static func residentKiB() -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS") } ?? ""
        return line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    }

    private static func descriptors() -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 0
    }
}

extension AskingRate {
    /// The service's process, the client and the store.
    fileprivate struct Rig {
        let client: ServiceClient
        let provider: any BookProvider
        private let folder: TemporaryFolder
        private let server: ServiceProcess

        init(isBatched: Bool) async throws {
            folder = try TemporaryFolder()
            let server = try ServiceProcess()
            self.server = server
            func address(_ name: String) -> ServiceEndpoint {
                ServiceEndpoint("\(server.url)/\(name)", isUserConfigured: true, key: "any")
            }
            let dependencies = ClientDependencies(
                transport: try CurlClient(version: "0", contact: nil, environment: [:]),
                limiter: try LimiterFile(folder: folder.path),
                cache: try ResultsStore(folder.file("store.sqlite")))
            if isBatched {
                client = ServiceClient(
                    ISBNdbService(address("isbndb"), batch: 50).under(AskingRate.limits), dependencies)
                provider = ISBNdb(client)
            } else {
                client = ServiceClient(
                    GoogleBooksService(address("google-books")).under(AskingRate.limits), dependencies)
                provider = GoogleBooks(client)
            }
        }

        func end() async throws {
            try await client.close()
            try server.stop()
        }
    }
}
