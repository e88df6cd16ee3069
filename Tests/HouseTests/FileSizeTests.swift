import Testing

/// One idea a file: small files, none long.
@Suite struct FileSizeTests {
    @Test func `half the files are small, and none is over 400 lines`() {
        let files = Tree.sources + Tree.tests
        let lengths = files.map(\.lineCount).sorted()
        for file in files where file.lineCount > 400 {
            Issue.record("\(file.path) has \(file.lineCount) lines")
        }
        let (median, ninth) = (lengths[lengths.count / 2], lengths[lengths.count * 9 / 10])
        print("Swift files: \(lengths.count), median \(median) lines, nine of ten at most \(ninth)")
        #expect(median <= 130)
        #expect(ninth <= 260)
    }
}
