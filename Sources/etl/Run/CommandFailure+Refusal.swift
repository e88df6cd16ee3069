import Application

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
