import Glibc
import Queries
import Store
package import System

/// A server's file of tokens: reading it, noticing its changes, and changing it.
package final class TokenFile: Sendable {
    package let path: String
    private let seen: Guarded<FileFacts?>

    package init(_ path: String) {
        self.path = path
        seen = Guarded(nil)
    }

    /// The tokens of the file.
    ///
    /// - Throws: `.missing` and others if it cannot be read, `.configuration` if it has no tokens or a line of it
    ///   cannot be read.
    package func read() throws(ETLError) -> ServerTokens {
        // Before reading, so that a change meanwhile is noticed.
        let facts = FileFacts(of: path)
        seen.withLock { $0 = facts }
        let tokens = try ServerTokens(parsing: Self.text(path), named: path)
        guard !tokens.isEmpty else {
            throw ETLError(
                .configuration, "`\(path)` has no tokens.",
                advice: "Add a line with a name, the SHA-256 of the token, and scopes: search, import, admin."
            )
        }
        return tokens
    }

    /// The tokens if the file has changed since it was read; else nil. Call it a few times a second.
    ///
    /// - Throws: As ``read()``, once for each change.
    package func changed() throws(ETLError) -> ServerTokens? {
        let facts = FileFacts(of: path)
        return facts == seen.withLock({ $0 }) ? nil : try read()
    }

    private static func text(_ path: String) throws(ETLError) -> String {
        let text: String?
        do throws(ReadableFile.Refusal) { text = try ReadableFile.text(of: path) } catch {
            let failure = error.failure(of: path)
            throw ETLError(
                failure.kind, "The file of tokens cannot be used. \(failure.message)", advice: failure.advice)
        }
        guard let text else {
            throw ETLError(
                .configuration, "The file of tokens, `\(path)`, is not UTF-8 text.",
                advice: "Specify a file of tokens.")
        }
        return text
    }

    // MARK: Changing it

    /// Adds a token. One with the same name that is not valid any more is replaced. A new file is for its owner only.
    ///
    /// - Parameter now: Milliseconds since 1970.
    /// - Throws: `.usage` if a valid token has the name.
    package func add(_ token: TokenLine, now: Int64) throws(ETLError) {
        try change(creates: true) { (tokens, lines) throws(ETLError) in
            if let old = tokens.lines.first(where: { $0.name == token.name }) {
                guard !old.isValid(at: now) else {
                    throw ETLError(
                        .usage, "There is a token with the name `\(token.name)`.",
                        advice: "Choose another name, or revoke that token first.")
                }
                lines.removeAll { (try? TokenLine(Substring($0)))?.name == token.name }
            }
            lines.append(token.text)
        }
    }

    /// Revokes a token. Its line stays, so that its holder is told.
    ///
    /// - Returns: The token as it is now.
    /// - Throws: `.missing` if no token has the name.
    @discardableResult
    package func revoke(_ name: String) throws(ETLError) -> TokenLine {
        try change(creates: false) { (tokens, lines) throws(ETLError) in
            guard var token = tokens.lines.first(where: { $0.name == name }) else {
                throw ETLError(.missing, "`\(self.path)` has no token with the name `\(name)`.")
            }
            token.end = .revoked
            for index in lines.indices where (try? TokenLine(Substring(lines[index])))?.name == name {
                lines[index] = token.text
            }
            return token
        }
    }

    /// Changes the lines of the file. It is the old or the new one at any time; two changes come one after the other.
    private func change<Result>(
        creates: Bool, _ edit: (ServerTokens, inout [String]) throws(ETLError) -> Result
    ) throws(ETLError) -> Result {
        let real = StorePath.real(path)
        let (descriptor, isNew) = try Self.lock(real, creates: creates)
        defer { close(descriptor) }
        var isDone = false
        defer { if isNew, !isDone { FileSystem.unlink(real) } }
        let text = try Self.text(real)
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        while lines.last?.isEmpty == true { lines.removeLast() }
        let result = try edit(try ServerTokens(parsing: text, named: path), &lines)
        let code = PartFile.replace(
            real, with: Array((lines.joined(separator: "\n") + "\n").utf8), like: descriptor)
        guard code == 0 else { throw Self.failure(path, code) }
        isDone = true
        return result
    }

    /// Opens the file and locks it. It is the one at the path: another one can have replaced it while the lock was
    /// awaited.
    private static func lock(
        _ path: String, creates: Bool
    ) throws(ETLError) -> (descriptor: Int32, isNew: Bool) {
        while true {
            let isNew = creates && FileSystem.access(path, F_OK) != 0
            let descriptor = FileSystem.open(
                path, (isNew ? O_RDWR | O_CREAT | O_EXCL : O_RDONLY) | O_NONBLOCK | O_CLOEXEC, 0o600)
            if descriptor < 0, isNew, errno == EEXIST { continue }
            guard descriptor >= 0 else { throw failure(path, errno) }
            var (own, named) = (stat(), stat())
            while flock(descriptor, LOCK_EX) != 0 && errno == EINTR {}
            if fstat(descriptor, &own) == 0, FileSystem.stat(path, &named) == 0, own.st_ino == named.st_ino {
                return (descriptor, isNew)
            }
            close(descriptor)
        }
    }

    private static func failure(_ path: String, _ code: Int32) -> ETLError {
        code == ENOENT
            ? ReadableFile.Refusal.system(code).failure(of: path)
            : ETLError(
                .cannotCreate, "`\(path)` cannot be changed: \(String(cString: strerror(code))).",
                advice: "Check the permissions of the file and of its folder.")
    }
}

/// A file of tokens that a running server looks at a few times a second.
package final class WatchedTokens: Sendable {
    let file: TokenFile
    private let report: @Sendable (ETLError?) -> Void

    /// - Parameter report: Called for each change: with nil if the tokens are used, else with what is wrong with the file.
    package init(_ file: TokenFile, report: @escaping @Sendable (ETLError?) -> Void) {
        self.file = file
        self.report = report
    }

    /// Reads the file if it has changed. What cannot be used changes nothing.
    func look(for authentication: Authentication) {
        do throws(ETLError) {
            guard let tokens = try file.changed() else { return }
            authentication.renew(tokens)
            report(nil)
        } catch {
            report(error)
        }
    }
}
