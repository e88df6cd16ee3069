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
