import Pipeline

struct Lines: Payload {
    var texts: [String]
    var numbers: [Int]

    var count: Int { texts.count }
    var byteCount: Int { texts.reduce(0) { $0 + $1.utf8.count } }
}
