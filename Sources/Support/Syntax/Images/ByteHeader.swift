/// Reads numbers at places that may be behind the end.
struct ByteHeader {
    let bytes: [UInt8]

    /// A number whose highest byte comes first; nil behind the end.
    ///
    /// - Parameter count: Bytes of the number, at most 7.
    func big(at place: Int, _ count: Int) -> Int? {
        guard place >= 0, place <= bytes.count - count else { return nil }
        return bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }

    /// A number whose lowest byte comes first; nil behind the end.
    func little(at place: Int, _ count: Int) -> Int? {
        guard place >= 0, place <= bytes.count - count else { return nil }
        return bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// Whether a text stands at a place.
    func has(_ text: StaticString, at place: Int) -> Bool {
        text.withUTF8Buffer { text in
            place >= 0 && place <= bytes.count - text.count
                && bytes[place..<place + text.count].elementsEqual(text)
        }
    }
}
