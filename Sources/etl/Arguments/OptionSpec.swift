import Pipeline

/// What an option is, apart from its Swift type: what parsing, help and completion go by.
struct OptionSpec: Sendable {
    /// Where the help lists it.
    enum Group: String, Sendable, Hashable, CaseIterable {
        case command = "Options"
        case reading = "Options of reading"
        case run = "Options of a run"
        case output = "Options of output"
    }

    /// The long spelling, without dashes.
    let name: String
    /// The short spelling, without dash.
    let short: Character?
    /// What stands for the value in the help: `PATH`; nil for a flag, which takes none.
    let placeholder: String?
    /// May be given several times, each time adding; otherwise the last one stands.
    let isRepeatable: Bool
    /// The default as the help tells it; nil where there is none.
    let defaultText: String?
    /// What it does, a sentence without a capital and full stop, as the help lists it.
    let doc: String
    /// The words it takes, where it takes only some.
    let words: [String]
    let group: Group
    /// Refuses a text: what it must be, and advice.
    let check: @Sendable (String) throws(ValueMistake) -> Void
}

/// Why a text is no value of an option or argument.
struct ValueMistake: Error, Sendable, Hashable {
    /// What it must be, to follow "must be".
    let words: String
    let advice: String?

    init(mustBe words: String, advice: String? = nil) {
        self.words = words
        self.advice = advice
    }
}
