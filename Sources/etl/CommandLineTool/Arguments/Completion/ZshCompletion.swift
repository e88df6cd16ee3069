/// Completions for zsh: one function for each command, which calls `_arguments`.
enum ZshCompletion {
    static func script(_ table: [CommandSpec]) -> String {
        let functions = table.flatMap(\.family).map(function).joined(separator: "\n")
        return """
            #compdef etl
            # Completions for etl in zsh. Install with: etl completion zsh > ~/.zfunc/_etl

            \(functions)
            _etl() {
            \(choice(of: table, prefix: "_etl", options: ["--help[Show help]", "--version[Print the version]"]))
            }

            if [[ $funcstack[1] == _etl ]]; then _etl "$@"; else compdef _etl etl; fi

            """
    }

    private static func function(_ command: CommandSpec) -> String {
        let name = (["_etl"] + command.path).joined(separator: "_")
        if !command.subcommands.isEmpty {
            let body = choice(of: command.subcommands, prefix: name, options: ["--help[Show help]"])
            return "\(name)() {\n\(body)\n}\n"
        }
        let parts =
            command.options.flatMap(option) + ["'(- *)'{-h,--help}'[Show help]'"]
            + command.arguments.map(argument)
        return "\(name)() {\n    _arguments -s -S \\\n        " + parts.joined(separator: " \\\n        ")
            + "\n}\n"
    }

    /// Completes the name of a command, then calls the function of that command.
    private static func choice(of commands: [CommandSpec], prefix: String, options: [String]) -> String {
        let described = commands.map { "        \(ShellWord.quoted("\($0.name):\(escaped($0.summary))"))" }
        let quoted = options.map(ShellWord.quoted).joined(separator: " ")
        return """
                local state line
                local -a commands=(
            \(described.joined(separator: "\n"))
                )
                _arguments -C \(quoted) '1: :->command' '*:: :->rest'
                case $state in
                    command) _describe command commands ;;
                    rest) (( $+functions[\(prefix)_$words[1]] )) && \(prefix)_$words[1] ;;
                esac
            """
    }

    private static func option(_ option: OptionSpec) -> [String] {
        let value = option.placeholder.map { ":\(escaped($0)):\(action(option.words))" } ?? ""
        let mark = option.isRepeatable ? "*" : ""
        let equals = option.placeholder == nil ? "" : "="
        let long = "\(mark)--\(option.name)\(equals)[\(escaped(option.doc))]\(value)"
        guard let short = option.short else { return [ShellWord.quoted(long)] }
        return [
            ShellWord.quoted(long),
            ShellWord.quoted("\(mark)-\(short)\(equals == "" ? "" : "+")[\(escaped(option.doc))]\(value)"),
        ]
    }

    private static func argument(_ argument: ArgumentSpec) -> String {
        let place =
            switch argument.arity {
            case .one: ":"
            case .optional: "::"
            case .many: "*:"
            }
        return ShellWord.quoted("\(place)\(escaped(argument.name)):\(action(argument.words))")
    }

    private static func action(_ words: [String]) -> String {
        words.isEmpty ? "_files" : "(\(words.joined(separator: " ")))"
    }

    /// The text with special characters of `_arguments` escaped.
    private static func escaped(_ text: String) -> String {
        text.map { "[]:\\".contains($0) ? "\\\($0)" : String($0) }.joined()
    }
}
