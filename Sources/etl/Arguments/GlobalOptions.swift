import Pipeline

/// When to colour.
enum ColourChoice: String, Sendable, CaseIterable {
    case auto, always, never
}

/// The options that every command has.
enum GlobalOptions {
    static let colour = Option(
        .choice("color", default: ColourChoice.auto, "when to colour; NO_COLOR is obeyed"), "WHEN",
        in: .output)
    static let quiet = Option.flag(
        "quiet", short: "q", "say nothing but errors and what was asked for", in: .output)
    static let verbose = Option.flag("verbose", short: "v", "say more", in: .output)
    static let noProgress = Option.flag("no-progress", "show no progress", in: .output)

    static let all = [colour.spec, quiet.spec, verbose.spec, noProgress.spec]
}
