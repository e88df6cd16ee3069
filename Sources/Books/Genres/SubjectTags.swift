/// Makes the tags of a work: its genres, then the topics among its subjects, so that nothing that a provider says is
/// lost.
///
/// Topics are not stored as genres, because statistics and lists of genres would be full of them. They keep their
/// own spelling. What the table of noise names, such as lending flags, is no topic.
package struct SubjectTags {
    /// Maximum number of tags, unless there are more genres.
    package static let limit = 12

    private var normalizer = GenreNormalizer()

    /// Tells genres from topics with the built-in table.
    package init() {}

    /// The tags of a work.
    ///
    /// - Parameters:
    ///   - genres: Its genres.
    ///   - subjects: Its subjects as the providers spell them.
    package mutating func tags(genres: [String], subjects: [String]) -> [String] {
        guard genres.count < Self.limit, !subjects.isEmpty else { return genres }
        var tags = genres
        var seen = Set(genres.map { $0.lowercased() })
        for subject in subjects {
            let bytes = Array(subject.utf8)
            for part in bytes.withUnsafeBytes({ normalizer.topics(of: $0) }) {
                let topic = String(decoding: bytes[part], as: UTF8.self)
                guard topic.contains(where: \.isLetter), seen.insert(topic.lowercased()).inserted else {
                    continue
                }
                tags.append(topic)
                if tags.count == Self.limit { return tags }
            }
        }
        return tags
    }
}
