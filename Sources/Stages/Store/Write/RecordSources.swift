import Books
import Bytes
import Database
import Pipeline

/// The sources of a record's values, with their ids in the store.
struct RecordSources {
    let entry: Int64
    /// Whether the entry is new, so that no stored value is from it.
    let isNewEntry: Bool
    let candidates: [Int64]
    /// The layout of the record's cells, if its entry is stored and has cells to compare them with.
    var layout: EntryLayout?

    /// The source and rule of a field; nil if the record has no value for it.
    ///
    /// - Parameter lineage: ``PreparedRow/workLineage`` or ``PreparedRow/editionLineage``.
    func offer(of field: Field, in lineage: UnsafeRawBufferPointer) -> Lineage.Origin? {
        for at in stride(from: 0, to: lineage.count - 1, by: 2) where lineage[at] == field.rawValue {
            return origin(lineage[at + 1])
        }
        return nil
    }

    private func origin(_ packed: UInt8) -> Lineage.Origin? {
        guard let rule = MergeRule(rawValue: packed & 0x0F) else { return nil }
        let number = Int(packed >> 4)
        if number == 0 { return Lineage.Origin(.entry(entry), rule) }
        return number <= candidates.count ? Lineage.Origin(.candidate(candidates[number - 1]), rule) : nil
    }

    /// The origins of a list's elements; empty if the record has no value for the field.
    ///
    /// - Parameter count: Number of the elements.
    func offers(of field: Field, in lineage: UnsafeRawBufferPointer, count: Int) -> [Lineage.Origin] {
        guard let first = offer(of: field, in: lineage) else { return [] }
        var all: [Lineage.Origin] = []
        for at in stride(from: 0, to: lineage.count - 1, by: 2) where lineage[at] == field.rawValue {
            all.append(origin(lineage[at + 1]) ?? first)
        }
        return Lineage.spread(all, over: count)
    }

    /// The origins of a list's elements by the elements; empty for a field that is no list.
    func elements(of field: Field, in lineage: UnsafeRawBufferPointer, _ value: String) -> [String: Lineage
        .Origin]
    {
        guard field.hasOriginPerElement else { return [:] }
        return Lineage.byElement(of: value) { offers(of: field, in: lineage, count: $0) }
    }

    // MARK: Records without news

    /// Compares a record's values with those of a stored row.
    func comparison(
        ofLineage lineage: Text, of batch: ResultBatchView, with stored: LineageFields, onlyFills: Bool
    ) -> RowComparison {
        RowComparison(
            offered: LineageFields(prepared: batch.bytes(of: lineage), candidates: candidates.count),
            stored: stored, isNewEntry: isNewEntry, onlyFills: onlyFills)
    }

    /// Whether a record certainly changes nothing in a stored work.
    func areSettled(
        _ prepared: PreparedRow, of batch: ResultBatchView, in work: CachedWork, onlyFills: Bool
    ) -> Bool {
        let comparison = comparison(
            ofLineage: prepared.workLineage, of: batch, with: work.lineage, onlyFills: onlyFills)
        let fields = WorkColumns.fields
        let needsReview = Int64(ReviewStatus.needsReview.rawValue)
        return Int64(prepared.quality) <= work.quality
            && (work.reviewStatus != needsReview || Int64(prepared.reviewStatus.rawValue) == needsReview)
            && (prepared.authors.isEmpty || comparison.isNameSettled)
            && work.texts.withColumns { texts in
                let providers = batch.bytes(of: prepared.providers)
                guard StoredList.contains(texts[CachedWork.Place.providers.index], allOf: providers) else {
                    return false
                }
                for column in 0..<WorkColumns.count {
                    let value = batch.bytes(of: batch.columns[prepared.columns + column])
                    guard
                        comparison.isSettled(fields[column], value, texts[column], isCommunity: false),
                        prepared.isCutOff || !comparison.mayWithdraw(fields[column], value, texts[column])
                    else { return false }
                }
                return true
            }
    }

    /// Whether a record certainly changes nothing in a stored edition, apart from its work.
    func areSettled(
        _ prepared: PreparedRow, of batch: ResultBatchView, in edition: CachedEdition, onlyFills: Bool
    ) -> Bool {
        guard Int64(prepared.quality) <= edition.quality else { return false }
        let comparison = comparison(
            ofLineage: prepared.editionLineage, of: batch, with: edition.lineage, onlyFills: onlyFills)
        let fields = EditionColumns.fields
        return edition.texts.withColumns { texts in
            let providers = batch.bytes(of: prepared.providers)
            guard StoredList.contains(texts[CachedEdition.Place.providers.index], allOf: providers) else {
                return false
            }
            for column in 0..<EditionColumns.count {
                let value = batch.bytes(of: batch.columns[prepared.columns + WorkColumns.count + column])
                let isSettled =
                    column == EditionColumns.isbns
                    ? comparison.areISBNsSettled(value, texts[column])
                    : comparison.isSettled(
                        fields[column], value, texts[column],
                        isCommunity: EditionColumns.isCommunity(column))
                guard isSettled else { return false }
            }
            return true
        }
    }
}
