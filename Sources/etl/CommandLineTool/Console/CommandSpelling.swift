import Books
import System

/// Writes the commands and settings in a ``UserText`` as they are typed on the command line.
///
/// Commands are in backquotes, and include `--db` if the store is not the default one, so that they can be
/// copied.
struct CommandSpelling {
    /// The store of the current command.
    let store: String

    /// The text with all references written out.
    func spelled(_ text: UserText) -> String { text.rendered(spelled) }

    /// One reference.
    func spelled(_ reference: any UserReference) -> String {
        switch reference {
        case let command as UserCommand: "`etl \(words(command))`"
        case let setting as UserSetting: Self.words(setting)
        default: String(describing: reference)
        }
    }

    private func words(_ command: UserCommand) -> String {
        let db = DefaultPaths.option(store: store)
        return switch command {
        case .resume(let job): "resume\(db) \(job ?? "JOB")"
        case .restart(let file, let dates):
            "import --restart\(Self.option(dates))\(db) \(file.map(ShellWord.of) ?? "FILE")"
        case .importCorrected(let job, let dates):
            "import --rejects FILE --job \(job)\(Self.option(dates))\(db)"
        case .jobs: "jobs\(db)"
        case .undo(let job): "undo\(db) \(job)"
        case .cancel(let job): "cancel\(db) \(job ?? "JOB")"
        case .retry: "retry\(db)"
        case .errors(let job): "errors\(db)\(job.map { " \($0)" } ?? "")"
        case .errorTable(let job): "errors --to csv\(db) \(job ?? "JOB") > corrections.csv"
        case .reviewTable(let job): "review\(db)\(job.map { " \($0)" } ?? "") > review.csv"
        case .applyReview(let job): "review --apply FILE\(db) \(job)"
        case .explainRow(let job): "explain --job \(job)\(db) row:N"
        case .suggestRules(let file): "rules suggest \(ShellWord.of(file))"
        case .inspect(let file): "inspect \(file.map(ShellWord.of) ?? "FILE")"
        case .doctor: "doctor\(db)"
        case .buildCatalog(let path): "catalog build --output \(ShellWord.of(path)) DUMP…"
        case .describeCatalog: "catalog info CATALOG"
        case .exportTable: "export --to csv\(db)"
        case .duplicateTable: "duplicates --to csv\(db) > duplicates.csv"
        case .mergeBooks: "merge\(db) BOOK BOOK"
        case .splitBook: "split\(db) BOOK"
        case .embed: "embed\(db)"
        case .scan: "scan\(db) PHOTO"
        case .review(let job): "review\(db)\(job.map { " \($0)" } ?? "")"
        }
    }

    private static func words(_ setting: UserSetting) -> String {
        switch setting {
        case .store: "--db"
        case .catalog: "--catalog"
        case .catalogVariable: "ETL_CATALOG"
        case .output: "--output"
        case .job: "--job"
        case .withLater: "--with-later"
        case .format: "--from"
        case .columns(let example): "--map \(ShellWord.of(example))"
        case .header(let value): "--header\(value.map { " \($0)" } ?? "")"
        case .dates(let order): "--dates \(order.rawValue)"
        case .encoding(let name): "--encoding \(name)"
        case .update: "--update"
        case .restart: "--restart"
        case .replace: "--replace"
        case .require: "--require"
        case .library: "--library"
        case .samePerson: "--same-person"
        }
    }

    /// The option for an order of dates; empty if none was given.
    static func option(_ dates: DateOrder?) -> String { dates.map { " --dates \($0.rawValue)" } ?? "" }
}
