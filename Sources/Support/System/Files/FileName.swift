import Glibc

/// File names as text. On Linux a name is any bytes except `/` and NUL; Swift's strings, and JSON, are UTF-8.
///
/// A byte that is not UTF-8 is one private character in the text: U+10FE00 plus the byte. If a name contains such a
/// character itself, each of its four bytes is replaced in the same way. So no two names have the same text, and a
/// name without such bytes and characters is its own text.
///
/// ``FileSystem`` and ``Folder`` take names in this form.
package enum FileName {
    /// Bytes of the longest name on Linux.
    package static let longest = Int(NAME_MAX)
    /// The characters that stand for bytes. Their UTF-8 begins with `F4 8F BA` or `F4 8F BB`.
    private static let escapes: ClosedRange<UInt32> = 0x10FE80...0x10FEFF
    private static let base: UInt32 = 0x10FE00
    /// The first byte of their UTF-8. Few other characters begin with it.
    private static let lead: UInt8 = 0xF4

    /// The text of a name.
    package static func text(of bytes: some Collection<UInt8>) -> String {
        if !bytes.contains(lead), let text = String(validating: bytes, as: UTF8.self) { return text }
        var text = String.UnicodeScalarView()
        var rest = bytes[...]
        while let first = rest.first {
            var decoder = Unicode.UTF8.ForwardParser()
            var input = rest.makeIterator()
            if case .valid(let encoded) = decoder.parseScalar(from: &input) {
                let scalar = Unicode.UTF8.decode(encoded)
                if !escapes.contains(scalar.value) {
                    text.append(scalar)
                    rest = rest.dropFirst(encoded.count)
                    continue
                }
            }
            text.append(Unicode.Scalar(base + UInt32(first)) ?? "\u{FFFD}")
            rest = rest.dropFirst()
        }
        return String(text)
    }

    /// The text of a name that ends with NUL.
    package static func text(of name: UnsafePointer<CChar>) -> String {
        text(of: UnsafeRawBufferPointer(start: name, count: strlen(name)))
    }

    /// The bytes of a name, without NUL.
    package static func bytes(of text: String) -> [UInt8] {
        guard !isText(text) else { return Array(text.utf8) }
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            if escapes.contains(scalar.value) {
                bytes.append(UInt8(scalar.value - base))
            } else {
                bytes += UTF8.encode(scalar).map(Array.init) ?? []
            }
        }
        return bytes
    }

    /// Whether two names are the same, byte by byte. For `String`, `é` in one character is the same as in two; for the
    /// system, these are two files.
    package static func areSame(_ name: some StringProtocol, _ other: some StringProtocol) -> Bool {
        name.utf8.elementsEqual(other.utf8)
    }

    /// Text between the beginning and the end of a name, compared byte by byte; nil if the name has others.
    package static func middle(
        of name: String, from start: String, to end: String = ""
    ) -> Substring? {
        let (all, first, last) = (name.utf8, start.utf8, end.utf8)
        guard all.count >= first.count + last.count, all.starts(with: first),
            all.suffix(last.count).elementsEqual(last)
        else { return nil }
        return Substring(all.dropFirst(first.count).dropLast(last.count))
    }

    /// Whether a text has no bytes that are not UTF-8.
    package static func isText(_ text: String) -> Bool {
        !text.utf8.contains(lead) || !text.unicodeScalars.contains { escapes.contains($0.value) }
    }

    /// The name for people: `\xE9` for bytes that are not UTF-8.
    package static func shown(_ text: String) -> String {
        guard !isText(text) else { return text }
        return text.unicodeScalars.map { scalar in
            escapes.contains(scalar.value)
                ? "\\x" + String(scalar.value - base, radix: 16, uppercase: true) : String(scalar)
        }.joined()
    }
}

extension String {
    /// Calls a function of the system with a file's name.
    package func withFileName<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        if FileName.isText(self) { return withCString(body) }
        let bytes = FileName.bytes(of: self).map { CChar(bitPattern: $0) } + [0]
        return bytes.withUnsafeBufferPointer { name in name.baseAddress.map(body) ?? withCString(body) }
    }
}
