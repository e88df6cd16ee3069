import Syntax

/// A series and the place in it, as the store keeps them: `[{"name":"Earthsea Cycle","number":"1"}]`.
struct StoredSeries: Equatable, CustomStringConvertible {
    var name: String
    var number: String?

    /// `Earthsea Cycle #1`, as readers write it.
    var description: String { number.map { "\(name) #\($0)" } ?? name }

    /// The series of a stored list; none where it is damaged.
    static func read(_ stored: String) -> [StoredSeries] {
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
