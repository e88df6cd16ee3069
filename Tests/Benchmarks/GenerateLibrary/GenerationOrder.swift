/// The request in the command line.
struct GenerationOrder {
    private(set) var library = GeneratedLibrary(records: 0, seed: 1, isbnPercent: 75, isDistinct: false)
    /// Nil for standard output.
    private(set) var output: String?
    private(set) var catalogFolder: String?

    init(_ arguments: [String]) throws(GenerationFailure) {
        var records = 0
        var seed = 1
        var isbnPercent = 75
        var isDistinct = false
        var rest = arguments[...]
        while let name = rest.popFirst() {
            if name == "--distinct" {
                isDistinct = true
                continue
            }
            guard let value = rest.popFirst() else {
                throw GenerationFailure(.usage, "\(name) needs a value.")
            }
            switch name {
            case "--records": records = try Self.number(value, 1...100_000_000, of: name)
            case "--seed": seed = try Self.number(value, 0...Int(Int32.max), of: name)
            case "--isbns": isbnPercent = try Self.number(value, 0...100, of: name)
            case "--out": output = value
            case "--catalog": catalogFolder = value
            default: throw GenerationFailure(.usage, "\(name) is not an option.")
            }
        }
        guard records > 0 else { throw GenerationFailure(.usage, "--records is missing.") }
        library = GeneratedLibrary(
            records: records, seed: UInt64(seed), isbnPercent: isbnPercent, isDistinct: isDistinct)
    }

    private static func number(
        _ text: String, _ range: ClosedRange<Int>, of name: String
    ) throws(GenerationFailure) -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw GenerationFailure(
                .usage, "\(name) must be a number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }
}
