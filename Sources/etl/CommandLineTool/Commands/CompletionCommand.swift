/// `etl completion`: completions for a shell, from the same table as the help.
enum CompletionCommand: Command {
    static let shell = Argument.one(
        "SHELL", of: Shell.allCases.map(\.rawValue), "Shell (values: bash, zsh, fish)")

    static let spec = CommandSpec(
        "completion", summary: "Print completions for a shell", arguments: [shell.spec],
        examples: [
            .init("source <(etl completion bash)", "Enable completion in the current bash"),
            .init(
                "etl completion zsh > ~/.zfunc/_etl",
                "Enable completion in zsh, with ~/.zfunc in fpath"),
            .init("etl completion fish > ~/.config/fish/completions/etl.fish", "Enable completion in fish"),
        ])

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        guard let shell = Shell(rawValue: arguments[shell]) else { return .usage }
        try console.write(shell.completions(of: Commands.specs))
        return .completed
    }
}
