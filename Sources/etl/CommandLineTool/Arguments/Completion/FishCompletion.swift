/// Completions for fish: one line for each word that can be completed.
enum FishCompletion {
    static func script(_ table: [CommandSpec]) -> String {
        let head = #"""
            # Completions for etl in fish. Install with: etl completion fish > ~/.config/fish/completions/etl.fish
            # Whether the words after etl begin with these.
            function __etl_in
                set -l words (commandline -opc)
                set -e words[1]
                set -l count (count $argv)
                test (count $words) -ge $count; and test "$words[1..$count]" = "$argv"
            end
            # Whether the words after etl are exactly these.
            function __etl_at
                set -l words (commandline -opc)
                set -e words[1]
                test "$words" = "$argv"
            end
            complete -c etl -s h -l help -d 'Show help'
            complete -c etl -n __etl_at -l version -d 'Print the version'

            """#
        let words = choices(of: table, after: [])
        return head + (words + table.flatMap(\.family).flatMap(lines)).joined(separator: "\n") + "\n"
    }

    /// Completions for the commands that can follow a path.
    private static func choices(of commands: [CommandSpec], after path: [String]) -> [String] {
        commands.map { command in
            "complete -c etl -n \(condition("__etl_at", path)) -f -a \(command.name) "
                + "-d \(ShellWord.quoted(command.summary))"
        }
    }

    private static func lines(_ command: CommandSpec) -> [String] {
        guard command.subcommands.isEmpty else {
            return choices(of: command.subcommands, after: command.path)
        }
        let isIn = condition("__etl_in", command.path)
        let options = command.options.map { option in
            var line = "complete -c etl -n \(isIn) -l \(option.name)"
            if let short = option.short { line += " -s \(short)" }
            if option.placeholder != nil { line += " -r" }
            if !option.words.isEmpty {
                line += " -f -a \(ShellWord.quoted(option.words.joined(separator: " ")))"
            }
            return line + " -d \(ShellWord.quoted(option.doc))"
        }
        guard !command.nextWords.isEmpty else { return options }
        return options + [
            "complete -c etl -n \(isIn) -f -a \(ShellWord.quoted(command.nextWords.joined(separator: " ")))"
        ]
    }

    private static func condition(_ function: String, _ path: [String]) -> String {
        ShellWord.quoted(([function] + path).joined(separator: " "))
    }
}
