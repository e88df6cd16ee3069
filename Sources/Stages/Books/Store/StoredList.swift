import Syntax

/// Lists as the store keeps them: JSON arrays of strings in a text column.
package enum StoredList {
    /// The strings of a stored list; none where it is empty or no list.
    package static func strings(_ stored: String) -> [String] {
        var stored = stored
        return stored.withUTF8 { strings(UnsafeRawBufferPointer($0)) }
    }

    /// The same for the stored bytes.
    package static func strings(_ stored: UnsafeRawBufferPointer) -> [String] {
        guard stored.count > 2 else { return [] }
        var strings: [String] = []
        var reader = JSONReader(stored)
        do throws(JSONReadError) {
            try reader.forEachElement { element throws(JSONReadError) in
                strings.append(try element.string().string)
            }
            try reader.finish()
        } catch {
            return []
        }
        return strings
    }

    /// The ISBN-13s of a stored list of ISBNs, as numbers.
    static func isbn13s(_ stored: UnsafeRawBufferPointer) -> [Int64] {
        strings(stored).compactMap { $0.utf8.count == 13 ? Int64($0) : nil }
    }

    /// A list as it is stored; nil for an empty one.
    static func stored(_ strings: [String]) -> String? {
        guard !strings.isEmpty else { return nil }
        var json = JSONWriter()
        json.array { json in for string in strings { json.string(string) } }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// The union of two lists: what the second adds, compared without regard to case, comes behind.
    static func union(_ first: String, _ second: String) -> String? {
        var all = strings(first)
        var seen = Set(all.map { $0.lowercased() })
        for string in strings(second) where seen.insert(string.lowercased()).inserted { all.append(string) }
        return stored(all)
    }
}
