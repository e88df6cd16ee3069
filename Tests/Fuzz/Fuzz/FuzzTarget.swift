import Foundation

/// The parsers that can be fuzzed. `Tests/Fuzz/run` builds the program and starts it once for each of them.
enum FuzzTarget: String, CaseIterable {
    /// Comma-separated text, compared with a reference parser.
    case csv
    /// A library export of any format, by its content.
    case file
    /// Contents of cells: ISBNs, dates, people, titles, genres.
    case cell
    /// Texts of users: pipeline definitions, mappings, expressions, settings.
    case definition
    /// Answers of services.
    case answer
    /// Contents of a store, a catalog or a cache.
    case stored
    /// Requests of clients to the server.
    case request
    /// Images, whose metadata are removed.
    case image

    /// The target chosen by `ETL_FUZZ_TARGET`.
    static let chosen: FuzzTarget = {
        let name = ProcessInfo.processInfo.environment["ETL_FUZZ_TARGET"] ?? ""
        guard let target = FuzzTarget(rawValue: name) else {
            print("Set ETL_FUZZ_TARGET to one of: \(allCases.map(\.rawValue).joined(separator: ", ")).")
            exit(64)
        }
        return target
    }()

    func read(_ bytes: [UInt8]) {
        switch self {
        case .csv: CSVTarget.read(bytes)
        case .file: FileTarget.read(bytes)
        case .cell: CellTarget.read(bytes)
        case .definition: DefinitionTarget.read(bytes)
        case .answer: AnswerTarget.read(bytes)
        case .stored: StoredTarget.read(bytes)
        case .request: RequestTarget.read(bytes)
        case .image: ImageTarget.read(bytes)
        }
    }
}

/// Ends the program if a condition does not hold. Unlike `precondition`, it says why in a release build, too.
func demand(_ condition: Bool, _ reason: @autoclosure () -> String) {
    if !condition { fatalError(reason()) }
}

/// Called by libFuzzer with each generated input.
@_cdecl("LLVMFuzzerTestOneInput")
package func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    FuzzTarget.chosen.read(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
