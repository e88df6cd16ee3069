/// A shell that completions are made for.
enum Shell: String, Sendable, CaseIterable {
    case bash, zsh, fish

    /// The script that teaches it the commands of a table.
    func completions(of table: [CommandSpec]) -> String {
        switch self {
        case .bash: BashCompletion.script(table)
        case .zsh: ZshCompletion.script(table)
        case .fish: FishCompletion.script(table)
        }
    }
}

extension CommandSpec {
    /// The command and all below it, those that have commands below them first.
    var family: [CommandSpec] { [self] + subcommands.flatMap(\.family) }

    /// What may follow the command at once: commands below it, or the words of its first argument.
    var nextWords: [String] {
        subcommands.isEmpty ? arguments.first?.words ?? [] : subcommands.map(\.name)
    }
}
