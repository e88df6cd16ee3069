import Pipeline
import TestSupport
import Testing

@testable import Books
@testable import Sources

@Suite struct MergeOrderTests {
    @Test func `the order of one provider's answers does not matter`() async throws {
        var random = SeededGenerator(seed: 31)
        for _ in 0..<200 {
            let runs = Self.runs(using: &random)
            let straight = try await MergeFixture.merge(runs.flatMap(\.self))
            for _ in 0..<4 {
                let shuffled = runs.flatMap { $0.shuffled(using: &random) }
                #expect(try await MergeFixture.merge(shuffled) == straight)
            }
        }
    }

    @Test func `merging a batch gives each row the same as merging it alone`() async throws {
        var random = SeededGenerator(seed: 32)
        let inputs = (0..<60).map { _ in
            (MergeCandidatesTests.full, Self.runs(using: &random).flatMap(\.self))
        }
        let together = MergeFixture.describe(
            try await MergeCandidates().process(MergeFixture.batch(inputs)).payload)
        for (index, (row, answers)) in inputs.enumerated() {
            #expect(try await MergeFixture.merge(row, answers) == together[index])
        }
    }

    /// One to three providers with one to three answers each, with few different values so that ties are
    /// frequent.
    private static func runs(using random: inout SeededGenerator) -> [[Answer]] {
        let fields: [Field] = [
            .title, .description, .subject, .workCover, .workKey, .publisher, .publicationDate, .isbn13,
            .seriesName, .amazonASIN, .firstPublicationYear,
        ]
        let texts = ["1999", "2001-02-03", "aa", "bb", "9780439023481", "9780826497529", ""]
        let providers = Provider.allCases.shuffled(using: &random).prefix(
            Int.random(in: 1...3, using: &random))
        return providers.map { provider in
            (0..<Int.random(in: 1...3, using: &random)).map { _ in
                var answer = Answer(provider, "R\(Int.random(in: 0...1, using: &random))")
                answer.match = Bool.random(using: &random) ? .isbn : .titleAuthor
                answer.isSynthetic = Bool.random(using: &random)
                for _ in 0..<Int.random(in: 0...8, using: &random) {
                    answer.values.append(
                        (
                            fields.randomElement(using: &random) ?? .title,
                            texts.randomElement(using: &random) ?? ""
                        ))
                }
                for number in 0..<Int.random(in: 0...2, using: &random) {
                    answer.authors.append([
                        (.authorName, ["Ada", "Bea"].randomElement(using: &random) ?? ""),
                        (.authorKey, "OL\(number)A"),
                    ])
                }
                return answer
            }
        }
    }
}
