import Books
import System
import TestSupport
import Testing

@testable import CommandLineTool

/// Commands and options in advice are spelled so that they can be typed.
@Suite struct CommandSpellingTests {
    private static let commands: [UserCommand] = [
        .resume(job: "spring"), .resume(job: nil), .restart(file: nil, dates: nil),
        .restart(file: "my books.csv", dates: .monthFirst),
        .importCorrected(job: "spring", dates: .dayFirst), .jobs, .cancel(job: nil), .retry,
        .errors(job: nil), .errors(job: "spring"), .errorTable(job: "spring"),
        .review(job: nil), .reviewTable(job: "spring"), .applyReview(job: "spring"),
        .explainRow(job: "spring"), .inspect(file: nil),
        .suggestRules(file: "my books.csv"), .doctor, .describeCatalog,
        .buildCatalog(path: "my catalog.sqlite"), .exportTable,
    ]

    private static let settings: [UserSetting] = [
        .update, .encoding("UTF-8"), .store, .catalog, .output, .job, .format, .columns("title=COLUMN"),
        .header("none"), .header(nil),
        .dates(.monthFirst), .restart, .replace, .require, .library,
    ]

    @Test(arguments: ["library.sqlite", "my books.sqlite"], commands)
    func `a command can be typed, whatever the store`(store: String, command: UserCommand) throws {
        let text = CommandSpelling(store: store).spelled(command)
        #expect(text.hasPrefix("`etl ") && text.hasSuffix("`"))
        // As a shell splits it: quoted text is one word, and output may be redirected.
        let line = text.dropFirst(5).dropLast().replacing("my catalog", with: "my-catalog")
            .replacing("my books", with: "my-books").replacing("'", with: "").prefix { $0 != ">" }
        _ = try ArgumentParser.parse(line.split(separator: " ").map(String.init), table: Commands.specs)
    }

    @Test func `a command names the store unless it is the default one`() {
        #expect(CommandSpelling(store: "library.sqlite").spelled(UserCommand.jobs) == "`etl jobs`")
        #expect(
            CommandSpelling(store: "my books.sqlite").spelled(UserCommand.jobs)
                == "`etl jobs --db 'my books.sqlite'`")
        #expect(
            CommandSpelling(store: "s.sqlite").spelled(UserCommand.inspect(file: nil)) == "`etl inspect FILE`"
        )
    }

    @Test(arguments: settings) func `a setting is an option of some command`(setting: UserSetting) throws {
        let name = CommandSpelling(store: "s.sqlite").spelled(setting).dropFirst(2).prefix { $0 != " " }
        let options = Set(Commands.specs.flatMap(\.family).flatMap(\.options).map(\.name))
        #expect(options.contains(String(name)), "--\(name)")
    }

    @Test func `a text is rendered with its references in place`() {
        let text: UserText =
            "Stop it with \(UserCommand.cancel(job: "spring")), or choose \(UserSetting.store)."
        #expect(
            CommandSpelling(store: "library.sqlite").spelled(text)
                == "Stop it with `etl cancel spring`, or choose --db.")
    }
}
