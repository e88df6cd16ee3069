/// Finds out whether a request's head is nothing but its parts and what belongs between them.
///
/// libmicrohttpd 0.9.75 accepts folded lines, lines that end without CR, and zero bytes, and reads them in its own way.
/// What it has read says nothing about that, but the parts stay where they arrived in memory: those of a clean head
/// follow each other at fixed distances. Whatever another version does, a head that it takes apart differently is refused.
struct HeadLayout {
    private let start: UInt
    /// Where the last part ends.
    private var end: UInt
    private(set) var isClean = true

    /// - Parameter method: Address and number of bytes of the method, which is the first part.
    init(method: UInt, count: Int) {
        start = method
        end = method &+ UInt(count)
    }

    /// Adds the target or the version, which follows a space.
    mutating func addWord(at place: UInt, count: Int) {
        check(place == end &+ 1)
        end = place &+ UInt(count)
    }

    /// Adds a header field, which follows a line end. Between name and value is a colon, and perhaps blanks.
    mutating func addField(name: UInt, count: Int, value: UInt, valueCount: Int) {
        check(name == end &+ 2 && value > name &+ UInt(count))
        end = value &+ UInt(valueCount)
    }

    /// The head has ended with a line end and an empty line.
    ///
    /// - Parameter count: The bytes of the head as they were counted when it arrived.
    mutating func finish(count: Int) { check(end &+ 4 == start &+ UInt(count)) }

    private mutating func check(_ isRight: Bool) { if !isRight { isClean = false } }
}
