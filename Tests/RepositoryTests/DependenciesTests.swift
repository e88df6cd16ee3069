import Foundation
import TestSupport
import Testing

/// `.ci/deps` on machines where something is missing: PATH has only a folder of stubs.
@Suite struct DependenciesTests {
    private let folder: TemporaryFolder
    private let shell: Shell

    /// - Throws: If the stubs cannot be written.
    init() throws {
        folder = try TemporaryFolder()
        shell = Shell(in: folder.path, path: folder.path)
        try stub("swift", "exit 0")
        try stub("id", "echo 1000")
        try stub("env", "shift; exec \"$@\"")
        try stub("dirname", "exit 0")
    }

    /// Installs a script as a command.
    private func stub(_ name: String, _ script: String) throws {
        let path = try ChildProcess.whileNoneStarts { try folder.write("#!/bin/sh\n\(script)\n", to: name) }
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }

    /// A pkg-config that knows only some libraries.
    private func stubPkgConfig(knowing libraries: [String]) throws {
        let cases = (libraries.isEmpty ? ["nothing"] : libraries).joined(separator: "|")
        try stub("pkg-config", "case \"$2\" in \(cases)) exit 0;; esac; exit 1")
    }

    private func run() async throws -> Shell.Outcome {
        try await shell.run("'\(Tree.root.path)/.ci/deps'")
    }

    @Test func `with all dependencies installed it prints and installs nothing`() async throws {
        try stubPkgConfig(knowing: [
            "sqlite3", "icu-uc", "libxml-2.0", "yaml-0.1", "zlib", "libcurl", "libzip", "libzstd", "liblzma",
            "libmicrohttpd", "xlsxwriter",
        ])
        let outcome = try await run()
        #expect(outcome.status == 0 && outcome.output.isEmpty)
    }

    @Test func `without Swift it says where to get Swift`() async throws {
        try FileManager.default.removeItem(atPath: folder.file("swift"))
        let outcome = try await run()
        #expect(outcome.status == 1 && outcome.output.contains("https://swift.org/install"))
    }

    @Test func `a user who cannot install packages gets the exact command in one line`() async throws {
        try stubPkgConfig(knowing: [
            "sqlite3", "icu-uc", "zlib", "libcurl", "libzip", "libzstd", "liblzma", "libmicrohttpd",
            "xlsxwriter",
        ])
        try stub("apt-get", "echo must not be called; exit 1")
        try stub("sudo", "exit 1")
        let outcome = try await run()
        #expect(outcome.status == 1)
        #expect(outcome.output.hasSuffix("run: sudo apt-get install libxml2-dev libyaml-dev\n"))
        #expect(outcome.output.split(separator: "\n").count == 1)
    }

    @Test func `without apt-get the packages are listed`() async throws {
        let outcome = try await run()
        #expect(outcome.status == 1)
        #expect(
            outcome.output.contains(
                "pkg-config libcurl4-openssl-dev libsqlite3-dev libicu-dev libxml2-dev libyaml-dev zlib1g-dev"
            ))
        #expect(outcome.output.split(separator: "\n").count == 1)
    }

    @Test func `root installs what is missing and fetches package lists only if that fails`() async throws {
        try stubPkgConfig(knowing: [
            "sqlite3", "icu-uc", "libxml-2.0", "yaml-0.1", "libcurl", "libzip", "libzstd",
            "libmicrohttpd", "xlsxwriter",
        ])
        try stub("id", "echo 0")
        try stub(
            "apt-get", "echo \"$*\" >> log; case \"$1\" in update) : > lists;; *) [ -e lists ];; esac")
        let outcome = try await run()
        #expect(outcome.status == 0, "\(outcome.output)")
        let install = "install -y -qq --no-install-recommends zlib1g-dev liblzma-dev"
        let log = try String(contentsOfFile: folder.file("log"), encoding: .utf8)
        #expect(log == "\(install)\nupdate -qq\n\(install)\n")
    }

    @Test func `a user with password-less sudo installs with it`() async throws {
        try stubPkgConfig(knowing: ["sqlite3", "icu-uc", "libxml-2.0", "yaml-0.1", "libcurl"])
        try stub("sudo", "[ \"$1\" = -n ] && exit 0; echo sudo >> log; exec \"$@\"")
        try stub("apt-get", "exit 0")
        let outcome = try await run()
        #expect(outcome.status == 0 && outcome.output.hasPrefix("Installing zlib1g-dev"))
        #expect(try String(contentsOfFile: folder.file("log"), encoding: .utf8) == "sudo\n")
    }

    @Test func `a failed installation ends with advice`() async throws {
        try stubPkgConfig(knowing: [])
        try stub("id", "echo 0")
        try stub("apt-get", "echo E: no network >&2; exit 100")
        let outcome = try await run()
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("E: no network") && outcome.output.contains("sudo apt-get install"))
    }
}
