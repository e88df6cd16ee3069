extension PackedRecord {
    /// Hands out the names in an author's record: its own, and so many of the others.
    static func forEachName(
        ofAuthor record: UnsafeRawBufferPointer, others limit: Int, _ use: (UnsafeRawBufferPointer) -> Void
    ) {
        var others = 0
        _ = forEachValue(record) { field, _, range in
            guard field == .authorName || field == .authorAlternateName && others < limit else { return }
            if field == .authorAlternateName { others += 1 }
            use(UnsafeRawBufferPointer(rebasing: record[range]))
        }
    }
}
