import TestSupport
import Testing

@testable import Books
@testable import Bytes
@testable import Services

@Suite struct CatalogProviderTests {
    @Test func keepsToTheContractOfProviders() async throws {
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

    @Test func theContractNoticesAProviderThatBreaksIt() async throws {
        let known = try isbns("9780306406157")
        let contract = BookProviderContract(
            Liar(), known: known, unknown: try isbns("9780140328721"), title: ("Dune", "Frank Herbert"))
        let broken = await contract.violations()
        #expect(broken.contains { $0.contains("is found in a record that does not bear it") })
        #expect(broken.contains { $0.contains("is found, not notFound") })
        #expect(broken.contains { $0.contains("is answered otherwise when it is asked alone") })
    }

    @Test func answersUnderTheNameOfItsDump() async throws {
        let fixture = try await CatalogFixture([DumpFixture.work(1, #""title": "T""#)])
        #expect(CatalogProvider(fixture.catalog).provider == .openLibrary)
    }

    private func isbns(_ texts: String...) throws -> [ISBN] { try texts.map { try #require(ISBN($0)) } }

    /// Finds the same record for whatever it is asked, and names it by its place.
    private struct Liar: BookProvider {
        let provider = Provider.isbndb

        func answer(_ questions: BookQueries) async -> BookAnswers {
            var answers = BookAnswers()
            for number in questions.questions.indices {
                let record = answers.arena.append("record \(number)")
                answers.values.append(CandidateValue(.title, record))
                answers.answers.append(BookAnswer(.found, record: record, values: number..<number + 1))
            }
            return answers
        }
    }
}
