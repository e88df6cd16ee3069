/// Completions for bash: one function that examines the words before the cursor.
enum BashCompletion {
    static func script(_ table: [CommandSpec]) -> String {
        """
        # Completions for etl in bash. Load with: source <(etl completion bash)
        _etl() {
            local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command= word
            # bash splits `--name=value` at the equals sign.
            [[ $current == = ]] && current=
            [[ $previous == = ]] && previous=${COMP_WORDS[COMP_CWORD - 2]}
            for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
                case "$command $word" in
        \(paths(table))
                esac
            done
            case "$command $previous" in
        \(values(table))
            esac
            if [[ $current == -* ]]; then
                case "$command" in
        \(options(table))
                esac
                return
            fi
            case "$command" in
        \(words(table))
            esac
        }
        complete -o default -F _etl etl

        """
    }

    private static func all(_ table: [CommandSpec]) -> [CommandSpec] { table.flatMap(\.family) }

    private static func reply(_ words: [String]) -> String {
        "COMPREPLY=($(compgen -W \(ShellWord.quoted(words.joined(separator: " "))) -- \"$current\"))"
    }

    /// The words that lead to each command.
    private static func paths(_ table: [CommandSpec]) -> String {
        all(table).map { command in
            let before = command.path.dropLast().map { " \($0)" }.joined()
            return "            \"\(before) \(command.name)\") command=\"\(before) \(command.name)\" ;;"
        }.joined(separator: "\n")
    }

    /// The values of each option. Without a reply, bash completes file names.
    private static func values(_ table: [CommandSpec]) -> String {
        all(table).flatMap { command in
            command.options.filter { $0.placeholder != nil }.map { option in
                let spellings = (["--\(option.name)"] + (option.short.map { ["-\($0)"] } ?? []))
                    .map { "\"\(key(command)) \($0)\"" }.joined(separator: "|")
                return option.words.isEmpty
                    ? "        \(spellings)) return ;;"
                    : "        \(spellings)) \(reply(option.words)); return ;;"
            }
        }.joined(separator: "\n")
    }

    private static func options(_ table: [CommandSpec]) -> String {
        let perCommand = all(table).map { command in
            let names =
                command.subcommands.isEmpty ? command.options.map { "--\($0.name)" } + ["--help"] : ["--help"]
            return "            \"\(key(command))\") \(reply(names)) ;;"
        }
        return (perCommand + ["            \"\") \(reply(["--help", "--version"])) ;;"]).joined(
            separator: "\n")
    }

    private static func words(_ table: [CommandSpec]) -> String {
        let first = "        \"\") \(reply(table.map(\.name))) ;;"
        let rest = all(table).filter { !$0.nextWords.isEmpty }.map { command in
            "        \"\(key(command))\") \(reply(command.nextWords)) ;;"
        }
        return ([first] + rest).joined(separator: "\n")
    }

    private static func key(_ command: CommandSpec) -> String { command.path.map { " \($0)" }.joined() }
}
