import Bytes
import System

@testable import Books
@testable import Formats
@testable import Syntax

/// Parses an input as every kind of cell. A parser must accept its own output for each text that it accepts.
enum CellTarget {
    static func read(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { raw in
            readISBN(raw)
            readDates(raw)
            _ = YearText.read(raw)
            _ = ReadingStatus(raw)
            _ = DoubleEncoding.decoded(raw)
            readGenres(raw)
            let series = SeriesTitle(raw)
            var mentions = SeriesTitle.Mentions(of: series)
            while mentions.next(in: raw) != nil {}
        }
        let text = String(decoding: bytes, as: UTF8.self)
        for order in [NameOrder.unknown, .familyFirst] { _ = PeopleCell(text, order) }
        let folded = Folding.fold(text)
        demand(Folding.fold(folded) == folded, "folding twice differs")
        let title = ParsedTitle(text)
        _ = TitleAgreement.score(title, ParsedTitle(String(text.reversed())))
    }

    private static func readISBN(_ raw: UnsafeRawBufferPointer) {
        guard let isbn = ISBNReader.read(raw).isbn else { return }
        demand(ISBNReader.read(isbn.isbn13) == .valid(isbn), "an ISBN-13 is not read back")
        guard let ten = isbn.isbn10 else { return }
        demand(ISBNReader.read(ten) == .valid(isbn), "an ISBN-10 is not read back")
    }

    private static func readDates(_ raw: UnsafeRawBufferPointer) {
        for order in [DateOrder.dayFirst, .monthFirst] {
            guard let date = CalendarDate(raw, order) else { continue }
            demand(CalendarDate("\(date)", order) == date, "\(date) is not read back")
        }
        guard let written = written(PublicationDate(raw)) else { return }
        demand(
            written.withUnsafeBytes { Self.written(PublicationDate($0)) } == written,
            "\(String(decoding: written, as: UTF8.self)) is not read back")
    }

    private static func written(_ date: PublicationDate?) -> [UInt8]? {
        guard let date else { return nil }
        var bytes: [UInt8] = []
        date.append(to: &bytes)
        return bytes
    }

    private static func readGenres(_ raw: UnsafeRawBufferPointer) {
        var normalizer = GenreNormalizer()
        var outcomes: [GenreNormalizer.Outcome] = []
        normalizer.normalize(raw, into: &outcomes)
        normalizer.normalize(shelf: raw, into: &outcomes)
    }
}
