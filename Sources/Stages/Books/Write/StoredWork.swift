/// A stored work that is being brought up to date.
struct StoredWork {
    var row: StoredRow
    var isSynthetic: Bool
    /// Contract names, the one that gave the work first.
    var providers: [String]
    var quality: Int64
    var reviewStatus: Int64
    let key: String

    /// Takes over what a record says of the work as a whole.
    ///
    /// - Returns: Whether it is better known now than before.
    mutating func adopt(_ draft: ResultDraft, of batch: BorrowedResults) -> Bool {
        let before = (providers, quality, reviewStatus)
        for provider in StoredList.strings(batch.string(draft.providers)) where !providers.contains(provider)
        {
            providers.append(provider)
        }
        quality = max(quality, Int64(draft.quality))
        if reviewStatus == Int64(ReviewStatus.needsReview.rawValue) {
            reviewStatus = Int64(draft.reviewStatus.rawValue)
        }
        return before != (providers, quality, reviewStatus)
    }

    /// Takes over what a work folded into this one is known for.
    mutating func absorb(_ folded: StoredWork) {
        isSynthetic = isSynthetic && folded.isSynthetic
        for provider in folded.providers where !providers.contains(provider) { providers.append(provider) }
        quality = max(quality, folded.quality)
        if reviewStatus == Int64(ReviewStatus.needsReview.rawValue) { reviewStatus = folded.reviewStatus }
    }
}

extension WorkColumns {
    /// The column of the Open Library key.
    static let openLibrary = Int(index[Int(Field.workKey.rawValue)])
}
