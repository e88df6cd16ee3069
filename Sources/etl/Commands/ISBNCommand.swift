/// `etl isbn`: checks and rewrites ISBNs.
enum ISBNCommand {
    static let isbns = Argument.many("ISBN", "ISBNs in any spelling; without any, lines of standard input")

    static let spec = CommandSpec(
        "isbn", summary: "check, convert and hyphenate ISBNs",
        details: [
            "One line of JSON for each ISBN: input, verdict (valid, repaired, impossible), isbn13, isbn10, and the "
                + "rule of a repair or the reason of a refusal."
        ],
        examples: [
            .init("etl isbn check 0-441-17271-7", "is it an ISBN?"),
            .init("etl isbn to13 < isbns.txt", "ISBN-13s of all lines of a file"),
            .init("etl isbn hyphenate 9780441172719", "with its hyphens in the right places"),
        ],
        subcommands: [
            of("check", "tell whether ISBNs are valid, and repair what can be repaired for certain"),
            of("to13", "turn ISBNs into ISBN-13s"),
            of("to10", "turn ISBNs into ISBN-10s, where there are any"),
            of("hyphenate", "put the hyphens where the range table of the ISBN agency has them"),
        ])

    private static func of(_ name: String, _ summary: String) -> CommandSpec {
        CommandSpec(
            "isbn", name, summary: summary, arguments: [isbns.spec],
            examples: [
                .init("etl isbn \(name) 0-441-17271-7", "one ISBN"),
                .init("etl isbn \(name) 9780441172719 080442957X", "several"),
                .init("etl isbn \(name) < isbns.txt", "one in each line of a file"),
            ])
    }
}
