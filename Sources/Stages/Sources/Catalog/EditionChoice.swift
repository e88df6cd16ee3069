import Books
import Bytes

/// Chooses the edition of a work that a row without an ISBN means, if its publication data single one out.
struct EditionChoice {
    /// Maximum number of editions that are read to compare publishers.
    static let readLimit = 16

    var year: Int?
    var pages: Int?
    var format: EditionFormat?
    var language: Int
    /// Folded, without common words; empty if unknown.
    var publisher: String

    init(_ description: BookDescription, in arena: Arena) {
        year = description.year.map { Int($0) }
        pages = description.pages.map { Int($0) }
        format = description.format
        language = arena.withBytes(description.language) { EditionSketch.hash(ofLanguage: $0) }
        publisher = PublisherName.folded(arena[description.publisher])
    }

    /// Whether the row says enough.
    var isPossible: Bool { pages != nil || year != nil && (!publisher.isEmpty || format != nil) }

    /// The editions that nothing contradicts and that agree best, so far as sketches tell.
    func best(of sketches: [EditionSketch]) -> [EditionSketch] {
        let ranked = sketches.compactMap { sketch in agreement(sketch).map { (sketch, $0) } }
        guard let most = ranked.map(\.1).max(), most > 0 else { return [] }
        return ranked.filter { $0.1 == most }.map(\.0)
    }

    /// Points for what agrees; nil if anything contradicts.
    private func agreement(_ sketch: EditionSketch) -> Int? {
        var points = 0
        if let year, let theirs = sketch.year {
            guard year == theirs else { return nil }
            points += 2
        }
        if let pages, let theirs = sketch.pages {
            guard abs(pages - theirs) <= 2 else { return nil }
            points += 2
        }
        if let format, let theirs = sketch.format {
            guard format == theirs || Self.arePaperbacks(format, theirs) else { return nil }
            points += 1
        }
        if language != 0, sketch.language != 0 {
            guard language == sketch.language else { return nil }
            points += 1
        }
        return points
    }

    private static func arePaperbacks(_ a: EditionFormat, _ b: EditionFormat) -> Bool {
        [a, b].allSatisfy { $0 == .paperback || $0 == .massMarket }
    }

    /// Whether an edition's publisher decides for it.
    enum Publisher { case agrees, unknown, differs }

    func compare(publisher theirs: String) -> Publisher {
        let theirs = PublisherName.folded(theirs)
        guard !publisher.isEmpty, !theirs.isEmpty else { return .unknown }
        return PublisherName.agree(publisher, theirs) ? .agrees : .differs
    }

    /// Whether an edition is the row's: two independent facts must agree, of which one is the year or the number
    /// of pages.
    func isCertain(_ sketch: EditionSketch, _ publisher: Publisher) -> Bool {
        let (sameYear, samePages) = (year != nil && year == sketch.year, pages != nil && sketch.pages != nil)
        return sameYear && samePages || publisher == .agrees && (samePages || sameYear)
    }
}
