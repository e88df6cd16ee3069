import Syntax

/// A series and the number in it, as the store keeps them: `[{"name":"Earthsea Cycle","number":"1"}]`.
package struct StoredSeries: Equatable, CustomStringConvertible {
    package var name: String
    package var number: String?

    /// `Earthsea Cycle #1`, as people write it.
    package var description: String { number.map { "\(name) #\($0)" } ?? name }

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
