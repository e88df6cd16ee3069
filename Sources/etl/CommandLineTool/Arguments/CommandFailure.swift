package import System

/// The error that ends a command: what happened, where, what to do, and the exit status.
package struct CommandFailure: Error, Sendable, Hashable {
    package let status: ExitStatus
    /// The problem, in one sentence that names the file, option or value.
    package let message: String
    /// The remedy, in one sentence.
    package let advice: UserText?
    /// The usage line of the command, if its arguments are wrong.
    let usage: String?
    /// The place in an input: `library.csv:17 (record 12, byte 4711)`.
    let place: String?
    /// Further failures, to be reported after this one.
    let further: [CommandFailure]
    /// Nothing is reported, because the reader of our output closed it.
    let isQuiet: Bool
    /// The runtime failure that this error was made from; nil for all other errors.
    private(set) var cause: ETLError?

    package init(
        _ status: ExitStatus, _ message: String, advice: UserText? = nil, usage: String? = nil,
        place: String? = nil, further: [CommandFailure] = []
    ) {
        self.status = status
        self.message = message
        self.advice = advice
        self.usage = usage
        self.place = place
        self.further = further
        isQuiet = false
    }

    /// Converts a failure of the runtime.
    ///
    /// - Parameter input: The name of the input that the failure's position refers to.
    package init(_ failure: ETLError, input: String? = nil) {
        let name = input ?? "input"
        self.init(
            ExitStatus(failure.kind), failure.message, advice: failure.advice,
            place: failure.position.map { "\(name):\($0.line) (record \($0.record), byte \($0.byte))" },
            further: failure.further.map { CommandFailure($0, input: input) })
        cause = failure
    }

    /// Converts a failure of a run over several inputs.
    ///
    /// - Parameter inputs: The names of the inputs, in their order.
    package init(_ failure: ETLError, inputs: [String]) {
        let number = failure.position?.file ?? 0
        self.init(failure, input: inputs.indices.contains(number) ? inputs[number] : nil)
    }

    /// Standard output was closed by its reader, as `head` does, or its terminal was closed. The command's
    /// work is still a success.
    static let readerGone = CommandFailure(quietly: .completed)

    private init(quietly status: ExitStatus) {
        self.status = status
        message = ""
        advice = nil
        usage = nil
        place = nil
        further = []
        isQuiet = true
    }
}
