import Books
import Bytes
import Database

/// A stored work as it is kept in memory. ``StoredWork`` is its decoded form.
struct CachedWork: CachedRow {
    /// The columns of ``WorkColumns``, then those of ``Place``.
    let texts: PackedRow
    let isSynthetic: Bool
    let quality: Int64
    let reviewStatus: Int64
    let lineage: LineageFields
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
        texts = PackedRow(read, columns: count)
        let next = Int32(count)
        (isSynthetic, quality, reviewStatus) = (
            read.integer(next) != 0, read.integer(next + 1), read.integer(next + 2)
        )
        lineage = texts.withColumns { LineageFields(stored: $0[Place.lineage.index]) }
        hasPlainNumbers = true
    }

    init(_ work: StoredWork) {
        (texts, hasPlainNumbers) = work.row.packed(
            isNumber: WorkColumns.isNumber, isReal: WorkColumns.isReal, followedBy: Place.count
        ) { column, bytes in
            switch Place(rawValue: column) {
            case .providers: bytes.append(contentsOf: (StoredList.stored(work.providers) ?? "").utf8)
            case .lineage: bytes.append(contentsOf: work.row.lineage.encoded())
            case .key: bytes.append(contentsOf: work.key.utf8)
            case nil: break
            }
        }
        (isSynthetic, quality, reviewStatus) = (work.isSynthetic, work.quality, work.reviewStatus)
        lineage = texts.withColumns { LineageFields(stored: $0[Place.lineage.index]) }
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
    mutating func adopt(_ prepared: PreparedRow, of batch: ResultBatchView) -> Bool {
        let before = (providers, quality, reviewStatus)
        for provider in StoredList.strings(batch.bytes(of: prepared.providers))
        where !providers.contains(provider) {
            providers.append(provider)
        }
        quality = max(quality, Int64(prepared.quality))
        if reviewStatus == Int64(ReviewStatus.needsReview.rawValue) {
            reviewStatus = Int64(prepared.reviewStatus.rawValue)
        }
        return before != (providers, quality, reviewStatus)
    }

    /// Adopts providers, quality and review status of a work that is merged into this one.
    mutating func absorb(_ merged: StoredWork) {
        isSynthetic = isSynthetic && merged.isSynthetic
        for provider in merged.providers where !providers.contains(provider) { providers.append(provider) }
        quality = max(quality, merged.quality)
        let edited = Int64(ReviewStatus.userEdited.rawValue)
        if reviewStatus == Int64(ReviewStatus.needsReview.rawValue) || merged.reviewStatus == edited {
            reviewStatus = merged.reviewStatus
        }
    }
}

extension WorkColumns {
    /// The column of the Open Library key.
    static let openLibrary = Int(index[Int(Field.workKey.rawValue)])
}
