import Books
import Syntax

/// Values of Open Library records. Twenty years of records contain each of them in several forms.
extension JSONReader {
    /// Text that is a string or an object such as `{"type": "/type/text", "value": …}`; nil for anything
    /// else.
    mutating func openLibraryText() throws(JSONReadError) -> JSONString? {
        try member("value")
    }

    /// A reference that is a string, `{"key": …}`, or either of these under `author`. Works use the last form
    /// today, and used the others before.
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

    /// Calls `body` with each string of an array. A single string counts as an array of one; anything else is
    /// skipped.
    mutating func forEachString(
        _ body: (JSONString) throws(JSONReadError) -> Void
    ) throws(JSONReadError) {
        switch try peek() {
        case .string:
            try body(try string())
        case .array:
            try forEachElement { reader throws(JSONReadError) in
                // In `/api/books`, a publisher, author or subject is an object with a name.
                if let string = try reader.member("value", or: "name") { try body(string) }
            }
        default:
            try skip()
        }
    }

    /// Calls `body` with each reference of an array. Anything else is skipped.
    mutating func forEachReference(
        _ body: (OpenLibraryKey) throws(JSONReadError) -> Void
    ) throws(JSONReadError) {
        guard try peek() == .array else { return try skip() }
        try forEachElement { reader throws(JSONReadError) in
            if let key = try reader.openLibraryReference() { try body(key) }
        }
    }

    /// The first cover or photo id of an array. -1, 0 and null mean none.
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

    /// The next value if it is a string, or the string under one of two names if it is an object; nil for
    /// anything else.
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
    /// The string as an Open Library key.
    var openLibraryKey: OpenLibraryKey? {
        if let plain = plainBytes { return OpenLibraryKey(plain) }
        return bytes.withUnsafeBytes { OpenLibraryKey($0) }
    }
}
