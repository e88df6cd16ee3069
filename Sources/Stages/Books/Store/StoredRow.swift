import Syntax

/// A works or editions row that is being brought up to date: its columns, and what each came from.
struct StoredRow {
    let fields: [Field]
    private(set) var columns: [String?]
    private(set) var lineage: Lineage
    /// Whether a bibliographic column changed.
    private(set) var isChanged = false
    /// Whether anything changed, community columns included.
    private(set) var isTouched = false

    init(fields: [Field], columns: [String?], lineage: Lineage) {
        self.fields = fields
        self.columns = columns
        self.lineage = lineage
    }

    /// Offers a value for a column (contract.md section 5).
    ///
    /// An empty column takes it. A provider's value replaces the reader's row's; a value from where the present one
    /// came from replaces it, for it is the newer word of the same source. What was merely assumed is a gap, and
    /// gives way to any word; an assumption itself fills empty columns alone. Otherwise what stands stands, and
    /// lists of equal standing are united.
    ///
    /// - Parameter onlyFills: Whether values that stand are left alone: an older export fills gaps only.
    mutating func offer(
        column: Int, _ value: String, from source: Lineage.Source, by rule: MergeRule, onlyFills: Bool,
        isCommunity: Bool
    ) {
        guard !value.isEmpty else { return }
        let field = fields[column]
        let replaced: String
        if let present = columns[column], !present.isEmpty {
            let standing = lineage.origin(of: field)
            guard rule != .assumed else { return }
            if standing?.rule == .assumed {
                return replace(column, value, from: source, by: rule, isCommunity)
            }
            guard present != value, !onlyFills else { return }
            let origin = standing?.source
            if origin == source || Self.rank(source) < Self.rank(origin) || isCommunity {
                replaced = value
            } else if field.isList, field != .seriesName, Self.rank(source) == Self.rank(origin),
                let union = StoredList.union(present, value), union != present
            {
                columns[column] = union
                isTouched = true
                isChanged = true
                return
            } else {
                return
            }
        } else {
            replaced = value
        }
        replace(column, replaced, from: source, by: rule, isCommunity)
    }

    private mutating func replace(
        _ column: Int, _ value: String, from source: Lineage.Source, by rule: MergeRule, _ isCommunity: Bool
    ) {
        columns[column] = value
        lineage.set(fields[column], from: source, by: rule)
        isTouched = true
        if !isCommunity { isChanged = true }
    }

    /// Notes where a field without a column of its own (the list of authors) came from.
    mutating func note(_ field: Field, from source: Lineage.Source, by rule: MergeRule) {
        lineage.set(field, from: source, by: rule)
        isTouched = true
        isChanged = true
    }

    /// A provider's word goes before the reader's row's; nothing known goes last.
    static func rank(_ source: Lineage.Source?) -> Int {
        switch source {
        case .candidate: 1
        case .entry: 2
        case nil: 3
        }
    }
}

/// Lists as the store keeps them: JSON arrays of strings in a text column.
package enum StoredList {
    /// The strings of a stored list; none where it is empty or no list.
    package static func strings(_ stored: String) -> [String] {
        var stored = stored
        return stored.withUTF8 { strings(UnsafeRawBufferPointer($0)) }
    }

    /// The same for the stored bytes.
    package static func strings(_ stored: UnsafeRawBufferPointer) -> [String] {
        guard stored.count > 2 else { return [] }
        var strings: [String] = []
        var reader = JSONReader(stored)
        do throws(JSONReadError) {
            try reader.forEachElement { element throws(JSONReadError) in
                strings.append(try element.string().string)
            }
            try reader.finish()
        } catch {
            return []
        }
        return strings
    }

    /// The ISBN-13s of a stored list of ISBNs, as numbers.
    static func isbn13s(_ stored: UnsafeRawBufferPointer) -> [Int64] {
        strings(stored).compactMap { $0.utf8.count == 13 ? Int64($0) : nil }
    }

    /// A list as it is stored; nil for an empty one.
    static func stored(_ strings: [String]) -> String? {
        guard !strings.isEmpty else { return nil }
        var json = JSONWriter()
        json.array { json in for string in strings { json.string(string) } }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// The union of two lists: what the second adds, compared without regard to case, comes behind.
    static func union(_ first: String, _ second: String) -> String? {
        var all = strings(first)
        var seen = Set(all.map { $0.lowercased() })
        for string in strings(second) where seen.insert(string.lowercased()).inserted { all.append(string) }
        return stored(all)
    }
}
