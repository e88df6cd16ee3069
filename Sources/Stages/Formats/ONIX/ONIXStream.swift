import Books
package import Bytes
package import Syntax
package import System

/// The products of an ONIX message.
package struct ONIXStream: SingleRecordStream, ~Copyable {
    private var records: XMLRecordReader
    private var product = ONIXProduct()

    /// - Parameter blockBytes: Number of bytes to examine at a time.
    package init(
        _ source: some ByteSource, prolog: XMLProlog, limits: RecordLimits, from start: Position,
        blockBytes: Int? = nil
    ) {
        records = XMLRecordReader(
            source, prolog: prolog, names: ["Product", "product"], limits: limits, from: start,
            blockBytes: blockBytes)
    }

    package var position: Position { records.position }

    /// Number of input bytes held in memory.
    package var heldBytes: Int { records.heldBytes }

    package mutating func next(arena: inout Arena, cells: inout [Text]) throws(ETLError) -> Record? {
        guard var found = try records.next(arena: &arena) else { return nil }
        guard found.flags.isDisjoint(with: .withoutCells) else { return found }
        let document = records.document
        do throws(XMLFault) {
            found.cells = try document.lend { (bytes) throws(XMLFault) in
                try product.decode(bytes, in: &arena, to: &cells)
            }
        } catch {
            found.flags.insert(.unreadable)
        }
        return found
    }
}

/// The columns of an ONIX product.
enum ONIXColumn: Int, FormatColumn {
    case recordReference, title, people, roles, isbn13, isbn10, publisher, imprint, date, pages, binding,
        language
    case series, seriesNumber, subjects, edition, description, otherIdentifiers, originalTitle, keywords
    case originalLanguage, firstDate, notification

    var name: String {
        switch self {
        case .recordReference: "RecordReference"
        case .title: "Title"
        case .people: "Contributors"
        case .roles: "ContributorRoles"
        case .isbn13: "ISBN-13"
        case .isbn10: "ISBN-10"
        case .publisher: "PublisherName"
        case .imprint: "ImprintName"
        case .date: "PublishingDate"
        case .pages: "NumberOfPages"
        case .binding: "ProductForm"
        case .language: "LanguageCode"
        case .series: "Series"
        case .seriesNumber: "NumberWithinSeries"
        case .subjects: "Subjects"
        case .edition: "EditionStatement"
        case .description: "Description"
        case .otherIdentifiers: "OtherIdentifiers"
        case .originalTitle: "OriginalTitle"
        case .keywords: "Keywords"
        case .originalLanguage: "OriginalLanguageCode"
        case .firstDate: "FirstPublishingDate"
        case .notification: "NotificationType"
        }
    }

    var field: LibraryField? {
        switch self {
        case .recordReference: .sourceID
        case .title: .title
        case .people: .author
        case .isbn13: .isbn13
        case .isbn10: .isbn10
        case .publisher: .publisher
        case .date: .yearPublished
        case .pages: .pageCount
        case .binding: .binding
        case .language: .language
        case .series: .series
        case .seriesNumber: .seriesNumber
        case .subjects: .subjects
        case .originalLanguage: .originalLanguage
        case .firstDate: .originalYear
        default: nil
        }
    }
}
