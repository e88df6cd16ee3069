import Pipeline

@testable import Books
@testable import Bytes
@testable import Sources
@testable import System

/// A provider that offers the same records for every question and is sure of none.
struct Undecided: BookProvider {
    let provider = Provider.openLibrary
    var records: [String]

    func answer(_ queries: BookQueries) async -> BookAnswers {
        var answers = BookAnswers(answers: queries.queries.map { _ in BookAnswer(.ambiguous) })
        for number in queries.queries.indices {
            answers.options[number] = records.map {
                ReviewCandidate(
                    provider: provider.contractName, record: $0, title: "T", authors: [], year: nil,
                    score: 0.8,
                    evidence: [])
            }
        }
        return answers
    }
}
