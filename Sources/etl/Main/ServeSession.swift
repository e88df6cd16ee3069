import CommandLineTool
import Glibc
import Server
import System

/// A run of `etl serve`, from its arguments to the end of the server.
enum ServeSession {
    /// Serves until the process is asked to stop. Data goes to standard output, everything else to standard error.
    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let stop = StopSignal()
        Signals.process.raise(stop) { [console] in
            Supervisor.process.tell("STOPPING=1")
            console.note("Stopping. Press Ctrl-C again to stop at once.")
        }
        do throws(ETLError) {
            let socket = try socket(arguments)
            let setup = ServeSetup(arguments)
            try checkFolder(of: DefaultPaths.store(arguments))
            let base = try setup.base()
            let path = base.isRoot ? "" : base.text + "/"
            let log = try setup.log()
            let file = setup.tokenFile
            let watchdog = Watchdog(.process, ProcessTexts.environment, processID: getpid())
            let server = try await Server(
                setup.settings(isLocal: ListeningSocket.isLoopback(socket), log), on: socket,
                tokens: file?.read() ?? ServerTokens(),
                watching: file.map { file in
                    WatchedTokens(file) { failure in
                        if let failure { return console.report(CommandFailure(failure)) }
                        console.note("Tokens were read again.")
                    }
                }, whileAlive: { watchdog.feed() })
            noteNewStore(DefaultPaths.store(arguments), console)
            Signals.process.reload { renew(server, file, setup, log, console) }
            console.note("Listening on \(url(server, arguments))\(path). Press Ctrl-C to stop.")
            Supervisor.process.tell("READY=1")
            await stop.wait()
            await server.stop()
        } catch {
            throw CommandFailure(error)
        }
        return .completed
    }

    /// - Throws: `.missing` if the store cannot come to be: a mistyped path is known before anything is made.
    private static func checkFolder(of store: String) throws(ETLError) {
        let folder = FolderPath.of(store)
        guard Folder.names(in: folder) == nil else { return }
        throw ETLError(
            .missing, "There is no folder `\(folder)` for the store `\(store)`.",
            advice: "Check the path, or make the folder.")
    }

    /// Says that the store does not exist, which is right before the first import, and wrong after a mistyped path.
    private static func noteNewStore(_ store: String, _ console: Console) {
        guard FileSystem.access(store, F_OK) != 0 else { return }
        let meant = DefaultPaths.similarStore(to: store).map { " Did you mean `\($0)`?" } ?? ""
        console.note("There is no store `\(store)` yet; the first import makes it.\(meant)")
    }

    /// Reads tokens and certificate again and opens the log again. What cannot be used is reported, and stays as it was.
    private static func renew(
        _ server: Server, _ file: TokenFile?, _ setup: ServeSetup, _ log: LogFile?, _ console: Console
    ) {
        Supervisor.process.tell("RELOADING=1\nMONOTONIC_USEC=\(SystemClock().nanoseconds() / 1_000)")
        defer { Supervisor.process.tell("READY=1") }
        do throws(ETLError) {
            try log?.reopen()
            try server.renew(tokens: file?.read() ?? ServerTokens(), setup.certificate())
            console.note("Tokens and certificate were read again, and the log was opened again.")
        } catch {
            console.report(CommandFailure(error))
        }
    }

    /// A socket that listens: the supervisor's, or a new one.
    ///
    /// - Throws: `.usage` if anybody could reach the server.
    private static func socket(_ arguments: ParsedArguments) throws(ETLError) -> Int32 {
        let place = ListeningSocket.Place(
            address: address(arguments), port: UInt16(arguments[ServeOptions.port]))
        let inherited = Supervisor.process.socket
        let isLocal =
            if let inherited { try ListeningSocket.isLoopback(inherited) } else { try place.isLoopback() }
        guard isLocal || arguments[ServeOptions.tokens] != nil || arguments[ServeOptions.insecure] else {
            throw ETLError(
                .usage, "Other machines can reach `\(place.address)`, and it requires no token.",
                advice:
                    "Add \(ServeOptions.tokens.spelling) FILE, or \(ServeOptions.insecure.spelling) if anybody may read and change the library."
            )
        }
        if let inherited { return inherited }
        return try ListeningSocket.open(at: place)
    }

    private static func address(_ arguments: ParsedArguments) -> String {
        let address = arguments[ServeOptions.bind]
        return address == "localhost" ? "127.0.0.1" : address
    }

    private static func url(_ server: Server, _ arguments: ParsedArguments) -> String {
        let scheme = arguments[ServeOptions.certificate] == nil ? "http" : "https"
        let address = address(arguments)
        return "\(scheme)://\(address.contains(":") ? "[\(address)]" : address):\(server.port)"
    }
}
