import Application
import Pipeline
import Syntax

extension Console {
    /// Writes the contract's envelope of a failure (contract.md section 1), for those who read standard output.
    func write(_ refusal: ResponseError) throws(CommandFailure) {
        var json = JSONWriter()
        Envelope.failure(refusal, timestamp: SystemClock().epochMilliseconds(), into: &json)
        try write(json.bytes + [UInt8(ascii: "\n")])
    }
}

extension CommandFailure {
    /// The contract's words for what went wrong: whether the same request may succeed later is read from the code.
    ///
    /// - Parameters:
    ///   - option: What must be given otherwise, where it may not.
    ///   - value: What was given.
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
