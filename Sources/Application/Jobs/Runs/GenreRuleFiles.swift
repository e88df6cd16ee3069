package import Books
package import Pipeline
package import System

/// The files of genre rules that a pipeline definition names.
///
/// A job keeps their text, so that it can continue with the same rules after the files were edited or moved.
package enum GenreRuleFiles {
    /// The rules that a plan's stages name, by the text of the setting.
    ///
    /// - Parameter kept: The files that the job was started with.
    /// - Throws: `missing` or `configuration` for a file that is missing or wrong.
    package static func read(
        _ plan: Plan, kept: [String: DefinitionSource.File] = [:]
    ) throws(ETLError) -> [String: GenreRules] {
        var rules: [String: GenreRules] = [:]
        for stage in plan.stages {
            guard let name = stage.settings[BookStages.genreRules], rules[name] == nil else { continue }
            rules[name] =
                if let file = kept[name] {
                    try GenreRules(file)
                } else {
                    try read(name, stage.settings)
                }
        }
        return rules
    }

    /// The rules in the file that a stage's settings name.
    static func read(_ name: String, _ settings: Settings) throws(ETLError) -> GenreRules {
        try GenreRules(file: path(name, from: settings.origin(of: BookStages.genreRules)))
    }

    /// The path of a file: relative to the folder of the file that names it, and `~/` is the home folder.
    private static func path(_ name: String, from origin: ValueOrigin?) -> String {
        if name.hasPrefix("~/"), let home = ProcessTexts.variable("HOME"), !home.isEmpty {
            return home + name.dropFirst()
        }
        guard !FolderPath.isAbsolute(name), case .file(let file, _, _) = origin, file.contains("/") else {
            return name
        }
        return FolderPath.of(file) + "/" + name
    }
}
