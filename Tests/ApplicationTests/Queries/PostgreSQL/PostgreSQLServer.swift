import Foundation
import TestSupport

/// A separate PostgreSQL server for one test, in a temporary folder and without a network address. It is stopped with
/// its value.
final class PostgreSQLServer {
    private static let programs: String? = {
        let root = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        let newest = versions.max { (Int($0) ?? 0) < (Int($1) ?? 0) }
        return newest.map { "\(root)/\($0)/bin" }
    }()

    /// The server refuses to run as root, so that root starts it as another user.
    private static let changesUser = geteuid() == 0

    /// Whether a server can be started.
    static var isThere: Bool {
        func runs(_ path: String) -> Bool { FileManager.default.isExecutableFile(atPath: path) }
        guard let programs, runs("\(programs)/initdb"), runs("\(programs)/psql") else { return false }
        return !changesUser || runs("/usr/bin/setpriv")
    }

    private struct Failed: Error { var message: String }

    private let folder: TemporaryFolder
    private let programs: String

    init() throws {
        programs = Self.programs ?? ""
        folder = try TemporaryFolder()
        if Self.changesUser, let user = getpwnam("nobody") {
            chown(folder.path, user.pointee.pw_uid, user.pointee.pw_gid)
        }
        let data = folder.file("data")
        let options = "-c listen_addresses= -c unix_socket_directories=\(folder.path) -c fsync=off"
        try serve("initdb", ["-D", data, "-U", "etl", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"])
        try serve("pg_ctl", ["-D", data, "-w", "-l", folder.file("log"), "-o", options, "start"])
    }

    deinit { try? serve("pg_ctl", ["-D", folder.file("data"), "-m", "immediate", "stop"]) }

    private func serve(_ program: String, _ arguments: [String]) throws {
        let words = ["\(programs)/\(program)"] + arguments
        let user = ["/usr/bin/setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
        let line = Self.changesUser ? user + words : words
        let status = try ChildProcess(line[0], Array(line.dropFirst())).wait().status
        guard status == 0 else { throw Failed(message: "\(program) ended with \(status)") }
    }

    /// Runs psql in a folder and returns its output; throws its error output.
    func psql(_ arguments: String..., in place: String) throws -> String {
        let words = ["-X", "-q", "-A", "-t", "-h", folder.path, "-U", "etl", "-d", "postgres"] + arguments
        let process = try ChildProcess(
            "/usr/bin/env", ["-C", place, "\(programs)/psql"] + words, output: .pipe, errors: .pipe)
        let said = process.output?.readDataToEndOfFile() ?? Data()
        let complained = process.errors?.readDataToEndOfFile() ?? Data()
        guard try process.wait().status == 0, complained.isEmpty else {
            throw Failed(message: String(decoding: complained, as: UTF8.self))
        }
        return String(decoding: said, as: UTF8.self)
    }
}
