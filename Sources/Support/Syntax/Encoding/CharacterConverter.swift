import System

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The C library's converter from an encoding to UTF-8. The encodings that are read with it have no shift states, so that
/// a converter may begin at any character.
final class CharacterConverter {
    /// How a conversion ended.
    enum Ending {
        case complete
        /// The bytes from the offset on begin a character and do not complete it.
        case incomplete
        /// The byte at the offset begins no character.
        case invalid
    }

    private let handle: iconv_t

    /// Nil if the C library does not have the encoding.
    init?(_ encoding: TextEncoding) {
        guard let handle = iconv_open("UTF-8", encoding.iconvName), Int(bitPattern: handle) != -1 else {
            return nil
        }
        self.handle = handle
    }

    deinit { iconv_close(handle) }

    /// Converts bytes up to the first that cannot be converted.
    ///
    /// - Parameters:
    ///   - offset: Where to begin in the bytes; moved behind what was converted.
    ///   - end: Where to begin in the buffer; moved behind what was written.
    func convert(
        _ bytes: UnsafeRawBufferPointer, from offset: inout Int, into buffer: UnsafeMutableRawBufferPointer,
        at end: inout Int
    ) -> Ending {
        guard let source = bytes.baseAddress, let target = buffer.baseAddress, offset < bytes.count else {
            return .complete
        }
        var input: UnsafeMutablePointer<CChar>? = UnsafeMutablePointer(
            mutating: (source + offset).assumingMemoryBound(to: CChar.self))
        var output: UnsafeMutablePointer<CChar>? = (target + end).assumingMemoryBound(to: CChar.self)
        var (inputLeft, outputLeft) = (bytes.count - offset, buffer.count - end)
        let result = iconv(handle, &input, &inputLeft, &output, &outputLeft)
        let ending: Ending = result != -1 ? .complete : errno == EINVAL ? .incomplete : .invalid
        // Some encodings hold a letter back, to which a combining mark may follow.
        _ = iconv(handle, nil, nil, &output, &outputLeft)
        (offset, end) = (bytes.count - inputLeft, buffer.count - outputLeft)
        return ending
    }

    /// The first character of some bytes and its length in bytes; a length of 1 without a character if they begin none.
    func character(in bytes: ArraySlice<UInt8>) -> (scalar: Unicode.Scalar?, length: Int) {
        var output: (UInt64, UInt64) = (0, 0)
        return bytes.withUnsafeBytes { bytes in
            withUnsafeMutableBytes(of: &output) { buffer in
                for length in 1...4 where length <= bytes.count {
                    var (offset, end) = (0, 0)
                    let ending = convert(
                        UnsafeRawBufferPointer(rebasing: bytes[..<length]), from: &offset, into: buffer,
                        at: &end)
                    if ending == .incomplete { continue }
                    guard ending == .complete, end > 0 else { break }
                    let text = String(decoding: buffer[..<end], as: UTF8.self).unicodeScalars
                    return (text.count == 1 ? text.first : nil, length)
                }
                return (nil, 1)
            }
        }
    }
}

/// How many bytes each character has in an encoding with one to four bytes.
final class CharacterLengths: Sendable {
    /// By number of the character, below 0x1_0000; 0 for one that the encoding does not have.
    private let lengths: [UInt8]
    /// Of all other characters.
    private let longest: Int

    private static let known = Guarded<[TextEncoding: CharacterLengths]>([:])

    static func of(_ encoding: TextEncoding) -> CharacterLengths {
        if let lengths = known.withLock({ $0[encoding] }) { return lengths }
        let lengths = CharacterLengths(encoding)
        known.withLock { $0[encoding] = lengths }
        return lengths
    }

    private init(_ encoding: TextEncoding) {
        var lengths = [UInt8](repeating: 0, count: 0x1_0000)
        longest = encoding == .gb18030 ? 4 : encoding == .eucJP ? 3 : 2
        if let converter = CharacterConverter(encoding) {
            func note(_ bytes: [UInt8]) -> Bool {
                let (scalar, length) = converter.character(in: bytes[...])
                guard length == bytes.count, let scalar, scalar.value < 0x1_0000 else { return false }
                lengths[Int(scalar.value)] = UInt8(length)
                return true
            }
            for first in UInt8(0x80)...0xFF {
                if note([first]) { continue }
                for second in UInt8(0x40)...0xFF
                where !note([first, second]) && encoding == .eucJP && first == 0x8F {
                    for third in UInt8(0xA1)...0xFE { _ = note([first, second, third]) }
                }
            }
        }
        self.lengths = lengths
    }

    /// The length of a character whose UTF-8 begins at an offset. A byte that is no UTF-8 stands for one byte.
    func length(ofCharacterAt at: Int, in bytes: UnsafeRawBufferPointer) -> Int {
        let first = bytes[at]
        func next(_ distance: Int) -> Int {
            at + distance < bytes.count ? Int(bytes[at + distance] & 0x3F) : 0
        }
        let scalar: Int
        switch first {
        case 0xC0..<0xE0: scalar = Int(first & 0x1F) << 6 | next(1)
        case 0xE0..<0xF0: scalar = Int(first & 0x0F) << 12 | next(1) << 6 | next(2)
        case 0xF0..<0xF8: return longest
        default: return 1
        }
        let length = Int(lengths[scalar])
        return length == 0 ? longest : length
    }
}
