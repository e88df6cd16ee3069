import Bytes
import Database

/// A stored work as it is kept in memory. ``StoredWork`` is its decoded form.
struct CachedWork: CachedRow {
    /// The columns of ``WorkColumns``, then those of ``Place``.
    let texts: PackedRow
    let isSynthetic: Bool
    let quality: Int64
    let reviewStatus: Int64
    let lineage: LineageSummary
    /// Whether all numbers are written as SQLite writes them.
    let hasPlainNumbers: Bool

    /// Columns of `texts` after those of ``WorkColumns``.
    enum Place: Int {
        case providers, lineage, key

        static let count = 3
        var index: Int { WorkColumns.count + rawValue }
    }

    /// The columns that are read.
    static let columns =
        WorkColumns.names + ["providers", "lineage", "key", "synthetic", "quality", "review_status"]
    /// The columns that are updated.
    static let updated = columns.filter { $0 != "key" }

    var byteCount: Int { texts.byteCount }
    var hasOpenLibraryKey: Bool { texts.withColumns { !$0[WorkColumns.openLibrary].isEmpty } }

    /// The current row of a statement with ``columns``.
    init(_ read: Statement) {
        let count = WorkColumns.count + Place.count
        texts = PackedRow(columns: count) { column, bytes in
            read.withBytes(Int32(column)) { bytes.append(contentsOf: $0) }
        }
        let next = Int32(count)
        (isSynthetic, quality, reviewStatus) = (
            read.integer(next) != 0, read.integer(next + 1), read.integer(next + 2)
        )
        lineage = texts.withColumns { LineageSummary(stored: $0[Place.lineage.index]) }
        hasPlainNumbers = true
    }

    init(_ work: StoredWork) {
        var hasPlainNumbers = true
        texts = PackedRow(columns: WorkColumns.count + Place.count) { column, bytes in
            switch Place(rawValue: column - WorkColumns.count) {
            case .providers: bytes.append(contentsOf: (StoredList.stored(work.providers) ?? "").utf8)
            case .lineage: bytes.append(contentsOf: work.row.lineage.encoded())
            case .key: bytes.append(contentsOf: work.key.utf8)
            case nil:
                let start = bytes.count
                if work.row.append(column, to: &bytes), WorkColumns.isNumber(column) {
                    hasPlainNumbers = bytes.normalizeNumber(from: start, isReal: false) && hasPlainNumbers
                }
            }
        }
        (isSynthetic, quality, reviewStatus) = (work.isSynthetic, work.quality, work.reviewStatus)
        lineage = texts.withColumns { LineageSummary(stored: $0[Place.lineage.index]) }
        self.hasPlainNumbers = hasPlainNumbers
    }

    /// Binds the columns ``updated``.
    func bind(to update: Statement, from first: Int32, _ texts: PackedRow.Columns) {
        var row = BoundRow(update, from: first)
        for column in 0..<WorkColumns.count { row.add(text: texts[column]) }
        row.add(text: texts[Place.providers.index])
        row.add(blob: texts[Place.lineage.index])
        row.add(isSynthetic ? 1 : 0 as Int64)
        row.add(quality)
        row.add(reviewStatus)
    }
}

/// A stored work that is being updated.
struct StoredWork {
    var row: StoredRow
    var isSynthetic: Bool
    /// Contract names, the provider of the work first.
    var providers: [String]
    var quality: Int64
    var reviewStatus: Int64
    let key: String

    init(_ work: CachedWork) {
        (row, providers, key) = work.texts.withColumns { texts in
            (
                StoredRow(
                    fields: WorkColumns.fields, work.texts,
                    lineage: Lineage(decoding: texts[CachedWork.Place.lineage.index])),
                StoredList.strings(texts[CachedWork.Place.providers.index]),
                String(decoding: texts[CachedWork.Place.key.index], as: UTF8.self)
            )
        }
        (isSynthetic, quality, reviewStatus) = (work.isSynthetic, work.quality, work.reviewStatus)
    }

    /// Adopts providers, quality and review status from a record.
    ///
    /// - Returns: Whether any of them changed.
    mutating func adopt(_ draft: ResultDraft, of batch: ResultBatchView) -> Bool {
        let before = (providers, quality, reviewStatus)
        for provider in StoredList.strings(batch.bytes(of: draft.providers))
        where !providers.contains(provider) {
            providers.append(provider)
        }
        quality = max(quality, Int64(draft.quality))
        if reviewStatus == Int64(ReviewStatus.needsReview.rawValue) {
            reviewStatus = Int64(draft.reviewStatus.rawValue)
        }
        return before != (providers, quality, reviewStatus)
    }

    /// Adopts providers, quality and review status of a work that is merged into this one.
    mutating func absorb(_ merged: StoredWork) {
        isSynthetic = isSynthetic && merged.isSynthetic
        for provider in merged.providers where !providers.contains(provider) { providers.append(provider) }
        quality = max(quality, merged.quality)
        if reviewStatus == Int64(ReviewStatus.needsReview.rawValue) { reviewStatus = merged.reviewStatus }
    }
}

extension WorkColumns {
    /// The column of the Open Library key.
    static let openLibrary = Int(index[Int(Field.workKey.rawValue)])
}

extension [UInt8] {
    /// Replaces a number by what SQLite would return after storing it in a numeric column.
    ///
    /// - Parameters:
    ///   - start: The offset of the number, which is the rest of the bytes.
    ///   - isReal: Whether the column is REAL.
    /// - Returns: False if that is not known. Then the number stays as it is.
    mutating func normalizeNumber(from start: Int, isReal: Bool) -> Bool {
        let zero = UInt8(ascii: "0")
        let point = self[start...].firstIndex(of: UInt8(ascii: ".")) ?? count
        let fraction = Swift.max(0, count - point - 1)
        let isPlain = indices[start...].allSatisfy { $0 == point || (zero...zero + 9).contains(self[$0]) }
        // Up to fifteen digits are exact, and smaller numbers get an exponent.
        guard isPlain, (1...9).contains(point - start), point == count || isReal && (1...4).contains(fraction)
        else { return false }
        if isReal {
            if point == count { append(UInt8(ascii: ".")) }
            while last == zero { removeLast() }
            if last == UInt8(ascii: ".") { append(zero) }
        }
        let zeros = self[start..<(point - 1)].prefix { $0 == zero }.count
        removeSubrange(start..<start + zeros)
        return true
    }
}
