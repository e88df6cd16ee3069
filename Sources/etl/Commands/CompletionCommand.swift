/// `etl completion`: completions for a shell, from the same table as the help.
enum CompletionCommand: Command {
    static let shell = Argument.one("SHELL", of: Shell.allCases.map(\.rawValue), "bash, zsh or fish")

    static let spec = CommandSpec(
        "completion", summary: "print completions for a shell", arguments: [shell.spec],
        examples: [
            .init("source <(etl completion bash)", "complete in this bash"),
            .init(
                "etl completion zsh > ~/.zfunc/_etl",
                "complete in every new zsh that has ~/.zfunc in its fpath"),
            .init("etl completion fish > ~/.config/fish/completions/etl.fish", "complete in every new fish"),
        ])

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        guard let shell = Shell(rawValue: arguments[shell]) else { return .usage }
        try console.write(shell.completions(of: Commands.specs))
        return .completed
    }
}
