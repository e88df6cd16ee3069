import Contract
import FoundationEssentials

/// The name of a job: `[A-Za-z0-9][A-Za-z0-9._-]{0,63}`, which is safe in a path, a URL and a log.
package enum JobName {
    /// A new name: a random UUID in lower case. It cannot be guessed.
    package static func make() -> String { UUID().uuidString.lowercased() }

    /// Whether a client may choose a text as the name of a job: it must be as hard to guess as those of ``make()``.
    package static func isChoosable(_ text: String) -> Bool { UUID(uuidString: text) != nil }

    /// Whether a text can be the name of a job.
    package static func isValid(_ text: String) -> Bool { TextRule.job.accepts(text) }
}
