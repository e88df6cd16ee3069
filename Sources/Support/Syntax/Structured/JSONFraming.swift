/// Splits JSON at the objects that are records, at any depth and with keys in any order.
///
/// A record is an object that has one of certain keys (``JSONRecordKeys``). Nothing between records needs to
/// be remembered, so reading can resume between any two of them.
///
/// Strings may contain line ends, so a line end closes nothing. If a quote is missing, the next quote seems
/// to close a string but is followed by something that cannot follow one. It is then taken as the beginning
/// of a string. So a missing quote or bracket damages only its own record: whatever it leaves open ends where
/// the next record begins.
package struct JSONFraming: RecordFraming {
    private enum State {
        case plain, string, escape
        /// After a quote that seems to have closed a string.
        case closed
    }

    /// Value that must follow a key to make its object a record. The values are indices of keys.
    private enum Awaited {
        case nothing
        case text(Int)
        case list(Int)
        case object(Int)
    }

    /// An open bracket.
    private struct Bracket {
        var start: Int
        var isObject: Bool
    }

    /// Maximum number of brackets tracked, more than any record has open. Deeper brackets are only counted.
    private static let maxBrackets = 64

    /// Maximum whitespace in bytes between an object's bracket and its first key, when the bracket is
    /// searched for before the key.
    private static let maxBlanks = 64

    /// Maximum distance in bytes between the beginnings of the first and the last record within another one.
    private static let maxHeldWithin = 256 * 1024

    private let keys: JSONRecordKeys
    private var state = State.plain
    /// Bytes examined. Like the offsets below, it counts from the start of the input, because the bytes held
    /// change.
    private var looked = 0
    private var brackets: [Bracket] = []
    /// Open brackets deeper than the last of ``brackets``.
    private var deeper = 0
    /// Offset of the last quote that seemed to close a string.
    private var quote = 0
    /// The last eight bytes of the last string, in the form of ``JSONRecordKeys/Key``.
    private var word: UInt64 = 0
    private var awaited = Awaited.nothing
    /// Offset of the quote that opened the key whose value comes next.
    private var key = 0
    /// Whether the last token was a key's colon.
    private var isAfterColon = false

    /// Whether the outermost object is a record.
    private var isRecord = false
    /// The record keys found in it, one bit each.
    private var met: UInt64 = 0
    /// Whether the list of objects that is the value of such a key is open.
    private var isInList = false
    /// Whether brackets or quotes have mismatched since it began.
    private var isBroken = false
    /// Start of the first record within it; nil if it has none.
    private var within: Int?

    package init(keys: JSONRecordKeys) { self.keys = keys }

    package var isInRecord: Bool { isRecord && !brackets.isEmpty }

    package mutating func next(in bytes: UnsafeRawBufferPointer, from offset: Int) -> FrameMark {
        let held = Held(bytes: bytes, start: looked - offset)
        var at = offset
        while at < bytes.count {
            if let mark = take(bytes[at], at: held.start + at, held) { return mark }
            at += 1
        }
        looked = held.start + bytes.count
        return .needsInput
    }

    package mutating func endOfInput(in bytes: UnsafeRawBufferPointer) -> Int? {
        guard isInRecord, let within else { return nil }
        let held = Held(bytes: bytes, start: looked - bytes.count)
        guard within > held.start else { return nil }
        restart(at: within)
        return within - held.start
    }

    // MARK: Strings

    private mutating func take(_ byte: UInt8, at place: Int, _ held: Held) -> FrameMark? {
        switch state {
        case .escape:
            state = .string
        case .string:
            takeString(byte, at: place)
        case .plain:
            return takePlain(byte, at: place, held)
        case .closed:
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D:
                break
            case UInt8(ascii: ":"):
                state = .plain
                return takeColon(held)
            case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"):
                state = .plain
                return takePlain(byte, at: place, held)
            default:
                // The quote opened this string. What seemed to be a string before it was not one.
                isBroken = true
                if let brace = held.brace(before: quote, within: Self.maxBlanks) {
                    if brackets.isEmpty { return begin(at: brace, isRecord: false, held) }
                    push(Bracket(start: brace, isObject: true))
                }
                state = .string
                word = 0
                key = quote
                takeString(byte, at: place)
            }
        }
        return nil
    }

    private mutating func takeString(_ byte: UInt8, at place: Int) {
        switch byte {
        case UInt8(ascii: "\""):
            state = .closed
            quote = place
        case UInt8(ascii: "\\"):
            state = .escape
            word = word << 8 | UInt64(byte)
        default:
            word = word << 8 | UInt64(byte)
        }
    }

    private mutating func takeColon(_ held: Held) -> FrameMark? {
        isAfterColon = true
        guard let index = keys.index(of: word) else { return nil }
        switch keys[index].value {
        case .any: return takeRecordKey(index, held)
        case .text: awaited = .text(index)
        case .objects: awaited = .list(index)
        }
        return nil
    }

    // MARK: Brackets

    private mutating func takePlain(_ byte: UInt8, at place: Int, _ held: Held) -> FrameMark? {
        let wanted = awaited
        switch byte {
        case 0x20, 0x09, 0x0A, 0x0D:
            return nil
        case UInt8(ascii: "\""):
            awaited = .nothing
            if case .text(let index) = wanted, let mark = takeRecordKey(index, held) { return mark }
            state = .string
            word = 0
            key = place
        case UInt8(ascii: "["):
            awaited = .nothing
            if case .list(let index) = wanted { awaited = .object(index) }
            if !brackets.isEmpty { open(Bracket(start: place, isObject: false)) }
        case UInt8(ascii: "{"):
            awaited = .nothing
            if case .object(let index) = wanted, let mark = takeRecordKey(index, held) { return mark }
            if brackets.isEmpty { return begin(at: place, isRecord: false, held) }
            open(Bracket(start: place, isObject: true))
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            awaited = .nothing
            isAfterColon = false
            return close(byte, at: place, held)
        default:
            awaited = .nothing
        }
        isAfterColon = false
        return nil
    }

    private mutating func open(_ bracket: Bracket) {
        // In an object, a key precedes every value.
        if brackets.last?.isObject == true, deeper == 0, !isAfterColon { isBroken = true }
        push(bracket)
    }

    private mutating func push(_ bracket: Bracket) {
        guard brackets.count == Self.maxBrackets else { return brackets.append(bracket) }
        // No reader decodes values this deep, and searching for its end would examine everything within again
        // and again.
        deeper += 1
        isBroken = true
    }

    private mutating func close(_ byte: UInt8, at place: Int, _ held: Held) -> FrameMark? {
        guard deeper == 0 else {
            deeper -= 1
            return nil
        }
        guard let bracket = brackets.popLast() else { return nil }
        if bracket.isObject != (byte == UInt8(ascii: "}")) { isBroken = true }
        if brackets.count == 1 { isInList = false }
        guard brackets.isEmpty, isRecord else { return nil }
        // Records within an incomplete record are records of their own.
        if let within, within > held.start, isBroken || met != keys.all {
            return end(at: within, held)
        }
        return end(at: place + 1, held)
    }

    // MARK: Records

    /// Handles a key of records, once its value is known to have the right type.
    private mutating func takeRecordKey(_ index: Int, _ held: Held) -> FrameMark? {
        let found = keys[index]
        let isInOwnList = found.value == .objects && !brackets.isEmpty
        let depth = brackets.count - (isInOwnList ? 1 : 0)
        var owner = depth > 0 && deeper == 0 && brackets[depth - 1].isObject ? brackets[depth - 1].start : nil
        if owner == nil { owner = held.brace(before: key, within: Self.maxBlanks) }
        if isRecord, !brackets.isEmpty {
            guard depth > 1 || deeper > 0 else {
                met |= 1 << UInt64(index)
                isInList = isInOwnList
                return nil
            }
            return found.isCertain ? takeKeyWithin(owner, held) : nil
        }
        // A record that was closed too early is followed by more of its keys.
        guard found.isCertain || owner != nil else { return nil }
        // If its bracket is missing or no longer held, the record begins at the key.
        return begin(at: owner.map { $0 >= held.start ? $0 : key } ?? key, isRecord: true, held)
    }

    /// Handles the key of a record that begins within another one.
    private mutating func takeKeyWithin(_ owner: Int?, _ held: Held) -> FrameMark? {
        guard let owner else {
            isBroken = true
            return nil
        }
        let first = within ?? owner
        if !keys.holdRecords || isBroken || isInList || owner - first > Self.maxHeldWithin {
            return end(at: first >= held.start ? first : owner, held)
        }
        within = first
        return nil
    }

    private mutating func begin(at place: Int, isRecord: Bool, _ held: Held) -> FrameMark {
        let start = max(place, held.start)
        restart(at: start + 1)
        brackets.append(Bracket(start: start, isObject: true))
        self.isRecord = isRecord
        if held[start] == UInt8(ascii: "\"") {
            state = .string
            key = start
        }
        return .mayBegin(start - held.start)
    }

    private mutating func end(at place: Int, _ held: Held) -> FrameMark {
        let end = max(place, held.start)
        restart(at: end)
        return .ends(end - held.start)
    }

    /// Resets the state but keeps the memory of the brackets.
    private mutating func restart(at place: Int) {
        brackets.removeAll(keepingCapacity: true)
        let emptied = brackets
        self = Self(keys: keys)
        brackets = emptied
        looked = place
    }
}

/// The bytes of the input that are held in memory.
private struct Held {
    let bytes: UnsafeRawBufferPointer
    /// Offset of the first byte in the input.
    let start: Int

    subscript(place: Int) -> UInt8? {
        let offset = place - start
        return bytes.indices.contains(offset) ? bytes[offset] : nil
    }

    /// The offset of an object's opening bracket directly before a quote.
    ///
    /// - Parameter most: Maximum whitespace between them, in bytes.
    /// - Returns: Nil if there is none.
    func brace(before quote: Int, within most: Int) -> Int? {
        var place = quote - 1
        while quote - place <= most, let byte = self[place], byte <= 0x20 { place -= 1 }
        return self[place] == UInt8(ascii: "{") ? place : nil
    }
}
