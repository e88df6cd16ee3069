import Testing

@testable import etl

private let spool = "x/library.sqlite.dc83c9eb-6815-408f-b93e-c6d3845ec958.stdin"

@Suite struct StandardInputTests {
    @Test(arguments: [
        ("\(spool) is empty.", "<stdin> is empty."),
        ("In “\(spool)”: no.", "In “<stdin>”: no."),
        ("\(spool):17 (record 3)", "<stdin>:17 (record 3)"),
        ("a.csv, \(spool), b.csv", "a.csv, <stdin>, b.csv"),
        ("my.stdin holds nothing", "my.stdin holds nothing"),
        ("library.sqlite.mine.stdin", "library.sqlite.mine.stdin"),
        ("", ""),
    ])
    func `a spool goes by the name of standard input, and nothing else does`(text: String, named: String) {
        #expect(StandardInput.named(in: text) == named)
    }
}
