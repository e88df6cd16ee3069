import Books
import Bytes
import Pipeline
import Syntax

/// A works or editions row that is being updated: its columns and the source of each.
struct StoredRow {
    let fields: [Field]
    /// The row before the update. Its first columns are those of `fields`.
    private let stored: PackedRow
    /// An empty text clears its column.
    private var changes: [(column: Int, value: String)] = []
    private(set) var lineage: Lineage
    /// Whether a bibliographic column changed.
    private(set) var isChanged = false
    /// Whether anything changed, community columns included.
    private(set) var isTouched = false
    /// Fields that the user has set or locked. No source changes them.
    var locked = FieldSet()

    init(fields: [Field], _ stored: PackedRow, lineage: Lineage) {
        self.fields = fields
        self.stored = stored
        self.lineage = lineage
    }

    /// The value of a column; nil if it is empty.
    subscript(column: Int) -> String? {
        if let change = changes.first(where: { $0.column == column }) {
            return change.value.isEmpty ? nil : change.value
        }
        return stored.withColumns { $0[column].isEmpty ? nil : String(decoding: $0[column], as: UTF8.self) }
    }

    private mutating func set(_ column: Int, _ value: String) {
        if let index = changes.firstIndex(where: { $0.column == column }) {
            changes[index].value = value
        } else {
            changes.append((column, value))
        }
    }

    /// Appends the value of a column.
    ///
    /// - Returns: Whether the value has changed.
    func append(_ column: Int, to bytes: inout [UInt8]) -> Bool {
        if let change = changes.first(where: { $0.column == column }) {
            bytes.append(contentsOf: change.value.utf8)
            return true
        }
        stored.withColumns { bytes.append(contentsOf: $0[column]) }
        return false
    }

    /// Offers a value for a column. These rules decide, in this order:
    ///
    /// - A locked field keeps its value, or stays empty.
    /// - An empty column takes any value.
    /// - An assumed value only fills an empty column, and any other value replaces it.
    /// - If the export is older, the present value stays.
    /// - A year stays or is replaced if the other value is a full date in it.
    /// - A value from the same source replaces the present one, because it is newer. So does any community
    ///   value.
    /// - A provider's value replaces one from the user's file, and one of another provider or record if it is about the
    ///   edition that the user has chosen by its ISBN.
    /// - Lists from sources of the same kind are united, except series.
    /// - Otherwise the present value stays.
    ///
    /// - Parameters:
    ///   - elements: The origins of a list's elements that are from other sources.
    ///   - policy: Whether the export is older, and whether only a better value replaces a provider's.
    mutating func offer(
        column: Int, _ value: String, from source: Lineage.Source, by rule: MergeRule,
        elements: [String: Lineage.Origin] = [:], policy: OfferPolicy, isCommunity: Bool
    ) {
        let field = fields[column]
        guard !value.isEmpty, !locked.contains(field) else { return }
        let replaced: String
        if let present = self[column] {
            let current = lineage.origin(of: field)
            guard rule != .assumed else { return }
            if current?.rule == .assumed {
                return replace(column, value, from: source, by: rule, elements, isCommunity)
            }
            guard present != value, !policy.onlyFills else { return }
            if field == .publicationDate {
                if PublicationDate.refines(present, value) { return }
                if PublicationDate.refines(value, present) {
                    return replace(column, value, from: source, by: rule, elements, isCommunity)
                }
            }
            let origin = current?.source
            let isProviders = if case .candidate? = origin { true } else { false }
            if isProviders, !isCommunity, !policy.isBetter(value, than: present, of: field) { return }
            let isOfOtherEdition =
                policy.replacesProviders && isProviders && Self.rank(source) == Self.rank(origin)
            if origin == source || Self.rank(source) < Self.rank(origin) || isCommunity || isOfOtherEdition {
                replaced = value
            } else if field.hasOriginPerElement, Self.rank(source) == Self.rank(origin),
                let union = StoredList.union(present, value), union != present
            {
                let known = self.elements(column)
                set(column, union)
                note(column, union, Lineage.Origin(source, rule), elements.merging(known) { $1 })
                isTouched = true
                isChanged = true
                return
            } else {
                return
            }
        } else {
            replaced = value
        }
        replace(column, replaced, from: source, by: rule, elements, isCommunity)
    }

    /// The origins of the elements of a list.
    func elements(_ column: Int) -> [String: Lineage.Origin] {
        guard fields[column].hasOriginPerElement, let list = self[column] else { return [:] }
        return Lineage.byElement(of: list) { lineage.origins(of: fields[column], count: $0) }
    }

    /// Notes the origin of a value, or of each element of a list.
    ///
    /// - Parameters:
    ///   - origin: That of the value, and of elements that are not among `elements`.
    private mutating func note(
        _ column: Int, _ value: String, _ origin: Lineage.Origin, _ elements: [String: Lineage.Origin]
    ) {
        let field = fields[column]
        let strings = elements.isEmpty || field == .seriesName ? [] : StoredList.strings(value)
        lineage.set(field, elements: strings.isEmpty ? [origin] : strings.map { elements[$0] ?? origin })
    }

    /// Removes a value that the same entry gave by a rule and its newer record does not: genres from the user's shelves.
    mutating func withdraw(column: Int, by entry: Lineage.Source, rule: MergeRule) {
        guard self[column] != nil, !locked.contains(fields[column]),
            let origin = lineage.origin(of: fields[column]), origin.source == entry, origin.rule == rule
        else { return }
        set(column, "")
        isTouched = true
        isChanged = true
    }

    /// Replaces a value that follows from others by the one that the current rules give; an empty one clears it.
    mutating func rederive(column: Int, _ value: String, from source: Lineage.Source, by rule: MergeRule) {
        // What was there before keeps its origin.
        replace(column, value, from: source, by: rule, elements(column), false)
    }

    private mutating func replace(
        _ column: Int, _ value: String, from source: Lineage.Source, by rule: MergeRule,
        _ elements: [String: Lineage.Origin], _ isCommunity: Bool
    ) {
        // The elements of an edition's ISBNs that the present value has stay.
        let known = elements.isEmpty ? [:] : self.elements(column)
        set(column, value)
        note(column, value, Lineage.Origin(source, rule), elements.merging(known) { offered, _ in offered })
        isTouched = true
        if !isCommunity { isChanged = true }
    }

    /// Replaces a community value by a newer one.
    mutating func renew(column: Int, _ value: String, from source: Lineage.Source, by rule: MergeRule) {
        replace(column, value, from: source, by: rule, [:], true)
    }

    /// Takes over the value of a field that the user has set or locked in a row that is merged into this one.
    mutating func adopt(column: Int, of other: StoredRow) {
        set(column, other[column] ?? "")
        adoptOrigins(of: fields[column], of: other)
        isTouched = true
        isChanged = true
    }

    /// Takes over the origins of the contributors of a work that is merged into this one.
    mutating func adoptContributors(of other: StoredRow) {
        adoptOrigins(of: .authorName, of: other)
        isTouched = true
    }

    private mutating func adoptOrigins(of field: Field, of other: StoredRow) {
        let origins = other.lineage.items.filter { $0.field == field }
        guard !origins.isEmpty else { return }
        lineage.set(
            field, elements: origins.map { Lineage.Origin(other.lineage.sources[$0.source], $0.rule) })
    }

    /// Records the origins of a work's contributors, which have no column.
    mutating func note(contributors: [Lineage.Origin]) {
        guard !contributors.isEmpty else { return }
        lineage.set(.authorName, elements: contributors)
        isTouched = true
        isChanged = true
    }

    /// Providers rank before the user's file, which ranks before an unknown source. A value that the user has
    /// set and unlocked again is replaced by any.
    static func rank(_ source: Lineage.Source?) -> Int {
        switch source {
        case .candidate: 1
        case .entry: 2
        case .user, nil: 3
        }
    }
}

/// Lists as stored: JSON arrays of strings in a text column.
package enum StoredList {
    /// The names of an entry's shelves, which are stored with commas between them, without blanks around them.
    package static func shelves(_ stored: String) -> [String] {
        stored.split(separator: ",").map { name in
            var name = name
            while name.first?.isWhitespace == true { name.removeFirst() }
            while name.last?.isWhitespace == true { name.removeLast() }
            return String(name)
        }.filter { !$0.isEmpty }
    }

    /// The strings of a stored list; empty if the list is empty or invalid.
    package static func strings(_ stored: String) -> [String] {
        var stored = stored
        return stored.withUTF8 { strings(UnsafeRawBufferPointer($0)) }
    }

    /// The same for stored bytes.
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

    /// Appends the strings of a stored list with a separator between them; nothing if the list is empty or
    /// invalid.
    package static func append(
        _ stored: UnsafeRawBufferPointer, separatedBy separator: StaticString, to bytes: inout [UInt8]
    ) {
        guard stored.count > 2 else { return }
        let start = bytes.count
        var isFirst = true
        var reader = JSONReader(stored)
        do throws(JSONReadError) {
            try reader.forEachElement { element throws(JSONReadError) in
                if !isFirst { bytes.append(separator) }
                isFirst = false
                try element.string(into: &bytes)
            }
            try reader.finish()
        } catch {
            bytes.removeLast(bytes.count - start)
        }
    }

    /// The ISBN-13s of a stored list of ISBNs, as numbers.
    static func isbn13s(_ stored: UnsafeRawBufferPointer) -> [Int64] {
        strings(stored).compactMap { $0.utf8.count == 13 ? Int64($0) : nil }
    }

    /// A list in stored form; nil if it is empty.
    static func stored(_ strings: [String]) -> String? {
        guard !strings.isEmpty else { return nil }
        var json = JSONWriter()
        json.array { json in for string in strings { json.string(string) } }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// Whether a list certainly has all strings of another one. Compares the strings as they are stored.
    static func contains(_ list: UnsafeRawBufferPointer, allOf other: UnsafeRawBufferPointer) -> Bool {
        if other.isEmpty || other.hasSameBytes(as: list) { return true }
        var next = 0
        while let string = nextString(of: other, at: &next) {
            var place = 0
            var isFound = false
            while !isFound, let known = nextString(of: list, at: &place) {
                isFound = known.hasSameBytes(as: string)
            }
            guard isFound else { return false }
        }
        return next == other.count
    }

    /// The next string of a stored list, unescaped; nil at its end or if it is invalid.
    ///
    /// - Parameter offset: Starts at 0. It is the list's length at the end of a valid list.
    private static func nextString(
        of list: UnsafeRawBufferPointer, at offset: inout Int
    ) -> UnsafeRawBufferPointer? {
        let (quote, backslash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))
        // The string follows a bracket or a comma.
        guard offset + 1 < list.count, list[offset + 1] == quote else {
            if offset + 1 == list.count, list[offset] == UInt8(ascii: "]") { offset += 1 }
            return nil
        }
        let start = offset + 2
        var end = start
        while end < list.count, list[end] != quote { end += list[end] == backslash ? 2 : 1 }
        guard end + 1 < list.count else { return nil }
        offset = end + 1
        return list.part(start, end - start)
    }

    /// The union of two lists: strings that only the second one has, ignoring case, are appended.
    static func union(_ first: String, _ second: String) -> String? {
        var all = strings(first)
        var seen = Set(all.map { $0.lowercased() })
        for string in strings(second) where seen.insert(string.lowercased()).inserted { all.append(string) }
        return stored(all)
    }
}
