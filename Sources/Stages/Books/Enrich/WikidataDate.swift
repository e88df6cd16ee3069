import Bytes

/// A date of Wikidata, as far as books need it.
struct WikidataDate: Hashable {
    /// 9 is a year, 10 a month, 11 a day; less is a decade or vaguer.
    static let yearPrecision = 9

    /// Negative before our era; there is no year 0.
    var year: Int32
    var precision: Int

    /// The year of `+1952-03-11T00:00:00Z`, `-0044-03-15T00:00:00Z`; nil where it is none.
    static func year(_ time: UnsafeRawBufferPointer) -> Int32? {
        guard let sign = time.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else {
            return nil
        }
        let digits = time.dropFirst().prefix(while: \.isDigit)
        guard let year = TableLine.number(UnsafeRawBufferPointer(rebasing: digits)), year > 0 else {
            return nil
        }
        return sign == UInt8(ascii: "-") ? -Int32(year) : Int32(year)
    }
}
