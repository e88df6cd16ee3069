import Bytes

/// Splits an XML document at elements with given names, such as `record` or `Product`, at any depth.
///
/// It parses markup only as far as needed to find an element's bounds: comments, CDATA sections, processing
/// instructions, quoted attributes. Whether a record is well-formed is checked when it is parsed. A record
/// that is never closed ends where the next one begins.
package struct XMLFraming: RecordFraming {
    private enum State {
        case text
        /// After `<`.
        case open
        /// In the name of a start or end tag.
        case name(isEnd: Bool)
        /// In a tag, after its name. `afterSlash` says whether the previous byte was a slash.
        case tag(isEnd: Bool, afterSlash: Bool)
        case quoted(by: UInt8)
        /// After `<!`, until the kind of declaration is known.
        case declaration
        /// In a document type or another declaration that ends with `>`.
        case doctype
        case comment, cdata, instruction
    }

    private let names: [[UInt8]]
    private var state = State.text
    /// The name being read, without prefix. Only the first 64 bytes are kept.
    private var name: [UInt8] = []
    private var isRecordTag = false
    /// The last eight bytes, to recognize delimiters of several bytes. The latest byte is the lowest.
    private var recent: UInt64 = 0
    /// Bytes from the last `<` on, including it.
    private var tagLength = 0
    package private(set) var isInRecord = false
    /// Open elements around the current place, not counting those inside a record. Too low if reading began
    /// in the middle of the document.
    private var depth = 0
    /// Whether elements outside records were ever nested deeper than ``deepest``.
    private(set) var isTooDeep = false

    /// Maximum nesting of elements: libxml2's own limit, which it applies within a record.
    static let deepest = 256

    /// - Parameter names: Names of the elements that are records, without prefix.
    package init(names: [String]) {
        self.names = names.map { Array($0.utf8) }
    }

    package mutating func next(in bytes: UnsafeRawBufferPointer, from offset: Int) -> FrameMark {
        var at = offset
        while at < bytes.count {
            if case .text = state {
                guard let open = bytes.offset(of: UInt8(ascii: "<"), from: at) else { return .needsInput }
                state = .open
                tagLength = 1
                at = open + 1
                if !isInRecord { return .mayBegin(open) }
                continue
            }
            let byte = bytes[at]
            recent = recent << 8 | UInt64(byte)
            tagLength += 1
            at += 1
            if let mark = take(byte, before: at) { return mark }
        }
        return .needsInput
    }

    /// Takes a byte of markup.
    ///
    /// - Parameter end: The offset after it.
    private mutating func take(_ byte: UInt8, before end: Int) -> FrameMark? {
        switch state {
        case .text: break
        case .open:
            name.removeAll(keepingCapacity: true)
            recent = UInt64(byte)
            switch byte {
            case UInt8(ascii: "/"): state = .name(isEnd: true)
            case UInt8(ascii: "!"): state = .declaration
            case UInt8(ascii: "?"): state = .instruction
            case UInt8(ascii: "<"): return beginTag(at: end - 1)
            case UInt8(ascii: ">"): state = .text
            default:
                state = .name(isEnd: false)
                name.append(byte)
            }
        case .name(let isEnd): return takeName(byte, isEnd: isEnd, before: end)
        case .tag(let isEnd, let afterSlash): return takeTag(byte, isEnd, afterSlash, before: end)
        case .quoted(let quote):
            // An attribute cannot contain `<`, so its closing quote is missing.
            if byte == quote { state = .tag(isEnd: false, afterSlash: false) }
            if byte == UInt8(ascii: "<") { return beginTag(at: end - 1) }
        case .declaration:
            if recent & 0xFF_FFFF == 0x21_2D2D {  // !--
                state = .comment
                recent = 0
            } else if recent & 0xFF_FFFF_FFFF_FFFF == 0x5B_4344_4154_415B {  // [CDATA[
                state = .cdata
            } else if byte == UInt8(ascii: ">") {
                state = .text
            } else if tagLength > 9 {
                state = .doctype
            }
        case .doctype: if byte == UInt8(ascii: ">") { state = .text }
        case .comment: if recent & 0xFF_FFFF == 0x2D_2D3E { state = .text }  // -->
        case .cdata: if recent & 0xFF_FFFF == 0x5D_5D3E { state = .text }  // ]]>
        case .instruction: if recent & 0xFFFF == 0x3F3E { state = .text }  // ?>
        }
        return nil
    }

    private mutating func takeName(_ byte: UInt8, isEnd: Bool, before end: Int) -> FrameMark? {
        switch byte {
        case UInt8(ascii: ":"):
            name.removeAll(keepingCapacity: true)
            return nil
        case UInt8(ascii: ">"), UInt8(ascii: "/"), 0x09, 0x0A, 0x0D, 0x20, UInt8(ascii: "<"): break
        default:
            if name.count < 64 { name.append(byte) }
            return nil
        }
        isRecordTag = names.contains(name)
        if isRecordTag, !isEnd {
            if isInRecord {
                // The previous record was never closed. The new record's tag is read again.
                isInRecord = false
                state = .text
                return .ends(end - tagLength)
            }
            isInRecord = true
        }
        state = .tag(isEnd: isEnd, afterSlash: false)
        return takeTag(byte, isEnd, false, before: end)
    }

    private mutating func takeTag(
        _ byte: UInt8, _ isEnd: Bool, _ afterSlash: Bool, before end: Int
    ) -> FrameMark? {
        switch byte {
        case UInt8(ascii: ">"):
            state = .text
            if !isInRecord, isEnd || !afterSlash {
                depth += isEnd ? -1 : 1
                if depth > Self.deepest { isTooDeep = true }
            }
            guard isRecordTag, isEnd || afterSlash, isInRecord else { return nil }
            isInRecord = false
            return .ends(end)
        case UInt8(ascii: "<"): return beginTag(at: end - 1)
        case UInt8(ascii: "\""), UInt8(ascii: "'"): state = .quoted(by: byte)
        default: state = .tag(isEnd: isEnd, afterSlash: byte == UInt8(ascii: "/"))
        }
        return nil
    }

    /// Begins a tag although the previous one was not closed.
    private mutating func beginTag(at offset: Int) -> FrameMark? {
        state = .open
        tagLength = 1
        return isInRecord ? nil : .mayBegin(offset)
    }
}
