/// The request in the command line.
struct GenerationOptions {
    let library: GeneratedLibrary
    /// Percentage of records with other user's data.
    private(set) var changedPercent = 0
    /// Nil for standard output.
    private(set) var output: String?
    /// The folder for one file per user; nil for one file.
    private(set) var usersFolder: String?
    private(set) var catalogFolder: String?
    /// The folder for Open Library's dumps, which are written instead of a library.
    private(set) var dumpsFolder: String?
    /// The month of the dumps, from 1.
    private(set) var month = 1

    init(_ arguments: [String]) throws(GenerationFailure) {
        var records = 0
        var seed = 1
        var isbnPercent = 75
        var isDistinct = false
        var repeatPercent: Int?
        var repeats = GeneratedLibrary.Repeats(percent: 0)
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
            case "--repeats": repeatPercent = try Self.number(value, 0...99, of: name)
            case "--users": repeats.users = try Self.number(value, 1...1_000_000, of: name)
            case "--exponent": repeats.exponent = Double(try Self.number(value, 0...300, of: name)) / 100
            case "--changed": changedPercent = try Self.number(value, 0...100, of: name)
            case "--out": output = value
            case "--users-out": usersFolder = value
            case "--catalog": catalogFolder = value
            case "--dumps": dumpsFolder = value
            case "--month": month = try Self.number(value, 1...120, of: name)
            default: throw GenerationFailure(.usage, "\(name) is not an option.")
            }
        }
        guard records > 0 else { throw GenerationFailure(.usage, "--records is missing.") }
        if let repeatPercent {
            guard records <= Self.mostOfManyUsers else {
                throw GenerationFailure(
                    .usage, "--repeats allows at most \(Self.mostOfManyUsers) records.")
            }
            repeats.percent = repeatPercent
            repeats.users = min(repeats.users, records)
        } else if usersFolder != nil {
            throw GenerationFailure(.usage, "--users-out needs --repeats.")
        }
        library = GeneratedLibrary(
            records: records, seed: UInt64(seed), isbnPercent: isbnPercent, isDistinct: isDistinct,
            repeats: repeatPercent == nil ? nil : repeats)
    }

    /// Maximum records of many users: each of their works may have four ISBNs.
    private static let mostOfManyUsers = 25_000_000

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
