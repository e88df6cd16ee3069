package import Pipeline

/// Where answers of services are kept between runs: the results store.
package protocol AnswerCache: Sendable {
    /// What is kept of some keys, stale answers too, in the keys' order; nil for a key of which nothing is.
    func keptAnswers(
        in form: AnswerFormat, _ keys: [ServiceKey]
    ) async throws(StageFailure) -> [CachedAnswer?]

    /// Keeps answers; each replaces what was kept of its key.
    func keep(_ answers: [NewAnswer], in form: AnswerFormat) async throws(StageFailure)
}

/// Whose answers, and how they have to have been read to be of use.
package struct AnswerFormat: Sendable, Hashable {
    /// The service's name.
    package var service: String
    /// ``Service/version``: answers of another are absent.
    package var version: Int
    /// ``Service/gistVersion``: gists of another are made anew.
    package var gistVersion: Int

    package init(service: String, version: Int, gistVersion: Int = 0) {
        self.service = service
        self.version = version
        self.gistVersion = gistVersion
    }
}
