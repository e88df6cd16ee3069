extension Field {
    /// Whether its column holds a JSON array, for the field may have several values.
    package var isList: Bool {
        switch self {
        case .genre, .subject, .seriesName, .workGoodreadsID, .workLibraryThingID, .isbn13,
            .editionLibraryThingID, .amazonASIN, .googleBooksVolumeID:
            true
        default: false
        }
    }
    /// Column of each field by its raw value; −1 for fields that are not among these.
    static func columnIndex(_ fields: [Field]) -> [Int8] {
        var index = [Int8](repeating: -1, count: 256)
        for (column, field) in fields.enumerated() { index[Int(field.rawValue)] = Int8(column) }
        return index
    }
}
