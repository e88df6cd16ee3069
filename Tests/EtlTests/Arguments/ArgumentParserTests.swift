import Books
import Contract
import Formats
import Jobs
import Testing

@testable import CommandLineTool

/// The result of parsing a command line.
private enum Outcome {
    case run(ParsedArguments)
    case help(String, HelpDepth)
    case version
    case refused(CommandFailure)
}

private func parse(_ line: String...) -> Outcome { parse(line) }

private func parse(_ line: [String]) -> Outcome {
    do throws(CommandFailure) {
        switch try ArgumentParser.parse(Commands.current(line), table: Commands.specs) {
        case .run(_, let arguments): return .run(arguments)
        case .help(let command, let depth): return .help(command?.line ?? "etl", depth)
        case .version: return .version
        }
    } catch {
        return .refused(error)
    }
}

private func arguments(_ line: String...) throws -> ParsedArguments {
    switch parse(line) {
    case .run(let arguments): return arguments
    case let other:
        Issue.record("\(line) gave \(other)")
        return ParsedArguments(command: [])
    }
}

private func complaint(_ line: String...) -> String {
    guard case .refused(let failure) = parse(line) else { return "accepted" }
    #expect(failure.status == .usage)
    return failure.message + (failure.usage.map { " Usage: \($0)" } ?? "")
        + (failure.advice.map { " \($0)" } ?? "")
}

@Suite struct ArgumentParserTests {
    @Test func `options and arguments come in any order`() throws {
        let parsed = try arguments(
            "import", "a.csv", "--limit=5", "--strict", "b.csv", "--db", "x.sqlite", "--catalog", "c1",
            "--catalog=c,2")
        #expect(parsed.command == ["import"])
        #expect(parsed[ImportCommand.files] == ["a.csv", "b.csv"])
        #expect(parsed[RunOptions.limit] == 5)
        #expect(parsed[RunOptions.strict])
        #expect(parsed[RunOptions.db] == "x.sqlite")
        #expect(parsed[RunOptions.catalog] == ["c1", "c,2"])
        #expect(!parsed[RunOptions.offline])
        #expect(parsed.isExplicit(RunOptions.db) && !parsed.isExplicit(RunOptions.library))
    }

    @Test func `the name of a library is read in its composed form`() throws {
        let (joined, apart) = ("jos\u{E9}", "jose\u{301}")
        let imported = try arguments("import", "a.csv", "--library", apart)[RunOptions.library]
        let exported = try arguments("export", "--library", apart)[ExportCommand.library]
        let removed = try arguments("library", "remove", apart)[LibraryCommand.library]
        let token = try arguments("token", "add", "--tokens", "t", "--library", apart, "anna")
        for name in [imported, exported, removed, token[TokenOptions.library]] {
            #expect(name.map { Array($0.utf8) } == Array(joined.utf8))
        }
    }

    @Test func `ISBNs and titles need no subcommand, unless the word is a misspelled one`() throws {
        #expect(try arguments("isbn", "0-441-17271-7", "9780441172719").command == ["isbn", "check"])
        #expect(try arguments("isbn", "--ranges", "r.xml", "9780441172719").command == ["isbn", "check"])
        #expect(complaint("isbn", "chek", "9780441172719").contains("Did you mean `check`?"))
        #expect(complaint("isbn", "dune").contains("There is no command `etl isbn dune`"))
        let title = try arguments("search", "--db", "x.sqlite", "dune", "messiah")
        #expect(title.command == ["search", "title"] && title[SearchCommand.words] == ["dune", "messiah"])
        #expect(try arguments("search", "the", "hobbit").command == ["search", "title"])
        #expect(try arguments("search", "9780441172719").command == ["search", "isbn"])
        #expect(complaint("search", "titel", "dune").contains("Did you mean `title`?"))
        #expect(complaint("search").contains("needs a subcommand"))
    }

    @Test(arguments: ["books.csv", "./books", "no/such file"])
    func `a file in the place of a command offers its import`(_ file: String) {
        #expect(
            complaint(file)
                == "There is no command `\(file)`. To import a file, run `etl import \(ShellWord.of(file))`.")
        #expect(complaint("imprt").contains("Did you mean `import`?"))
    }

    @Test func `omitted options have their defaults`() throws {
        let parsed = try arguments("import", "-")
        #expect(parsed[ImportCommand.files] == ["-"])
        #expect(parsed[RunOptions.db] == nil)
        #expect(parsed[RunOptions.library] == "default")
        #expect(parsed[ReadOptions.format] == "auto")
        #expect(parsed[RunOptions.limit] == nil)
        #expect(parsed[RunOptions.catalog] == [])
        #expect(parsed[RunOptions.providers] == nil)
        #expect(parsed[GlobalOptions.color] == .auto)
        #expect(try arguments("results")[ResultsCommand.view] == .imports)
        #expect(try arguments("export")[ExportCommand.format] == "ndjson")
    }

    @Test func `a former name of a command goes on working`() throws {
        let parsed = try arguments("forget", "--dry-run", "anna")
        #expect(parsed.command == ["library", "remove"] && parsed[LibraryCommand.library] == "anna")
    }

    @Test func `a former spelling of an option goes on working, and the help has the new one`() throws {
        #expect(try arguments("import", "--from", "goodreads", "a")[ReadOptions.format] == "goodreads")
        #expect(try arguments("import", "--format", "goodreads", "a")[ReadOptions.format] == "goodreads")
        #expect(try arguments("export", "--format=csv")[ExportCommand.format] == "csv")
        #expect(try arguments("list", "--format", "ids")[ListCommand.format] == .ids)
        #expect(try arguments("catalog", "build", "--out", "x", "d")[CatalogCommand.output] == "x")
        #expect(try arguments("set", "--from", "t.csv")[SetCommand.sheet] == "t.csv")
        for command in Commands.specs.flatMap(\.family) {
            let help = HelpText().command(command, .all)
            #expect(!help.contains(" --format "), "\(command.line)")
            let former = command.options.compactMap(\.formerName)
            #expect(Set(former).isDisjoint(with: command.options.map(\.name)), "\(command.line)")
        }
    }

    @Test func `a dry run and an output have a short spelling in every command`() throws {
        #expect(try arguments("import", "-n", "a")[RunOptions.dryRun])
        #expect(try arguments("undo", "-n", "--last")[UndoCommand.dryRun])
        #expect(try arguments("export", "--to", "xlsx", "-o", "x.xlsx")[WorkbookOutput.output] == "x.xlsx")
        let expected: [String: Character] = ["dry-run": "n", "output": "o"]
        for command in Commands.specs.flatMap(\.family) {
            for option in command.options { #expect(expected[option.name] ?? option.short == option.short) }
        }
    }

    @Test func `JSON is one option in list and export too`() throws {
        #expect(try arguments("list", "--json")[StoreOptions.json])
        #expect(complaint("list", "--json", "--to", "csv").hasPrefix("`--json` means `--to json`."))
    }

    @Test func `two dashes end the options`() throws {
        let parsed = try arguments("import", "--strict", "--", "--limit", "-x", "--")
        #expect(parsed[ImportCommand.files] == ["--limit", "-x", "--"])
    }

    @Test func `short options can be combined and take a value`() throws {
        #expect(try arguments("jobs", "-q")[GlobalOptions.quiet])
        #expect(
            try arguments("catalog", "build", "-qo", "x.sqlite", "d")[CatalogCommand.output] == "x.sqlite")
        #expect(try arguments("catalog", "build", "-ox.sqlite", "d")[CatalogCommand.output] == "x.sqlite")
    }

    @Test func `the last of two options wins`() throws {
        #expect(try arguments("import", "--limit=1", "--limit=2", "a")[RunOptions.limit] == 2)
    }

    @Test func `everything after the first equals sign is the value`() throws {
        #expect(try arguments("import", "--db=a=b", "a")[RunOptions.db] == "a=b")
        #expect(try arguments("import", "--db==", "a")[RunOptions.db] == "=")
    }

    @Test func `a path is not empty`() {
        for option in ["catalog", "db", "metrics", "mapping"] {
            #expect(complaint("import", "--\(option)=", "a").contains("expected the path of a file"))
        }
    }

    @Test func `a value may look like an option if no such option exists`() throws {
        #expect(try arguments("import", "--db", "-x.sqlite", "a")[RunOptions.db] == "-x.sqlite")
        #expect(try arguments("import", "--db=--json", "a")[RunOptions.db] == "--json")
        #expect(complaint("import", "--db", "--json", "a") == "`--db` needs a value. Write `--db=PATH`.")
        #expect(complaint("import", "a", "--db") == "`--db` needs a value. Write `--db=PATH`.")
    }

    @Test func `options before a subcommand are not taken for it`() throws {
        #expect(try arguments("cache", "--json", "info").command == ["cache", "info"])
        let author = try arguments("search", "--db", "x.sqlite", "author", "herbert")
        #expect(author.command == ["search", "author"] && author[StoreOptions.db] == "x.sqlite")
        // The value of an option can be the name of a subcommand.
        let title = try arguments("search", "--db", "author", "dune")
        #expect(title.command == ["search", "title"] && title[StoreOptions.db] == "author")
        #expect(try arguments("search", "--", "author", "dune").command == ["search", "title"])
        #expect(complaint("cache", "--json").contains("needs a subcommand"))
        #expect(complaint("isbn", "--json", "xyz").contains("needs a subcommand"))
    }

    @Test func `commands can have subcommands`() throws {
        #expect(try arguments("catalog", "build", "a", "b")[CatalogCommand.dumps] == ["a", "b"])
        #expect(try arguments("isbn", "to13", "1", "2").command == ["isbn", "to13"])
        #expect(
            complaint("catalog") == "`etl catalog` needs a subcommand. Usage: etl catalog build|info …")
        #expect(
            complaint("catalog", "biuld") == "There is no command `etl catalog biuld`. Did you mean `build`?")
    }

    @Test func `help can be requested anywhere`() {
        func help(_ line: String...) -> String {
            guard case .help(let command, let depth) = parse(line) else { return "none" }
            return "\(command) \(depth)"
        }
        #expect(help("-h") == "etl brief")
        #expect(help("--help") == "etl usual")
        #expect(help("import", "-h") == "etl import brief")
        #expect(help("import", "a", "--strict", "--help") == "etl import usual")
        #expect(help("catalog", "--help") == "etl catalog usual")
        #expect(help("catalog", "build", "-h") == "etl catalog build brief")
        #expect(help("--help", "--all") == "etl all")
        #expect(help("import", "--help", "--all") == "etl import all")
        guard case .version = parse("--version") else {
            Issue.record("no version")
            return
        }
    }

    @Test func `after two dashes help is an ordinary word`() throws {
        #expect(try arguments("import", "--", "-h")[ImportCommand.files] == ["-h"])
    }

    @Test func `a mistake names the option and the nearest spelling`() {
        #expect(complaint("improt") == "There is no command `improt`. Did you mean `import`?")
        #expect(complaint("xyzzy") == "There is no command `xyzzy`. `etl help` lists the commands.")
        #expect(complaint() == "`etl` needs a COMMAND. `etl help` lists the commands.")
        #expect(
            complaint("--db", "x", "import")
                == "`--db` comes before the command. Write the command first: `etl COMMAND --db`.")
        #expect(complaint("--verison") == "There is no option `--verison`. Did you mean `--version`?")
        #expect(complaint("--vers") == "There is no option `--vers`. Did you mean `--version`?")
        #expect(complaint("imp", "a.csv") == "There is no command `imp`. Did you mean `import`?")
        #expect(
            complaint("import", "--lim", "3", "a")
                == "`etl import` has no option `--lim`. Did you mean `--limit`?")
        #expect(
            complaint("import", "--fromm=x", "a")
                == "`etl import` has no option `--fromm`. Did you mean `--from`?")
        #expect(
            complaint("import", "--xyzzy", "a")
                == "`etl import` has no option `--xyzzy`. `etl import --help` lists its options.")
        #expect(
            complaint("errors", "--job", "spring")
                == "`etl errors` has no option `--job`. Specify the job as an argument: `etl errors JOB`.")
        #expect(
            complaint("import", "-z", "a")
                == "`etl import` has no option `-z`. `etl import --help` lists its options.")
        #expect(
            complaint("import", "--strict=yes", "a") == "`--strict` takes no value. Write `--strict` alone.")
        #expect(
            complaint("import", "--limit=x", "a").hasPrefix(
                "Invalid value `x` for `--limit`: expected a whole number of at least 1."))
        #expect(
            complaint("jobs", "--color=alway")
                == "Invalid value `alway` for `--color`: expected one of auto, always, never. Did you mean `always`?"
        )
        #expect(
            complaint("import", "--providers=catlog", "a").hasSuffix(
                "Did you mean `catalog`?"))
        #expect(complaint("import", "--job=../x", "a").hasPrefix("Invalid value `../x` for `--job`: "))
        #expect(
            complaint("completion", "bsah")
                == "Invalid value `bsah` for SHELL: expected one of bash, zsh, fish. Did you mean `bash`?")
    }

    @Test func `the colour option applies even if the command line is invalid`() {
        func choice(_ line: String...) -> ColorChoice {
            ArgumentParser.color(in: line)[GlobalOptions.color]
        }
        #expect(choice("improt", "--color=always") == .always)
        #expect(choice("--color", "never", "import", "--color=alway") == .never)
        #expect(choice("import", "--color") == .auto && choice() == .auto)
        #expect(choice("import", "--", "--color=always") == .auto)
    }

    @Test func `the number of arguments is checked`() {
        #expect(complaint("cancel") == "`etl cancel` needs a JOB. Usage: etl cancel [OPTION…] JOB")
        #expect(
            complaint("status", "a", "b")
                == "`etl status` takes no argument `b`. Usage: etl status [OPTION…] [JOB]")
        #expect(complaint("jobs", "a") == "`etl jobs` takes no argument `a`. Usage: etl jobs [OPTION…]")
        #expect(complaint("catalog", "build").hasPrefix("`etl catalog build` needs a DUMP."))
        #expect(
            complaint("run")
                == "`etl run` needs a PIPELINE.yaml. Usage: etl run [OPTION…] PIPELINE.yaml [FILE…]")
    }

    @Test func `incompatible options are rejected`() {
        #expect(complaint("import").hasPrefix("`etl import` needs a FILE."))
        #expect(complaint("import", "a", "--events=-", "--json").hasPrefix("`--events -` and `--json`"))
        #expect(complaint("jobs", "-qv").hasPrefix("`--quiet` and `--verbose`"))
        #expect(complaint("convert", "a").hasPrefix("`etl convert` needs `--to` or `--raw`"))
        #expect(complaint("export", "--what=all", "--format=csv").hasPrefix("`--what all`"))
        #expect(complaint("import", "a", "--events=x", "--json") == "accepted")
    }

    @Test func `odd words are reported without harm`() {
        #expect(complaint("") == "There is no command ``. `etl help` lists the commands.")
        #expect(complaint("import", "--=x").hasPrefix("`etl import` has no option `--`."))
        #expect(complaint("import", "-é").hasPrefix("`etl import` has no option `-é`."))
        #expect(
            complaint("import", String(repeating: "-", count: 10_000)).hasPrefix("`etl import` has no option")
        )
        #expect(complaint("import", "\u{0}\u{1B}[2J") == "accepted")
    }
}

@Suite struct OptionValueTests {
    @Test(arguments: [
        ("0", ErrorBudget.count(0)), ("100", .count(100)), ("5%", .share(0.05)), ("0.5%", .share(0.005)),
        ("100%", .share(1)), ("5%/1000", .shareOfLast(0.05, records: 1_000)),
    ])
    func `error budgets are parsed`(text: String, budget: ErrorBudget) {
        #expect(ErrorBudget(text) == budget)
    }

    @Test(arguments: [
        "", "-1", "x", "5%%", "101%", "nan%", "%", "5/1000", "5%/0", "5%/x", "5%/1/2", "/", "1e3",
    ])
    func `text that is not an error budget is rejected`(text: String) {
        #expect(ErrorBudget(text) == nil)
    }

    @Test func `columns are mapped to fields`() throws {
        let parsed = try arguments("import", "--map", "title=Book Title,author=A=B", "a.csv")
        #expect(parsed[ReadOptions.map] == ColumnOptions([.title: "Book Title", .author: "A=B"]))
        for text in ["title", "title=", "=x", "nosuchfield=a"] {
            #expect(complaint("import", "--map", text, "a.csv") != "accepted")
        }
    }

    @Test func `the date order is one of two words`() throws {
        #expect(try arguments("import", "a.csv")[ReadOptions.dates] == nil)
        #expect(try arguments("inspect", "--dates", "month-first", "a.csv")[ReadOptions.dates] == .monthFirst)
        #expect(try arguments("plan", "--dates=day-first", "a.csv")[ReadOptions.dates] == .dayFirst)
        let message = complaint("run", "--dates", "month-frist", "a.yaml")
        #expect(message.contains("expected one of day-first, month-first"))
        #expect(message.contains("Did you mean `month-first`?"))
    }

    @Test func `a column name with a comma gets advice`() {
        let message = complaint("import", "--map", "author=Verf. (Name, Vorname)", "a.csv")
        #expect(message.contains("` Vorname)` does not map a field to a column."))
        #expect(message.contains("author=#3") && message.contains("mapping file"))
        #expect(
            complaint("import", "--map", "nosuchfield=a", "a.csv").contains("there is no field `nosuchfield`")
        )
    }

    @Test func `job names are safe as file names and arguments`() {
        for name in ["a", "0", "spring-import_2.1", String(repeating: "x", count: 64)] {
            #expect(JobName.parse(name) == name)
        }
        for name in [
            "", ".", "..", "-a", "_a", "a/b", "a b", "é", "a\n", "a\u{0}", String(repeating: "x", count: 65),
        ] {
            #expect(JobName.parse(name) == nil)
        }
    }

    @Test func `providers are a list or none`() {
        #expect(RunOptions.providerList("none") == [])
        #expect(RunOptions.providerList("catalog") == ["catalog"])
        for text in ["", "catalog,", "catalog,catalog", "none,catalog", "x"] {
            #expect(RunOptions.providerList(text) == nil)
        }
    }
}
