/// `etl serve`: the store as a service over HTTP. The executable runs it, so that this module does not wait for the server.
enum ServeCommand: CommandDescription {
    static let spec = CommandSpec(
        "serve", summary: "Serve the store over HTTP: a page for browsers, and an API for apps",
        details: [
            "Listens on this machine only, unless --bind says otherwise. A public address needs --tokens or "
                + "--insecure. Ctrl-C stops the server: the running job commits what it has, and goes on when the "
                + "server is started again. It reads its tokens again when they change. SIGHUP makes it read them and its certificate again, and open its log "
                + "again. docs/service.md describes the API.",
            "With --nightly, it refreshes the stored books every night, as a job that waits for those of all users. A time "
                + "that was missed while no server ran is made up for at the next start. With --backup, it then writes a "
                + "backup that it has read back, as `etl backup` does.",
        ],
        options: ServeOptions.all, showing: ServeOptions.usual,
        examples: [
            .init("etl serve", "Serve library.sqlite on http://127.0.0.1:8787"),
            .init("etl serve --catalog catalog.sqlite --port 9000", "Use a catalog and another port"),
            .init("etl serve --bind 0.0.0.0 --tokens tokens.txt", "Serve other machines, with tokens"),
        ], objection: ServeOptions.objection)
}
