import Syntax

/// Shapes that Open Library's records share; records of twenty years hold each of them in several forms.
extension JSONReader {
    /// Text that is a string or, in `{"type": "/type/text", "value": …}`, an object; nil for anything else.
    mutating func openLibraryText() throws(JSONReadError) -> JSONString? {
        try member("value")
    }

    /// A reference that is a string or `{"key": …}`, or the same below `author`, as a work names its authors
    /// today and as it did.
    mutating func openLibraryReference() throws(JSONReadError) -> OpenLibraryKey? {
        switch try peek() {
        case .string:
            return try string().openLibraryKey
        case .object:
            var found: OpenLibraryKey?
            try forEachKey { name, reader throws(JSONReadError) in
                if name == "key" {
                    found = try reader.stringIfAny()?.openLibraryKey
                } else if name == "author" {
                    found = try reader.member("key")?.openLibraryKey
                }
            }
            return found
        default:
            try skip()
            return nil
        }
    }

    /// Walks over the strings of an array; a string that stands alone is an array of one, anything else is
    /// skipped.
    mutating func forEachString(
        _ body: (JSONString) throws(JSONReadError) -> Void
    ) throws(JSONReadError) {
        switch try peek() {
        case .string:
            try body(try string())
        case .array:
            try forEachElement { reader throws(JSONReadError) in
                // `/api/books` gives a publisher, an author or a subject an object with its name.
                if let string = try reader.member("value", or: "name") { try body(string) }
            }
        default:
            try skip()
        }
    }

    /// Walks over the references of an array; what is no array is skipped.
    mutating func forEachReference(
        _ body: (OpenLibraryKey) throws(JSONReadError) -> Void
    ) throws(JSONReadError) {
        guard try peek() == .array else { return try skip() }
        try forEachElement { reader throws(JSONReadError) in
            if let key = try reader.openLibraryReference() { try body(key) }
        }
    }

    /// The first cover or photo of an array of ids: -1, 0 and null mean none.
    mutating func firstImage() throws(JSONReadError) -> Int64? {
        guard try peek() == .array else {
            try skip()
            return nil
        }
        var found: Int64?
        try forEachElement { reader throws(JSONReadError) in
            guard found == nil, try reader.peek() == .number else { return }
            if let number = try reader.integer(), number > 0 { found = number }
        }
        return found
    }

    /// A whole number, written as one or as a string of digits.
    mutating func wholeNumber() throws(JSONReadError) -> Int64? {
        switch try peek() {
        case .number: return try integer()
        case .string: return Int64(try string().string)
        default:
            try skip()
            return nil
        }
    }

    /// The next value if it is a string, or the string under a name or another if it is an object; nil for anything
    /// else.
    mutating func member(
        _ name: StaticString, or other: StaticString? = nil
    ) throws(JSONReadError) -> JSONString? {
        guard try peek() == .object else { return try stringIfAny() }
        var found: JSONString?
        try forEachKey { key, reader throws(JSONReadError) in
            if key == name || found == nil && other.map({ key == $0 }) == true {
                found = try reader.stringIfAny()
            }
        }
        return found
    }
}

extension JSONString {
    /// The string as a key of Open Library.
    var openLibraryKey: OpenLibraryKey? {
        if let plain = plainBytes { return OpenLibraryKey(plain) }
        return bytes.withUnsafeBytes { OpenLibraryKey($0) }
    }
}
