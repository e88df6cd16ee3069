package import Contract
import Syntax
import System

extension Console {
    /// Writes one JSON value and a line end to standard output.
    func writeJSON(_ value: (inout JSONWriter) -> Void) throws(CommandFailure) {
        var json = JSONWriter()
        value(&json)
        json.endLine()
        try write(json.bytes)
    }

    /// Writes a report as JSON.
    package func writeJSON(_ report: some JSONObject) throws(CommandFailure) {
        try writeJSON { report.write(into: &$0) }
    }

    /// Writes reports as one JSON array.
    package func writeJSON(_ reports: [some JSONObject]) throws(CommandFailure) {
        try writeJSON { $0.array(reports) { $0.writeFields(into: &$1) } }
    }

    /// Writes the envelope of a failure (docs/contract.md) to standard output.
    func write(_ refusal: ResponseError) throws(CommandFailure) {
        try writeJSON { Envelope.failure(refusal, timestamp: SystemClock().epochMilliseconds(), into: &$0) }
    }

    /// Writes the envelope of a failure for a program that asked for JSON, unless its output has begun.
    ///
    /// - Parameter line: The command line without the program's name.
    func answer(_ failure: CommandFailure, to line: [String]) {
        let asksForJSON = line.prefix { $0 != "--" }.contains("--\(StoreOptions.json.spec.name)")
        guard asksForJSON, isUnused, !failure.isQuiet else { return }
        // If standard output cannot be written, the failure on standard error is all that can be said.
        try? write(failure.refusal(of: "arguments", value: line.joined(separator: " ")))
    }
}

extension CommandFailure {
    /// The contract's error for this failure. Its code tells whether the same request may succeed later.
    ///
    /// - Parameters:
    ///   - option: The option or argument at fault.
    ///   - value: Its value.
    func refusal(of option: String, value: String) -> ResponseError {
        switch status {
        case .missing: .notFound(message)
        case .usage, .conflict, .unusableInput, .cannotCreate, .permission, .configuration:
            .invalidRequest(option, value: value, reason: message)
        case .completed, .rejected, .budget, .violated, .unavailable, .bug, .inputOutput, .temporary,
            .interrupted,
            .terminated:
            .internalError(message)
        }
    }
}
