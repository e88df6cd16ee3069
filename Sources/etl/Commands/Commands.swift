/// All commands, in the order in which the help lists them.
enum Commands {
    static let specs: [CommandSpec] = [
        ImportCommand.spec, RunCommand.spec, ResumeCommand.spec,
        JobsCommand.spec, StatusCommand.spec, CancelCommand.spec,
        ResultsCommand.spec, ErrorsCommand.spec, ExplainCommand.spec, ExportCommand.spec,
        InspectCommand.spec, ConvertCommand.spec, ISBNCommand.spec, GenresCommand.spec,
        CatalogCommand.spec, CheckCommand.spec, StagesCommand.spec, DoctorCommand.spec,
        CompletionCommand.spec, HelpCommand.spec,
    ]
}
