import System

extension ProcessTexts {
    /// Variables of `etl` that name files. Its other variables are sent to services, and must be UTF-8.
    private static let files: Set = ["ETL_DB", "ETL_CATALOG", KeyFile.variable]

    /// Refuses the first variable of `etl` that must be UTF-8 but is not. The message does not show the value, which
    /// can be a key. Nil if all are right.
    package static func failure(_ variables: [String: String]) -> CommandFailure? {
        for (name, value) in variables.sorted(by: { $0.key < $1.key })
        where name.hasPrefix("ETL_") && !files.contains(name) && !FileName.isText(value) {
            return CommandFailure(
                .usage, "The variable \(name) is not UTF-8 text.",
                advice: "Set it to UTF-8 text, or unset it.")
        }
        return nil
    }
}
