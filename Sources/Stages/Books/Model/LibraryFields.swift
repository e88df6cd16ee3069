/// Some of the fields of a library export: a bit for each.
public struct LibraryFields: Sendable, Hashable {
    private var bits: UInt64 = 0

    /// None.
    public init() {}

    /// Whether there are none.
    public var isEmpty: Bool { bits == 0 }

    /// Whether a field is among them.
    public func contains(_ field: LibraryField) -> Bool { bits & Self.bit(field) != 0 }

    /// Adds a field.
    public mutating func insert(_ field: LibraryField) { bits |= Self.bit(field) }

    private static func bit(_ field: LibraryField) -> UInt64 { 1 << UInt64(field.rawValue) }
}
