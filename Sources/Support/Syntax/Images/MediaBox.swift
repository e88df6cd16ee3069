/// A box of the ISO base media file format (ISO/IEC 14496-12, 4.2). Its length and type come first.
struct MediaBox {
    let type: String
    /// Where the box begins. Its type is four bytes behind.
    let start: Int
    /// What is behind length and type.
    let content: Range<Int>

    /// The boxes that fill a range.
    ///
    /// - Throws: `damaged` if they do not fill it exactly.
    static func all(_ header: ByteHeader, in range: Range<Int>) throws(ImageProblem) -> [MediaBox] {
        var boxes: [MediaBox] = []
        var place = range.lowerBound
        while place < range.upperBound {
            let box = try MediaBox(header, at: place, end: range.upperBound)
            boxes.append(box)
            place = box.content.upperBound
        }
        return boxes
    }

    /// - Parameter end: Where the box ends at the latest.
    private init(_ header: ByteHeader, at start: Int, end: Int) throws(ImageProblem) {
        guard let short = header.big(at: start, 4), let type = header.name(at: start + 4) else {
            throw .damaged
        }
        var (length, head) = (short, 8)
        if short == 1 {
            guard let long = header.big(at: start + 8, 8) else { throw .damaged }
            (length, head) = (long, 16)
        } else if short == 0 {
            // The last box may go on to the end of the file.
            guard end == header.bytes.count else { throw .damaged }
            length = end - start
        }
        guard length >= head, length <= end - start else { throw .damaged }
        (self.type, self.start, content) = (type, start, start + head..<start + length)
    }

    /// The formats that a file says it has; nil if it does not begin as a file of boxes.
    static func brands(_ bytes: [UInt8]) -> Set<String>? {
        let header = ByteHeader(bytes: bytes)
        guard header.has("ftyp", at: 4), let length = header.big(at: 0, 4), 16...256 ~= length,
            length.isMultiple(of: 4), length <= bytes.count
        else { return nil }
        let places = [8] + stride(from: 16, to: length, by: 4)
        // A length that is too great makes a brand of what is not letters.
        guard places.allSatisfy({ bytes[$0..<$0 + 4].allSatisfy { 0x20..<0x7F ~= $0 } }) else { return nil }
        return Set(places.compactMap { header.name(at: $0) })
    }
}

/// Reads the numbers of a box one after the other.
struct MediaBoxReader {
    let header: ByteHeader
    /// What is left to read.
    private(set) var rest: Range<Int>

    init(_ header: ByteHeader, _ content: Range<Int>) { (self.header, rest) = (header, content) }

    /// The next number. A number of no bytes is 0.
    ///
    /// - Throws: `damaged` if the box has no such number, or if it is beyond 63 bits.
    mutating func number(_ count: Int) throws(ImageProblem) -> Int {
        guard rest.count >= count, let number = header.big(at: rest.lowerBound, count), number >= 0 else {
            throw .damaged
        }
        rest = rest.lowerBound + count..<rest.upperBound
        return number
    }

    /// The version and the flags with which most boxes begin.
    mutating func version() throws(ImageProblem) -> (version: Int, flags: Int) {
        (try number(1), try number(3))
    }

    /// Passes over bytes.
    mutating func skip(_ count: Int) throws(ImageProblem) {
        guard 0...rest.count ~= count else { throw .damaged }
        rest = rest.lowerBound + count..<rest.upperBound
    }

    /// - Throws: `damaged` if something is left.
    func end() throws(ImageProblem) {
        guard rest.isEmpty else { throw .damaged }
    }
}
