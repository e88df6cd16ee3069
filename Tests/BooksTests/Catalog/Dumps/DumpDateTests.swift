import Testing

@testable import Books

@Suite struct DumpDateTests {
    @Test(arguments: [
        ("ol_dump_editions_2026-05-31.txt.gz", "2026-05-31"),
        ("a/2020-01-01/wikidata-20260105-all.json.gz", "2026-01-05"),
        ("ol_dump_latest.txt.gz", nil), ("ol_dump_2026-13-01.txt", nil), ("123456789.gz", nil), ("", nil),
        ("99999999.gz", nil), ("x1-2-3", nil),
    ])
    func isReadFromAName(name: String, date: String?) {
        #expect(DumpDate.inName(name) == date)
    }
}
