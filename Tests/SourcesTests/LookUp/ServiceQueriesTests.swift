import System
import TestSupport
import Testing

@testable import Books
@testable import Bytes
@testable import Services
@testable import Sources

@Suite struct ServiceQueriesTests {
    private func keys(chosen: ChosenRecord?, for provider: Provider) -> [ServiceKey?] {
        var queries = BookQueries(queries: [])
        var description = BookDescription(
            title: queries.arena.append("Dune"), author: queries.arena.append("Frank Herbert"))
        description.chosen = chosen
        queries.queries = [.described(description)]
        return ServiceQueries(queries, for: provider, asksTitles: true).keys
    }

    @Test func `after the user chose a provider's record no other provider is asked`() {
        let key = ServiceKey(.title, "dune\tfrank herbert")
        let chosen = ChosenRecord(provider: .openLibrary, record: "OL1W")
        #expect(keys(chosen: nil, for: .googleBooks) == [key])
        #expect(keys(chosen: chosen, for: .openLibrary) == [key])
        #expect(keys(chosen: chosen, for: .googleBooks) == [nil])
    }
}

@Suite struct CatalogProviderTests {
    @Test func `a catalog conforms to the provider contract`() async throws {
        let fixture = try await CatalogFixture([
            DumpFixture.author(1, #""name": "Frank Herbert""#),
            DumpFixture.work(1, #""title": "Dune""#, author: 1),
            DumpFixture.edition(1, #""isbn_13": ["9780306406157"], "title": "Dune""#, work: 1),
            DumpFixture.edition(2, #""isbn_13": ["9780140328721"], "title": "Alone""#),
        ])
        let contract = BookProviderContract(
            CatalogProvider(fixture.catalog), known: try isbns("9780306406157", "9780140328721"),
            unknown: try isbns("9780547928227", "9791034304271"), title: ("DUNE: a novel", "Herbert, Frank"))
        #expect(await contract.violations() == [])
    }

    @Test func `the contract detects a provider that violates it`() async throws {
        let known = try isbns("9780306406157")
        let contract = BookProviderContract(
            ViolatingProvider(), known: known, unknown: try isbns("9780140328721"),
            title: ("Dune", "Frank Herbert"))
        let broken = await contract.violations()
        #expect(broken.contains { $0.contains("is found in a record without this ISBN") })
        #expect(broken.contains { $0.contains("is found, not notFound") })
        #expect(broken.contains { $0.contains("has another answer when asked alone") })
    }

    @Test func `a catalog answers under the name of its dump's provider`() async throws {
        let fixture = try await CatalogFixture([DumpFixture.work(1, #""title": "T""#)])
        #expect(CatalogProvider(fixture.catalog).provider == .openLibrary)
    }

    private func isbns(_ texts: String...) throws -> [ISBN] { try texts.map { try #require(ISBN($0)) } }

    /// Finds the same record for every question, named after its position.
    private struct ViolatingProvider: BookProvider {
        let provider = Provider.isbndb

        func answer(_ queries: BookQueries) async -> BookAnswers {
            var answers = BookAnswers()
            for number in queries.queries.indices {
                let record = answers.arena.append("record \(number)")
                answers.values.append(CandidateValue(.title, record))
                answers.answers.append(BookAnswer(.found, record: record, values: number..<number + 1))
            }
            return answers
        }
    }
}
