/// The origin of a record's values, with the ids that its sources have in the store.
struct RecordLineage {
    private let sources: [Lineage.Source]
    private let workItems: [Field: (Int, MergeRule)]
    private let editionItems: [Field: (Int, MergeRule)]

    init(_ draft: ResultDraft, of batch: ResultBatchView, entry: Int64, candidates: [Int64]) {
        sources = [.entry(entry)] + candidates.map { .candidate($0) }
        workItems = Self.items(batch.bytes(of: draft.workLineage))
        editionItems = Self.items(batch.bytes(of: draft.editionLineage))
    }

    /// The record's own entry.
    var entry: Lineage.Source { sources[0] }

    func work(_ field: Field) -> (source: Lineage.Source, rule: MergeRule)? { offer(workItems[field]) }
    func edition(_ field: Field) -> (source: Lineage.Source, rule: MergeRule)? { offer(editionItems[field]) }

    private func offer(_ item: (Int, MergeRule)?) -> (source: Lineage.Source, rule: MergeRule)? {
        guard let item, item.0 < sources.count else { return nil }
        return (sources[item.0], item.1)
    }

    private static func items(_ bytes: UnsafeRawBufferPointer) -> [Field: (Int, MergeRule)] {
        var items: [Field: (Int, MergeRule)] = [:]
        for at in stride(from: 0, to: bytes.count - 1, by: 2) {
            guard let field = Field(rawValue: bytes[at]), let rule = MergeRule(rawValue: bytes[at + 1] & 0x0F)
            else { continue }
            items[field] = (Int(bytes[at + 1] >> 4), rule)
        }
        return items
    }
}
