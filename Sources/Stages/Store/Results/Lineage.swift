package import Books
import Bytes
import Pipeline

/// The sources of a work's or edition's values, as stored: the ids of entries and candidates once, then two
/// bytes per field.
///
///     varint  number of sources
///     varint  each source: id << 1, plus 1 for a candidate, plus 0 for an entry; 1 for the user
///     then, for each field: field (1 byte), source number << 4 | rule (1 byte)
///
/// A field whose values are from several sources is repeated: once for each element of its list, in the list's order.
/// The authors' field stands for the contributors of a work. What is said of a field as a whole is said of its first
/// element.
///
/// A batch encodes the fields before any id is known; the sink prepends the sources.
package struct Lineage: Sendable, Hashable {
    /// The source of a value.
    package enum Source: Sendable, Hashable {
        case entry(Int64)
        case candidate(Int64)
        /// The user, who has set the value.
        case user
    }

    /// Stands for the user in place of the id of a candidate. No candidate has it.
    static let userID: UInt64 = 1

    /// The source of a value, and the rule that chose it.
    package struct Origin: Sendable, Hashable {
        package var source: Source
        package var rule: MergeRule

        package init(_ source: Source, _ rule: MergeRule) {
            self.source = source
            self.rule = rule
        }
    }

    /// The source and rule of a field, or of an element of its list.
    package struct Item: Sendable, Hashable {
        package var field: Field
        /// Index in ``sources``.
        package var source: Int
        package var rule: MergeRule
    }

    package var sources: [Source] = []
    package var items: [Item] = []

    init() {}

    /// Maximum sources of a lineage. Any further source is recorded as the last one.
    static let maximumSources = 16

    static func appendField(_ field: Field, source: Int, rule: MergeRule, to bytes: inout [UInt8]) {
        bytes.append(field.rawValue)
        bytes.append(UInt8(min(source, maximumSources - 1)) << 4 | rule.rawValue & 0x0F)
    }

    static func appendSources(entry: Int64, candidates: [Int64], to bytes: inout [UInt8]) {
        let candidates = candidates.prefix(maximumSources - 1)
        Varint.append(UInt64(candidates.count + 1), to: &bytes)
        Varint.append(UInt64(bitPattern: entry) << 1, to: &bytes)
        for candidate in candidates { Varint.append(UInt64(bitPattern: candidate) << 1 | 1, to: &bytes) }
    }

    /// Decodes a stored lineage. Invalid parts are skipped, because a missing lineage must not hide a result.
    package init(decoding bytes: [UInt8]) {
        self = bytes.withUnsafeBytes { Lineage(decoding: $0) }
    }

    /// Decodes a stored lineage.
    init(decoding bytes: UnsafeRawBufferPointer) {
        var at = 0
        guard let count = Varint.take(bytes, at: &at), count <= UInt64(Self.maximumSources) else { return }
        for _ in 0..<count {
            guard let value = Varint.take(bytes, at: &at) else { return }
            let id = Int64(value >> 1)
            sources.append(
                value == Self.userID ? .user : value & 1 == 1 ? .candidate(id) : .entry(id))
        }
        items.reserveCapacity((bytes.count - at) / 2)
        for place in stride(from: at, to: bytes.count - 1, by: 2) {
            if let item = Self.item(at: place, in: bytes, ofSources: sources.count) { items.append(item) }
        }
    }

    /// The rule of a field in a stored lineage; nil if unknown. Faster than decoding all of it.
    package static func rule(of field: Field, in bytes: UnsafeRawBufferPointer) -> MergeRule? {
        var at = 0
        guard let count = Varint.take(bytes, at: &at), count <= UInt64(maximumSources) else { return nil }
        for _ in 0..<count where Varint.take(bytes, at: &at) == nil { return nil }
        for place in stride(from: at, to: bytes.count - 1, by: 2) where bytes[place] == field.rawValue {
            if let item = item(at: place, in: bytes, ofSources: Int(count)) { return item.rule }
        }
        return nil
    }

    private static func item(
        at place: Int, in bytes: UnsafeRawBufferPointer, ofSources count: Int
    ) -> Item? {
        let packed = bytes[place + 1]
        guard let field = Field(rawValue: bytes[place]), let rule = MergeRule(rawValue: packed & 0x0F),
            Int(packed >> 4) < count
        else { return nil }
        return Item(field: field, source: Int(packed >> 4), rule: rule)
    }

    /// The stored form.
    package func encoded() -> [UInt8] {
        var bytes: [UInt8] = []
        Varint.append(UInt64(sources.count), to: &bytes)
        for source in sources {
            switch source {
            case .entry(let id): Varint.append(UInt64(bitPattern: id) << 1, to: &bytes)
            case .candidate(let id): Varint.append(UInt64(bitPattern: id) << 1 | 1, to: &bytes)
            case .user: Varint.append(Self.userID, to: &bytes)
            }
        }
        for item in items { Self.appendField(item.field, source: item.source, rule: item.rule, to: &bytes) }
        return bytes
    }

    /// The source of a field and its rule; nil if unknown.
    package func origin(of field: Field) -> (source: Source, rule: MergeRule)? {
        items.first { $0.field == field }.map { (sources[$0.source], $0.rule) }
    }

    /// The origins of a list's elements; empty if unknown.
    ///
    /// - Parameter count: Number of the elements.
    package func origins(of field: Field, count: Int) -> [Origin] {
        let noted = items.filter { $0.field == field }.map { Origin(sources[$0.source], $0.rule) }
        return Self.spread(noted, over: count)
    }

    /// An origin for each element of a list: those noted, or the first one if fewer or more are noted.
    static func spread(_ noted: [Origin], over count: Int) -> [Origin] {
        guard noted.count != count, let first = noted.first else { return noted }
        return Array(repeating: first, count: count)
    }

    /// The origins of a list's elements by the elements.
    ///
    /// - Parameters:
    ///   - list: The list's column.
    ///   - origins: Gives an origin for each of so many elements, or none.
    static func byElement(of list: String, _ origins: (Int) -> [Origin]) -> [String: Origin] {
        let strings = StoredList.strings(list)
        return Dictionary(zip(strings, origins(strings.count)), uniquingKeysWith: { first, _ in first })
    }

    /// Sets the source of a field and replaces the previous one.
    mutating func set(_ field: Field, from source: Source, by rule: MergeRule) {
        set(field, elements: [Origin(source, rule)])
    }

    /// Sets the origins of a list's elements, of which there is at least one, and replaces the previous ones.
    mutating func set(_ field: Field, elements: [Origin]) {
        items.removeAll { $0.field == field }
        var new: [Item] = []
        let isMixed = elements.contains { $0 != elements[0] }
        for element in isMixed ? elements[...] : elements.prefix(1) {
            guard let index = place(of: element.source, new) else {
                // There are too many sources to name each.
                new.removeLast(max(0, new.count - 1))
                break
            }
            new.append(Item(field: field, source: index, rule: element.rule))
        }
        let place = items.firstIndex { $0.field.rawValue > field.rawValue } ?? items.endIndex
        items.insert(contentsOf: new, at: place)
    }

    /// The index of a source, which is added if it is not among the sources yet; nil if there are too many.
    private mutating func place(of source: Source, _ new: [Item]) -> Int? {
        if let index = sources.firstIndex(of: source) { return index }
        let used = (items + new).reduce(into: 0 as UInt32) { $0 |= 1 << UInt32($1.source) }
        if let free = sources.indices.first(where: { used >> UInt32($0) & 1 == 0 }) {
            sources[free] = source
            return free
        }
        guard sources.count < Self.maximumSources else { return nil }
        sources.append(source)
        return sources.count - 1
    }
}
