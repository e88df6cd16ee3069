import CommandLineTool
import Jobs
import Server
import System

/// `etl token`: changes and lists a file of tokens.
enum TokenSession {
    static func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandFailure) -> ExitStatus {
        let now = SystemClock().epochMilliseconds()
        let file = TokenFile(TokenOptions.file(arguments))
        switch arguments.command.last {
        case "add": try add(to: file, arguments, now, console)
        case "revoke":
            let name = arguments[TokenOptions.existing]
            let token: TokenLine
            do throws(ETLError) { token = try file.revoke(name) } catch { throw CommandFailure(error) }
            console.note("The token of \(name) is revoked. A running server refuses it within a second.")
            if arguments[StoreOptions.json] { try console.writeJSON(report(token, now)) }
        default: try list(file, arguments, now, console)
        }
        return .completed
    }

    private static func add(
        to file: TokenFile, _ arguments: ParsedArguments, _ now: Int64, _ console: Console
    ) throws(CommandFailure) {
        let secret = Secret()
        let named = arguments[TokenOptions.scope].compactMap(ServerTokens.Scope.init)
        let token = TokenLine(
            name: arguments[TokenOptions.name], secret,
            scopes: named.isEmpty ? [.search, .import] : Set(named), library: arguments[TokenOptions.library],
            end: arguments[TokenOptions.expires]?.day(after: now).map { .after($0) } ?? .never)
        guard token.isValid(at: now) else {
            throw CommandFailure(
                .usage, "The token would have expired already.",
                advice: "Specify a day from today on with \(TokenOptions.expires.spelling).")
        }
        do throws(ETLError) { try file.add(token, now: now) } catch { throw CommandFailure(error) }
        if arguments[StoreOptions.json] {
            try console.writeJSON(report(token, now, secret))
        } else {
            try console.write(secret.text + "\n")
        }
        console.note("This is the token of \(token.name). Keep it: it is not shown again.")
    }

    private static func list(
        _ file: TokenFile, _ arguments: ParsedArguments, _ now: Int64, _ console: Console
    ) throws(CommandFailure) {
        let tokens: ServerTokens
        do throws(ETLError) { tokens = try file.read() } catch { throw CommandFailure(error) }
        if arguments[StoreOptions.json] {
            return try console.writeJSON(tokens.lines.map { report($0, now) })
        }
        var table = Table(
            .init("name", isNeverCut: true), .init("scopes", isNeverCut: true),
            .init("library", isNeverCut: true), .init("expires", isNeverCut: true))
        for token in tokens.lines {
            table.add(
                token.name, token.scopes.map(\.rawValue).sorted().joined(separator: ","),
                token.library ?? "any",
                token.words(at: now))
        }
        try console.write(listing: table)
    }

    private static func report(_ token: TokenLine, _ now: Int64, _ secret: Secret? = nil) -> TokenReport {
        let expires: String? = if case .after(let day) = token.end { "\(day)" } else { nil }
        return TokenReport(
            name: token.name, scopes: token.scopes.map(\.rawValue).sorted(), library: token.library,
            state: token.end == .revoked ? .revoked : token.isValid(at: now) ? .valid : .expired,
            expires: expires, token: secret?.text)
    }
}
