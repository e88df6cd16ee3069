/// `etl token`: the tokens of a server. The executable runs it, as ``ServeCommand``.
enum TokenCommand: CommandDescription {
    static let add = CommandSpec(
        "token", "add", summary: "Create a token and print it once",
        details: [
            "The file gets the token's SHA-256, not the token. A file that does not exist is created, for its owner only. "
                + "A name can be used again when its token has expired or is revoked.",
            "The scope search allows searches and the library's pages, import allows imports and look-ups, and admin "
                + "allows everything. A running server knows the token within a second.",
        ],
        arguments: [TokenOptions.name.spec],
        options: [TokenOptions.scope.spec, TokenOptions.library.spec, TokenOptions.expires.spec]
            + TokenOptions.printing,
        requiring: TokenOptions.place,
        examples: [
            .init("etl token add --tokens tokens.txt anna", "Create a token for searches and imports"),
            .init(
                "etl token add --tokens tokens.txt --library anna --expires 90 anna",
                "Its imports go into the library anna; it is valid for 90 days"),
            .init(
                "etl token add --tokens tokens.txt --scope admin backup",
                "Create a token that allows everything"),
        ],
        objection: { TokenOptions.objection($0, "add") })
    static let list = CommandSpec(
        "token", "list", summary: "List the tokens: names, scopes, libraries and ends",
        options: TokenOptions.printing, requiring: TokenOptions.place,
        examples: [
            .init("etl token list --tokens tokens.txt", "List the tokens of a file"),
            .init("etl token list --tokens tokens.txt | grep revoked", "List those that are revoked"),
            .init("etl token list --tokens tokens.txt --json", "Print JSON"),
        ],
        objection: { TokenOptions.objection($0, "list") })
    static let revoke = CommandSpec(
        "token", "revoke", summary: "Revoke a token, and end the sessions of its browsers",
        details: ["A running server refuses the token within a second. Its line stays in the file."],
        arguments: [TokenOptions.existing.spec], options: TokenOptions.printing,
        requiring: TokenOptions.place,
        examples: [
            .init("etl token revoke --tokens tokens.txt anna", "Revoke the token of anna"),
            .init("etl token revoke --tokens /etc/etl/tokens backup", "Revoke one in another file"),
            .init("etl token revoke --quiet --tokens tokens.txt anna", "Print nothing"),
        ],
        objection: { TokenOptions.objection($0, "revoke") })

    static let spec = CommandSpec(
        "token", summary: "Create, list and revoke the tokens of a server",
        details: [
            "`etl serve --tokens FILE` requires one of the file's tokens. docs/service.md describes the file."
        ],
        examples: [
            .init("etl token add --tokens tokens.txt anna", "Create a token"),
            .init("etl token list --tokens tokens.txt", "List the tokens"),
            .init("etl token revoke --tokens tokens.txt anna", "Revoke a token"),
        ],
        subcommands: [add, list, revoke])
}
