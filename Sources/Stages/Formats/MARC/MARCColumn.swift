import Books
import Bytes

/// The columns for a book in MARC; MARC files have no columns of their own.
enum MARCColumn: Int, FormatColumn {
    case controlNumber, title, ownTitle, people, roles, isbn13, isbn10, publisher, year, originalYear
    case pages, binding, language, series, seriesNumber, subjects
    case material, edition, summary, libraryOfCongressNumber, oclcNumber, dewey, libraryOfCongressClass

    var name: String {
        switch self {
        case .controlNumber: "Control Number"
        case .title: "Title"
        case .ownTitle: "Title in Its Own Script"
        case .people: "People"
        case .roles: "Roles"
        case .isbn13: "ISBN-13"
        case .isbn10: "ISBN-10"
        case .publisher: "Publisher"
        case .year: "Year"
        case .originalYear: "Original Year"
        case .pages: "Pages"
        case .binding: "Binding"
        case .language: "Language"
        case .series: "Series"
        case .seriesNumber: "Series Number"
        case .subjects: "Subjects"
        case .material: "Material"
        case .edition: "Edition"
        case .summary: "Summary"
        case .libraryOfCongressNumber: "LCCN"
        case .oclcNumber: "OCLC Number"
        case .dewey: "Dewey"
        case .libraryOfCongressClass: "LC Classification"
        }
    }

    var field: LibraryField? {
        switch self {
        case .controlNumber: .sourceID
        case .title: .title
        case .people: .author
        case .isbn13: .isbn13
        case .isbn10: .isbn10
        case .publisher: .publisher
        case .year: .yearPublished
        case .originalYear: .originalYear
        case .pages: .pageCount
        case .binding: .binding
        case .language: .language
        case .series: .series
        case .seriesNumber: .seriesNumber
        case .subjects: .subjects
        case .libraryOfCongressNumber: .lccn
        case .oclcNumber: .oclcNumber
        default: nil
        }
    }
}

/// Interpretation of MARC records in any syntax.
extension LibraryRows {
    /// Fills a row whose cells are those of ``MARCColumn``.
    mutating func readMARC(_ row: inout LibraryRow) {
        let material = cell(named: [MARCColumn.material.name], of: row)
        if !material.isEmpty, ["film", "music recording", "object"].contains(arena[material]) {
            row.refusal = .notABook
        }
        row.title = arena.collapsingBlanks(cell(.title, of: row))
        readSeriesColumn(of: &row)
        readPeople(of: &row, names: MARCColumn.people.rawValue, roles: MARCColumn.roles.rawValue)
        readFormat(of: &row)
    }
}
