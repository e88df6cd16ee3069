/// What a product of ONIX says of a book, as columns.
enum ONIXColumn: Int, FormatColumn {
    case recordReference, title, people, roles, isbn13, isbn10, publisher, imprint, date, pages, binding,
        language
    case series, seriesNumber, subjects, edition, description, otherIdentifiers

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
        default: nil
        }
    }
}
