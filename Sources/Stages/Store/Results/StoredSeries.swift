import Syntax

/// A series and the number in it, as the store keeps them: `[{"name":"Earthsea Cycle","number":"1"}]`.
package struct StoredSeries: Sendable, Hashable, CustomStringConvertible {
    package var name: String
    package var number: String?

    /// `Earthsea Cycle #1`, as people write it.
    package var description: String { number.map { "\(name) #\($0)" } ?? name }

    /// Reads a series as people write it: `Earthsea Cycle #1`.
    package init(_ text: String) {
        let parts = text.split(separator: " #")
        guard parts.count > 1, let last = parts.last else {
            self.init(name: text)
            return
        }
        self.init(name: String(text.dropLast(last.count + 2)), number: String(last))
    }

    private init(name: String, number: String? = nil) {
        self.name = name
        self.number = number
    }

    /// Series in stored form; nil if there are none.
    static func stored(_ series: [StoredSeries]) -> String? {
        guard !series.isEmpty else { return nil }
        var json = JSONWriter()
        json.array { json in
            for one in series {
                json.object { json in
                    json.field("name", one.name)
                    json.field("number", one.number)
                }
            }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// The series of a stored list; empty if the list is damaged.
    package static func read(_ stored: String) -> [StoredSeries] {
        var series: [StoredSeries] = []
        do throws(JSONReadError) {
            try JSONReader.read(Array(stored.utf8)) { reader throws(JSONReadError) in
                try reader.forEachElement { element throws(JSONReadError) in
                    var one = StoredSeries(name: "")
                    try element.forEachKey { key, value throws(JSONReadError) in
                        switch key {
                        case "name": one.name = try value.string().string
                        case "number": one.number = try value.string().string
                        default: break
                        }
                    }
                    series.append(one)
                }
            }
        } catch {
            return []
        }
        return series
    }
}
