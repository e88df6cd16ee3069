/// `etl help`: the help for the tool or a command.
enum HelpCommand: Command {
    static let words = Argument.many("COMMAND", "Command and subcommand")

    static let all = Option.flag(
        HelpDepth.wholeName, "Show everything: all options and details, or all commands")
    static let man = Option.flag("man", "Print a manual page in roff, for `man -l -`")

    static let spec = CommandSpec(
        "help", summary: "Show help for a command", arguments: [words.spec],
        options: [all.spec, man.spec],
        examples: [
            .init("etl help --all", "List all commands, and the exit statuses"),
            .init("etl help import --all", "Show all options of a command"),
            .init("etl help --man import | man -l -", "Show the manual page of a command"),
        ], isPaged: true)

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        var table = Commands.specs
        var found: CommandSpec?
        for word in Commands.current(arguments[words]) {
            let line = found.map { $0.line + " " } ?? ""
            let command = try ArgumentParser.find(
                word, in: table, called: "command `\(line)\(word)`",
                listedBy: found.map { "\($0.line) --help" } ?? "etl help")
            (found, table) = (command, command.subcommands)
        }
        if arguments[man] {
            let page = ManualPage(version: Version.current)
            try console.write(found.map(page.command) ?? page.tool(Commands.specs))
        } else {
            try show(found, arguments[all] ? .all : .usual, on: console)
        }
        return .completed
    }

    /// Prints help for a command, or for the tool.
    static func show(_ command: CommandSpec?, _ depth: HelpDepth, on console: Console) throws(CommandFailure)
    {
        let style = console.style
        let help = HelpText(width: console.width ?? 80) { style(.bold, $0) }
        try console.write(
            command.map { help.command($0, depth) } ?? help.tool(Commands.sections(depth), depth))
    }
}
