import Pipeline
import Testing

@testable import Books
@testable import Bytes
@testable import Services

@Suite struct ServiceQueriesTests {
    private func keys(chosen: ChosenRecord?, for provider: Provider) -> [ServiceKey?] {
        var questions = BookQueries(questions: [])
        var description = BookDescription(
            title: questions.arena.append("Dune"), author: questions.arena.append("Frank Herbert"))
        description.chosen = chosen
        questions.questions = [.described(description)]
        return ServiceQueries(questions, for: provider, asksTitles: true).keys
    }

    @Test func `where the reader has chosen a provider's record no other one is asked`() {
        let key = ServiceKey(.title, "dune\tfrank herbert")
        let chosen = ChosenRecord(provider: .openLibrary, record: "OL1W")
        #expect(keys(chosen: nil, for: .googleBooks) == [key])
        #expect(keys(chosen: chosen, for: .openLibrary) == [key])
        #expect(keys(chosen: chosen, for: .googleBooks) == [nil])
    }
}
