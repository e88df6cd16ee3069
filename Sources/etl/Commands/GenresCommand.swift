/// `etl genres`: normalizes genres.
enum GenresCommand {
    static let genres = Argument.many(
        "GENRE", "a provider's genres or subjects; without any, lines of standard input")

    static let spec = CommandSpec(
        "genres", summary: "turn genres and subjects into canonical genres",
        details: ["One JSON array of strings for each line of input; all arguments together are one line."],
        arguments: [genres.spec],
        examples: [
            .init("etl genres Fiction Thrillers MYSTERY", "[\"Fiction\",\"Thriller\",\"Mystery\"]"),
            .init("etl genres 'Fiction / Science Fiction / General'", "a heading of the book trade"),
            .init("etl genres < subjects.txt", "one subject in each line of a file"),
        ])
}
