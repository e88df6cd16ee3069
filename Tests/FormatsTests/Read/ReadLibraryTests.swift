import Books
import Formats
import Pipeline
import Syntax
import System
import Testing

@Suite
struct ReadLibraryTests {
    let files: WrittenFiles

    init() throws { files = try WrittenFiles() }

    private func settings(_ paths: String...) -> ReadSettings {
        var settings = ReadSettings(files: paths, batchRecords: 7, batchBytes: 4_000)
        settings.limits = RecordLimits(fieldBytes: 2_000, recordBytes: 10_000, columns: 100)
        return settings
    }

    @Test func `a reading resumed after any batch yields the same as an uninterrupted one`()
        async throws
    {
        let first = try files.write(GoodreadsFixture.library(records: 100), as: "first.csv")
        let second = try files.write(GoodreadsFixture.library(records: 30), as: "second.csv")
        let settings = settings(first, second)
        let whole = try await Reading.of(settings)
        #expect(whole.recordsRead == 130)
        #expect(whole.records.count + whole.rejects.count == 130)
        #expect(whole.rejects.count == 11)
        #expect(whole.ends.count > 18)
        for (index, end) in whole.ends.enumerated() {
            let head = try await Reading.of(settings, batches: index + 1)
            let tail = try await Reading.of(settings, from: end)
            #expect(head.ends.last == end)
            #expect(head.records + tail.records == whole.records)
            #expect(head.rejects + tail.rejects == whole.rejects)
            #expect(head.recordsRead + tail.recordsRead == 130)
        }
    }

    @Test func `a limit holds across a resume`() async throws {
        let first = try files.write(GoodreadsFixture.library(records: 20), as: "first.csv")
        let second = try files.write(GoodreadsFixture.library(records: 20), as: "second.csv")
        var settings = settings(first, second)
        let whole = try await Reading.of(settings)
        for limit in [0, 1, 6, 7, 8, 19, 20, 21, 39, 40, 41] {
            settings.limit = limit
            let limited = try await Reading.of(settings)
            #expect(limited.recordsRead == min(limit, 40))
            #expect(Array(whole.records.prefix(limited.records.count)) == limited.records)
            for (index, end) in limited.ends.enumerated() {
                let head = try await Reading.of(settings, batches: index + 1)
                let tail = try await Reading.of(settings, from: end)
                #expect(head.records + tail.records == limited.records, "limit \(limit), batch \(index)")
            }
            #expect(try await ReadLibrary(settings).survey().recordCount == min(limit, 40))
        }
    }

    @Test func `batches keep to their limits and to one file`() async throws {
        let path = try files.write(GoodreadsFixture.library(records: 100))
        var settings = settings(path)
        settings.batchBytes = 1 << 20
        let byCount = try await Reading.of(settings)
        #expect(byCount.ends.count >= 100 / 7)
        settings.batchRecords = 1_000
        settings.batchBytes = 500
        let byBytes = try await Reading.of(settings)
        #expect(byBytes.ends.count > 30)
        #expect(byBytes.records == byCount.records)
    }

    @Test func `a blank record is not counted and keeps its number`() async throws {
        let path = try files.write("Title,Author\n\nA,X\n,\n\"\",\"\"\nB,Y\n\n\n")
        let reading = try await Reading.of(settings(path))
        #expect(reading.recordsRead == 2)
        #expect(reading.titles == ["A", "B"])
        #expect(reading.fact(0).map { $0.contains("record: 3") } == [true, false])
        #expect(reading.fact(0).map { $0.contains("record: 6") } == [false, true])
    }

    @Test func `a file of blank lines can be stopped and resumed`() async throws {
        let path = try files.write("Title\n" + String(repeating: "\n", count: 5_000) + "A\n")
        let settings = settings(path)
        let whole = try await Reading.of(settings)
        #expect(whole.titles == ["A"])
        #expect(whole.recordsRead == 1)
        #expect(whole.ends.count > 1)
        let first = try #require(whole.ends.first)
        #expect(try await Reading.of(settings, from: first).records == whole.records)
    }

    @Test func `records over a limit are rejected with position, reason and head`() async throws {
        let long = String(repeating: "x", count: 2_001)
        let record = String(repeating: "y,y,", count: 2_600)
        let wide = String(repeating: ",", count: 150)
        let path = try files.write("Title,Author\n\(long),X\nB,Y\n\(record)\nC,\(wide)\nD,Z\n")
        var settings = settings(path)
        settings.stage = "reader"
        let reading = try await Reading.of(settings)
        #expect(reading.titles == ["B", "D"])
        #expect(reading.rejects.map(\.code) == ["field_too_large", "record_too_large", "too_many_columns"])
        #expect(reading.rejects.map(\.position.line) == [2, 4, 5])
        #expect(reading.rejects.allSatisfy { $0.stage == "reader" })
        #expect(reading.rejects.first?.rawLength == 2_003)
        #expect(reading.rejects.first?.raw == Array("\(long),X".utf8))
        #expect(reading.rejects.first?.message.contains("The limit is 2000 bytes.") == true)
        #expect(reading.recordsRead == 5)
    }

    @Test func `damage is reported and the record kept`() async throws {
        let path = try files.write(
            Array("Title,Author\n\"A\"x,X\nB\nC,Z,extra\nD,W,,\n6\" tall,V\nE".utf8) + [0xFF]
                + Array(",U\nF\u{0},T\nG,\"open".utf8))
        var settings = settings(path)
        settings.text.encoding = .utf8
        let reading = try await Reading.of(settings)
        #expect(reading.recordsRead == 8)
        #expect(
            reading.fact(5) == [
                "text_after_quote::", "ragged_record::1", "ragged_record::3", "", "stray_quote::",
                "invalid_utf8::",
                "nul_byte::", "unterminated_quote::",
            ])
        #expect(reading.fact(7)[2] == "C\u{1E}Z\u{1E}extra")
    }

    @Test func `a byte order mark, lines before the header and odd header spellings are accepted`()
        async throws
    {
        let path = try files.write(
            "\u{FEFF}My library\n\nexported, yesterday\n  TITLE ,'Author',\"ISBN 13\"\nA,X,9780306406157\n")
        let reading = try await Reading.of(settings(path))
        #expect(reading.titles == ["A"])
        #expect(reading.columns?.names == ["TITLE", "'Author'", "ISBN 13"])
        #expect(reading.columns?[.isbn13] == 2)
        let file = try await ReadLibrary(settings(path)).surveyLibrary().files.first
        #expect(file?.preambleCount == 2)
        #expect(file?.remarks == ["Skipped 2 records before the header of `\(path)`."])
    }

    @Test func `two files may have different formats`() async throws {
        let goodreads = try files.write(
            GoodreadsFixture.header24 + "\n" + GoodreadsFixture.row(1, title: "One (S, #1)"), as: "a.csv")
        let plain = try files.write("Author,Title\nX,Two\n", as: "b.csv")
        let reading = try await Reading.of(settings(goodreads, plain))
        #expect(reading.titles == ["One", "Two"])
        #expect(reading.columns?.formatName == "generic")
        #expect(reading.ends.map(\.file) == [0, 1])
    }

    @Test func `nothing is read if nothing consumes the batches`() async throws {
        let path = try files.write(GoodreadsFixture.library(records: 50))
        #expect(try await Reading.of(settings(path), batches: 0).records.isEmpty)
    }

    @Test func `a position beyond the file's end or in a missing file is rejected`() async throws {
        let path = try files.write("Title\nA\n")
        for position in [
            Position(byte: 1_000, line: 9, record: 9), Position(file: 1, byte: 0, line: 1, record: 1),
        ] {
            do throws(ETLError) {
                _ = try await Reading.of(settings(path), from: position)
                Issue.record("read from \(position)")
            } catch {
                #expect(error.kind == (position.file == 1 ? .configuration : .unusableInput))
            }
        }
    }
}
