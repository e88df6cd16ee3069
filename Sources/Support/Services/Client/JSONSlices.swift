package import Syntax

extension JSONReader {
    /// Skips the next value and returns its bytes as written in the document.
    mutating func slice(of document: [UInt8]) throws(JSONReadError) -> [UInt8] {
        _ = try peek()
        let first = offset
        try skip()
        return Array(document[first..<offset])
    }
}

/// Splits responses with many records into parts.
package enum JSONSlices {
    /// The members of a document's object by their keys. If a key occurs twice, the first one counts.
    package static func members(of document: [UInt8]) throws(JSONReadError) -> [String: [UInt8]] {
        var members: [String: [UInt8]] = [:]
        try JSONReader.read(document) { reader throws(JSONReadError) in
            try reader.forEachKey { key, reader throws(JSONReadError) in
                let name = key.string
                let value = try reader.slice(of: document)
                if members[name] == nil { members[name] = value }
            }
            try reader.finish()
        }
        return members
    }

    /// The elements of a document's array; empty if it is not an array.
    package static func elements(of document: [UInt8]) throws(JSONReadError) -> [[UInt8]] {
        var elements: [[UInt8]] = []
        try JSONReader.read(document) { reader throws(JSONReadError) in
            guard try reader.peek() == .array else { return }
            try reader.forEachElement { reader throws(JSONReadError) in
                elements.append(try reader.slice(of: document))
            }
        }
        return elements
    }

    /// The text of a JSON string; nil for any other value.
    package static func string(_ json: [UInt8]?) -> String? {
        guard let json else { return nil }
        do throws(JSONReadError) {
            return try JSONReader.read(json) { reader throws(JSONReadError) in
                try reader.stringIfAny()?.string
            }
        } catch {
            return nil
        }
    }
}
