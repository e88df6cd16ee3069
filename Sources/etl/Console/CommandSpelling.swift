import Books
import Pipeline

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
        case .resume(let job): "resume \(job ?? "JOB")\(db)"
        case .restart(let dates): "import --restart\(Self.option(dates)) FILE\(db)"
        case .importCorrected(let job, let dates):
            "import --rejects FILE --job \(job)\(Self.option(dates))\(db)"
        case .jobs: "jobs\(db)"
        case .cancel(let job): "cancel \(job ?? "JOB")\(db)"
        case .enrichMissing: "enrich --missing\(db)"
        case .errors(let job): "errors\(job.map { " \($0)" } ?? "")\(db)"
        case .errorTable: "errors JOB --format csv\(db)"
        case .reviewTable: "review JOB\(db) > review.csv"
        case .applyReview(let job): "review \(job) --apply FILE\(db)"
        case .explainRow(let job): "explain row:N --job \(job)\(db)"
        case .inspect: "inspect FILE"
        case .doctor: "doctor\(db)"
        case .buildCatalog(let path): "catalog build --out \(ShellWord.of(path)) DUMPS…"
        case .exportTable: "export --format csv\(db)"
        }
    }

    private static func words(_ setting: UserSetting) -> String {
        switch setting {
        case .store: "--db"
        case .catalog: "--catalog"
        case .catalogVariable: "ETL_CATALOG"
        case .output: "--out"
        case .job: "--job"
        case .format: "--format"
        case .columns(let example): "--map \(example)"
        case .header(let value): "--header\(value.map { " \($0)" } ?? "")"
        case .dates(let order): "--dates \(order.rawValue)"
        case .restart: "--restart"
        case .replace: "--replace"
        case .require: "--require"
        case .library: "--library"
        }
    }

    /// The option for an order of dates; empty if none was given.
    static func option(_ dates: DateOrder?) -> String { dates.map { " --dates \($0.rawValue)" } ?? "" }
}
