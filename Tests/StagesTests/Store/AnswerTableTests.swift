import Pipeline
import TestSupport
import Testing

@testable import Stages

@Suite struct AnswerTableTests {
    @Test func `an answer comes back as it was kept, with the wrong ones that came since`() async throws {
        let folder = try TemporaryFolder()
        let store = try ResultsStore(folder.file("s.sqlite"))
        let kept: [ServiceKey: KeptAnswer] = [
            ServiceKey(.isbn, "1"): KeptAnswer(body: Array("{}".utf8), fetchedAt: 5),
            ServiceKey(.isbn, "2"): KeptAnswer(body: Array("{}".utf8), fetchedAt: 6, wrongs: 2),
            ServiceKey(.isbn, "3"): KeptAnswer(body: nil, fetchedAt: 7, wrongs: 3),
            ServiceKey(.title, "4"): KeptAnswer(body: nil, fetchedAt: 8),
        ]
        try await store.keep(kept.map { NewAnswer(key: $0.key, kept: $0.value) }, of: "s", version: 1)
        let keys = Array(kept.keys) + [ServiceKey(.isbn, "5")]
        #expect(try await store.keptAnswers(of: "s", version: 1, keys) == kept)
        #expect(try await store.keptAnswers(of: "s", version: 2, keys).isEmpty)
    }
}
