import Application
import Pipeline
import Syntax

extension Console {
    /// Writes the envelope of a failure (docs/contract.md) to standard output.
    func write(_ refusal: ResponseError) throws(CommandFailure) {
        var json = JSONWriter()
        Envelope.failure(refusal, timestamp: SystemClock().epochMilliseconds(), into: &json)
        try write(json.bytes + [UInt8(ascii: "\n")])
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
        case .usage, .unusableInput, .cannotCreate, .permission, .configuration:
            .invalidRequest(option, value: value, reason: message)
        case .completed, .rejected, .budget, .unavailable, .bug, .inputOutput, .temporary, .interrupted,
            .terminated:
            .internalError(message)
        }
    }
}
