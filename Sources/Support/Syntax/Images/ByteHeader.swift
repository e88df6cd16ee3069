/// Reads numbers and names at places that may be behind the end.
struct ByteHeader {
    let bytes: [UInt8]

    /// A number with its highest byte first. Eight bytes may give a negative one.
    ///
    /// - Returns: Nil if it is not within the bytes.
    func big(at place: Int, _ count: Int) -> Int? {
        guard place >= 0, place <= bytes.count - count else { return nil }
        return bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }

    /// A number with its lowest byte first.
    func little(at place: Int, _ count: Int) -> Int? {
        guard place >= 0, place <= bytes.count - count else { return nil }
        return bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// Four letters, as chunks and boxes have them.
    func name(at place: Int) -> String? {
        guard place >= 0, place <= bytes.count - 4 else { return nil }
        return String(decoding: bytes[place..<place + 4], as: UTF8.self)
    }

    /// Whether these bytes are at a place.
    func has(_ text: String, at place: Int) -> Bool {
        place >= 0 && place <= bytes.count && bytes[place...].starts(with: text.utf8)
    }

    /// Whether a range is a whole color description (ICC.1:2022, 7.2): it begins with its length.
    func isColorDescription(_ range: Range<Int>) -> Bool {
        range.count >= 128 && big(at: range.lowerBound, 4) == range.count
            && has("acsp", at: range.lowerBound + 36)
    }
}
