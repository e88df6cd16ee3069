import Glibc
import Pipeline
import System

/// A parsed command line.
enum Invocation: Sendable {
    case run(CommandSpec, ParsedArguments)
    /// Help for a command, or for the tool.
    case help(CommandSpec?, HelpDepth)
    case version
}

/// Parses a command line by GNU's rules: `--long value`, `--long=value`, `-s`, `-sVALUE`, `-abc`, options and
/// arguments in any order, `--` ends the options, `-` is an argument. Long names cannot be abbreviated, so
/// that a new option never changes the meaning of an old script.
struct ArgumentParser {
    private let command: CommandSpec
    private var options: [String: [String]] = [:]
    private var words: [String] = []

    /// Parses a command line without the program's name.
    static func parse(_ line: [String], table: [CommandSpec]) throws(CommandFailure) -> Invocation {
        guard let first = line.first else {
            throw CommandFailure(.usage, "`etl` needs a COMMAND.", advice: "`etl help` lists the commands.")
        }
        switch first {
        case "-h": return .help(nil, .brief)
        case "--help": return .help(nil, HelpDepth(of: line))
        case "--version": return .version
        default: break
        }
        guard !first.hasPrefix("-") else {
            throw misplaced(first, table)
        }
        guard table.contains(where: { $0.name == first }) || !looksLikeFile(first) else {
            throw CommandFailure(
                .usage, "There is no command `\(first)`.",
                advice: "To import a file, run `etl import \(ShellWord.of(first))`.")
        }
        var command = try find(first, in: table, called: "command `\(first)`", listedBy: "etl help")
        var rest = line.dropFirst()
        while !command.subcommands.isEmpty, rest.first != "-h", rest.first != "--help" {
            guard let word = rest.first else {
                throw CommandFailure(
                    .usage, "`\(command.line)` needs a subcommand.", usage: command.usage)
            }
            let names = Set(command.subcommands.map(\.name))
            // Options may come before the subcommand.
            let places = arguments(of: rest, command)
            let end = rest.firstIndex(of: "--") ?? rest.endIndex
            if let place = places.first, place < end, names.contains(rest[place]) {
                let name = rest.remove(at: place)
                command = try find(
                    name, in: command.subcommands, called: "command `\(command.line) \(name)`",
                    listedBy: "\(command.line) --help")
                continue
            }
            if let meant = command.shorthand(places.map { rest[$0] }) {
                command = try find(
                    meant, in: command.subcommands, called: "command `\(meant)`",
                    listedBy: "\(command.line) --help")
                break
            }
            guard !word.hasPrefix("-") else {
                throw CommandFailure(
                    .usage, "`\(command.line)` needs a subcommand.", usage: command.usage)
            }
            rest.removeFirst()
            command = try find(
                word, in: command.subcommands, called: "command `\(command.line) \(word)`",
                listedBy: "\(command.line) --help")
        }
        var parser = ArgumentParser(command)
        if let depth = try parser.take(Array(rest)) { return .help(command, depth) }
        return .run(command, try parser.checked())
    }

    /// The places of the words that are neither options of a subcommand nor their values.
    private static func arguments(of line: ArraySlice<String>, _ command: CommandSpec) -> [Int] {
        var places: [Int] = []
        var (isValue, isLiteral) = (false, false)
        for (place, word) in zip(line.indices, line) {
            if isValue {
                isValue = false
            } else if isLiteral || !word.hasPrefix("-") || word == "-" {
                places.append(place)
            } else if word == "--" {
                isLiteral = true
            } else {
                isValue = command.subcommands.contains { takesNextWord(word, $0) }
            }
        }
        return places
    }

    private static func takesNextWord(_ word: String, _ command: CommandSpec) -> Bool {
        let option =
            word.hasPrefix("--")
            ? command.option(named: String(word.dropFirst(2)))
            : word.count == 2 ? word.last.flatMap { command.option(short: $0) } : nil
        return option.map { $0.placeholder != nil && !$0.isValueOptional } ?? false
    }

    /// Whether a word in the place of a command is rather the path of a file.
    private static func looksLikeFile(_ word: String) -> Bool {
        word.contains("/") || word.contains(".") || FileSystem.access(word, F_OK) == 0
    }

    /// The failure for an option before the command: a misspelled `--help` or `--version`, or an option of a
    /// command.
    private static func misplaced(_ word: String, _ table: [CommandSpec]) -> CommandFailure {
        let name = String(word.drop { $0 == "-" }.prefix { $0 != "=" })
        let isKnown = table.contains { command in
            ([command] + command.subcommands).contains {
                $0.option(named: name) != nil || word.count == 2 && $0.option(short: word.last ?? "-") != nil
            }
        }
        if !isKnown, let nearest = Spelling.nearest(to: name, among: ["help", "version"]) {
            return CommandFailure(
                .usage, "There is no option `\(word)`.", advice: "Did you mean `--\(nearest)`?")
        }
        return CommandFailure(
            .usage, "`\(word)` comes before the command.",
            advice: "Write the command first: `etl COMMAND \(word)`.")
    }

    /// The colour option of a line that is not parsed yet or cannot be parsed: its messages need it.
    static func color(in line: [String]) -> ParsedArguments {
        let name = GlobalOptions.color.spec.name
        let line = line.prefix { $0 != "--" }
        var values: [String] = []
        for (index, word) in line.enumerated() {
            if word.hasPrefix("--\(name)=") {
                values.append(String(word.dropFirst(name.count + 3)))
            } else if word == "--\(name)", index + 1 < line.count {
                values.append(line[index + 1])
            }
        }
        let known = values.filter { ColorChoice(rawValue: $0) != nil }
        return ParsedArguments(command: [], options: known.isEmpty ? [:] : [name: known])
    }

    /// The command with a name.
    static func find(
        _ name: String, in table: [CommandSpec], called: String, listedBy list: String
    ) throws(CommandFailure) -> CommandSpec {
        guard let command = table.first(where: { $0.name == name }) else {
            throw CommandFailure(
                .usage, "There is no \(called).",
                advice: Spelling.nearest(to: name, among: table.map(\.name)).map { "Did you mean `\($0)`?" }
                    ?? "`\(list)` lists the commands.")
        }
        return command
    }

    private init(_ command: CommandSpec) { self.command = command }

    /// Sorts the words into options and arguments. Stops at `--help` or `-h`; otherwise nil.
    private mutating func take(_ line: [String]) throws(CommandFailure) -> HelpDepth? {
        var rest = line[...]
        while let word = rest.popFirst() {
            if word == "--" {
                words += rest
                return nil
            } else if word == "-h" || word == "--help" {
                return word == "--help" ? HelpDepth(of: line) : .brief
            } else if word.hasPrefix("--") {
                try takeLong(word.dropFirst(2), &rest)
            } else if word.hasPrefix("-"), word != "-" {
                try takeShort(word.dropFirst(), &rest)
            } else {
                words.append(word)
            }
        }
        return nil
    }

    private mutating func takeLong(
        _ word: Substring, _ rest: inout ArraySlice<String>
    ) throws(CommandFailure) {
        // By bytes: `=` before a combining mark is another character.
        let parts = word.utf8.split(
            separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false
        ).map { Substring($0) }
        let name = String(parts.first ?? "")
        guard let option = command.option(named: name) else {
            throw CommandFailure(
                .usage, "`\(command.line)` has no option `--\(name)`.",
                advice: UserText(adviceOnOption(name)))
        }
        if parts.count == 2 {
            guard option.placeholder != nil else {
                throw CommandFailure(
                    .usage, "`--\(name)` takes no value.", advice: "Write `--\(name)` alone.")
            }
            try add(String(parts[1]), to: option)
        } else {
            let hasValue =
                option.isValueOptional
                ? rest.first.map { !$0.hasPrefix("-") } ?? false : option.placeholder != nil
            try add(hasValue ? try value(of: option, "--\(name)", &rest) : "", to: option)
        }
    }

    /// Advice for an option that does not exist.
    private func adviceOnOption(_ name: String) -> String {
        // For example, some commands take JOB as an argument and others as `--job`.
        if let argument = command.arguments.first(where: { $0.name == name.uppercased() }) {
            return "Specify the \(name) as an argument: `\(command.line) \(argument.name)`."
        }
        let names = command.options.flatMap { [$0.name, $0.formerName].compactMap { $0 } }
        let nearest = Spelling.nearest(to: name, among: names).flatMap { command.option(named: $0) }
        return nearest.map { "Did you mean `--\($0.name)`?" }
            ?? "`\(command.line) --help` lists its options."
    }

    private mutating func takeShort(
        _ word: Substring, _ rest: inout ArraySlice<String>
    ) throws(CommandFailure) {
        var letters = word
        while let letter = letters.popFirst() {
            guard let option = command.option(short: letter) else {
                throw CommandFailure(
                    .usage, "`\(command.line)` has no option `-\(letter)`.",
                    advice: "`\(command.line) --help` lists its options.")
            }
            if option.placeholder == nil {
                try add("", to: option)
            } else if letters.isEmpty {
                try add(value(of: option, "-\(letter)", &rest), to: option)
            } else {
                try add(String(letters), to: option)
                return
            }
        }
    }

    /// The next word, as an option's value. If that word is an option itself, the value was forgotten. Such a
    /// value can still be given as `--db=--json`.
    private func value(
        of option: OptionSpec, _ written: String, _ rest: inout ArraySlice<String>
    ) throws(CommandFailure) -> String {
        let next = rest.first
        let isOption = next.map {
            $0.hasPrefix("--") && command.option(named: String($0.dropFirst(2).prefix { $0 != "=" })) != nil
        }
        guard let next, isOption == false, next != "--" else {
            throw CommandFailure(
                .usage, "`\(written)` needs a value.",
                advice: "Write `--\(option.name)=\(option.placeholder ?? "")`.")
        }
        rest.removeFirst()
        return next
    }

    private mutating func add(_ text: String, to option: OptionSpec) throws(CommandFailure) {
        do throws(ValueMistake) {
            if text.isEmpty, option.isPath { throw ValueMistake(mustBe: "the path of a file") }
            if !option.isPath, !FileName.isText(text) { throw ValueMistake(mustBe: "UTF-8 text") }
            try option.check(text)
        } catch {
            throw CommandFailure(
                .usage, "Invalid value `\(text)` for `--\(option.name)`: \(error.reason).",
                advice: error.advice.map { UserText($0) })
        }
        options[option.name, default: []].append(text)
    }

    /// Assigns the words to the arguments, and checks the combination of options and arguments.
    private func checked() throws(CommandFailure) -> ParsedArguments {
        var rest = words[...]
        var arguments: [String: [String]] = [:]
        for argument in command.arguments {
            let taken: [String]
            switch argument.arity {
            case .one, .optional: taken = Array(rest.prefix(1))
            case .many: taken = Array(rest)
            }
            rest = rest.dropFirst(taken.count)
            guard taken.count >= argument.least else {
                throw CommandFailure(
                    .usage, "`\(command.line)` needs \(HumanText.article(argument.name)) \(argument.name).",
                    usage: command.usage)
            }
            for word in taken where !argument.isPath && !FileName.isText(word) {
                throw CommandFailure(
                    .usage, "Invalid value `\(word)` for \(argument.name): expected UTF-8 text.")
            }
            for word in taken where !argument.words.isEmpty && !argument.words.contains(word) {
                throw CommandFailure(
                    .usage,
                    "Invalid value `\(word)` for \(argument.name): expected one of "
                        + "\(argument.words.joined(separator: ", ")).",
                    advice: Spelling.nearest(to: word, among: argument.words).map { "Did you mean `\($0)`?" })
            }
            if !taken.isEmpty { arguments[argument.name] = taken }
        }
        if let extra = rest.first {
            throw CommandFailure(
                .usage, "`\(command.line)` takes no argument `\(extra)`.", usage: command.usage)
        }
        let parsed = ParsedArguments(command: command.path, options: options, arguments: arguments)
        let objection = Self.commonObjection(parsed) ?? command.objection(parsed)
        if let objection {
            throw CommandFailure(
                .usage, objection.message, advice: objection.advice,
                usage: objection.showsUsage ? command.usage : nil)
        }
        return parsed
    }

    private static func commonObjection(_ arguments: ParsedArguments) -> Objection? {
        arguments[GlobalOptions.quiet] && arguments[GlobalOptions.verbose]
            ? Objection("`--quiet` and `--verbose` cannot be combined.", advice: "Leave out one of them.")
            : nil
    }
}

extension ArgumentSpec {
    /// Minimum number of words.
    fileprivate var least: Int {
        switch arity {
        case .one: 1
        case .optional: 0
        case .many(let least): least
        }
    }
}
