package import System

/// A warning for the user: the finding, and advice.
package struct UserWarning: Sendable, Hashable, CustomStringConvertible {
    /// The observation, in one or two sentences.
    package let message: UserText
    /// The remedy; nil if the message says enough.
    package let advice: UserText?

    package init(_ message: UserText, advice: UserText? = nil) {
        self.message = message
        self.advice = advice
    }

    /// A warning without references in its message.
    package init(_ message: String, advice: UserText? = nil) { self.init(UserText(message), advice: advice) }

    /// For tests and debugging: references have their names in code.
    package var description: String { text.description }

    /// Message and advice as one text.
    package var text: UserText { advice.map { message + " " + $0 } ?? message }
}
