/// A shell with completion support.
enum Shell: String, Sendable, CaseIterable {
    case bash, zsh, fish

    /// The script that adds completions for a table of commands.
    func completions(of table: [CommandSpec]) -> String {
        switch self {
        case .bash: BashCompletion.script(table)
        case .zsh: ZshCompletion.script(table)
        case .fish: FishCompletion.script(table)
        }
    }
}

extension CommandSpec {
    /// The command and all its subcommands; each command comes before its subcommands.
    var family: [CommandSpec] { [self] + subcommands.flatMap(\.family) }

    /// The words that can directly follow the command: its subcommands, or the words of its first argument.
    var nextWords: [String] {
        subcommands.isEmpty ? arguments.first?.words ?? [] : subcommands.map(\.name)
    }
}
