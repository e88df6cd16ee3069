import Foundation
import TestSupport
import Testing

@testable import CommandLineTool

@Suite struct WritableFileTests {
    private let folder: TemporaryFolder
    private let pipe: String

    init() throws {
        folder = try TemporaryFolder()
        pipe = folder.file("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
    }

    @Test func `a pipe is waited for until somebody reads it`() {
        var looks = 0
        var reader: Int32 = -1
        let descriptor = WritableFile.open(pipe, 0, mode: 0o600) {
            looks += 1
            if looks == 2 { reader = open(pipe, O_RDONLY | O_NONBLOCK) }
            return false
        }
        #expect(descriptor >= 0 && looks == 2)
        #expect(fcntl(descriptor, F_GETFL) & O_NONBLOCK == 0)
        close(descriptor)
        close(reader)
    }

    @Test func `a command that is to stop does not wait for a pipe`() {
        #expect(WritableFile.open(pipe, 0, mode: 0o600) { true } == -1)
        #expect(WritableFile.reason == "no program reads this pipe")
    }

    @Test func `another failure is told at once`() {
        #expect(WritableFile.open(folder.file("no/file"), O_CREAT, mode: 0o600) { false } == -1)
        #expect(errno == ENOENT)
    }
}
