import Bytes

/// An identifier other than an ISBN by which catalogs know books, in the one form in which it is compared.
package enum BookIdentifier: UInt8, Sendable, CaseIterable, Hashable {
    /// Goodreads' Book Id.
    case goodreads = 1
    /// Amazon's number (ASIN). That of a printed book is its ISBN-10 and is not used.
    case amazon
    case oclc
    /// The control number of the Library of Congress.
    case lccn
    /// LibraryThing's id of the work.
    case libraryThing

    /// The identifiers that a field holds; nil for other fields.
    package init?(_ field: Field) {
        switch field {
        case .editionGoodreadsID: self = .goodreads
        case .amazonASIN: self = .amazon
        case .oclcNumber: self = .oclc
        case .lccn: self = .lccn
        case .editionLibraryThingID: self = .libraryThing
        default: return nil
        }
    }

    /// Whether it belongs to one edition, not to all editions of a work.
    package var isOfEdition: Bool { self != .libraryThing }

    /// Maximum length of an identifier in bytes.
    private static let longest = 20

    /// The form in which the identifier is compared; nil if the text is none.
    package func normalized(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
        var bytes: [UInt8] = []
        for byte in text where byte > 0x20 {
            guard bytes.count < Self.longest else { return nil }
            bytes.append(byte.isLetter ? byte | 0x20 : byte)
        }
        switch self {
        case .goodreads, .libraryThing: return Self.number(bytes[...])
        case .oclc:
            // ocm00012345, ocn123456789, on1234567890, (OCoLC)12345
            return Self.number(bytes.drop { !$0.isDigit })
        case .amazon:
            let isASIN =
                bytes.count == 10 && bytes.first == UInt8(ascii: "b") && bytes.contains(where: \.isDigit)
                && bytes.allSatisfy { $0.isDigit || $0.isLetter }
            return isASIN ? bytes : nil
        case .lccn: return Self.controlNumber(bytes)
        }
    }

    /// Digits without leading zeros.
    private static func number(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        let digits = bytes.drop { $0 == UInt8(ascii: "0") }
        return digits.isEmpty || !digits.allSatisfy(\.isDigit) ? nil : Array(digits)
    }

    /// The normal form of the Library of Congress: `85-2` is `85000002`; what follows a slash is left out.
    private static func controlNumber(_ bytes: [UInt8]) -> [UInt8]? {
        var number = Array(bytes.prefix { $0 != UInt8(ascii: "/") })
        if let hyphen = number.firstIndex(of: UInt8(ascii: "-")) {
            let serial = number[(hyphen + 1)...]
            guard serial.count <= 6, serial.allSatisfy(\.isDigit) else { return nil }
            let zeros = repeatElement(UInt8(ascii: "0"), count: 6 - serial.count)
            number = Array(number[..<hyphen]) + zeros + Array(serial)
        }
        let digits = number.drop { $0.isLetter }
        return (8...10).contains(digits.count) && digits.allSatisfy(\.isDigit)
            && number.count - digits.count <= 3
            ? number : nil
    }

    /// The key by which a catalog finds the identifier; nil if the text is none.
    package func key(_ text: UnsafeRawBufferPointer) -> Int64? {
        normalized(text).map { Int64(bitPattern: KeyHash.hash($0, seed: 0x1D00 + UInt64(rawValue))) }
    }
}
