package import Books
package import Pipeline

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
    ) throws(StageFailure) -> [String: GenreRules] {
        var rules: [String: GenreRules] = [:]
        for stage in plan.stages {
            guard let name = stage.settings[BookStages.genreRules], rules[name] == nil else { continue }
            rules[name] =
                if let file = kept[name] {
                    try GenreRules(file)
                } else {
                    try GenreRules(file: path(name, from: stage.settings.origin(of: BookStages.genreRules)))
                }
        }
        return rules
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

extension RunDependencies {
    /// The rules that a stage's settings name.
    func genreRules(_ settings: Settings) throws(StageFailure) -> GenreRules {
        guard let name = settings[BookStages.genreRules] else { return GenreRules() }
        guard let rules = genreRules[name] else {
            throw StageFailure(
                .bug, "The genre rules `\(name)` were not read before the run.",
                advice: "Please report this bug.")
        }
        return rules
    }
}
