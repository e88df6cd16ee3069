import FakeServices
import Foundation
import System
import TestSupport

/// `service-rate`: how fast services are asked through the code that an import uses, and how fast an import
/// is when all answers are cached.
@main
enum ServiceRate {
    static let usage = """
        usage: service-rate single|batched COUNT
               service-rate soak COUNT
               service-rate warm COUNT
               service-rate faults COUNT
               service-rate true-faults COUNT
               service-rate evening COUNT

          single    COUNT books, one per request, from a service that takes 10 ms per response
          batched   the same with fifty books per request
          soak      COUNT requests; prints memory and descriptors after each tenth
          warm      an import of COUNT records whose answers are all cached
          faults    imports of COUNT records from services that fail at 0, 10 and 30 % of all requests
          true-faults  the same, simulated with the services' true limits
          evening   a simulated evening: COUNT books, the true limits of Open Library and Wikidata

        """

    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let count = Int(arguments[2]), count >= 0 else { return refuse(usage) }
        do {
            switch arguments[1] {
            case "single": try await AskingRate(isBatched: false).measure(count)
            case "batched": try await AskingRate(isBatched: true).measure(count)
            case "soak": try await AskingRate(isBatched: false).soak(count)
            case "warm": try await WarmImport(records: count).measure()
            case "faults": try await FaultyImport(records: count).measure()
            case "true-faults": try await FaultyImport(records: count).simulate()
            case "evening": try await EveningImport(records: count).measure()
            case "serve": try serve(failing: count)
            default: refuse(usage)
            }
        } catch {
            refuse("service-rate: \(error)\n")
        }
    }

    private static func refuse(_ sentence: String) {
        FileHandle.standardError.write(Data(sentence.utf8))
        exit(64)
    }

    /// The services in their own process: prints their port and answers until standard input ends.
    ///
    /// - Parameter percent: The share of requests that fail.
    private static func serve(failing percent: Int) throws(ETLError) {
        var faults: [String: FakeFaults] = [:]
        for name in FakeServices.names {
            faults[name] = FakeFaults(share: Double(percent) / 100, kinds: FakeFaults.kinds(of: name))
        }
        let services = FakeServices(faults: faults)
        let server = try FakeServer { request in
            var reply = services.answer(request)
            reply.delayMilliseconds += 10
            return reply
        }
        FileHandle.standardOutput.write(Data("\(server.port)\n".utf8))
        _ = FileHandle.standardInput.availableData
        server.stop()
    }
}
