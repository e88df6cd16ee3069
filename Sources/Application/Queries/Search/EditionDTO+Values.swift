import Books
import Bytes
import Contract
import Sources

extension EditionDTO {
    /// An edition of a provider's values.
    ///
    /// - Parameters:
    ///   - id: The public key.
    ///   - values: Values by field, without those of authors.
    init(id: String, _ values: [Field: [String]], from provider: Provider, quality: Int) {
        let format = values[.format]?.first.flatMap { EditionFormat(contractName: $0) }
        self.init(id: id, format: format ?? .paperback, isbndbQuality: quality)
        physicalFormat = format?.contractName
        isbn13s = values[.isbn13] ?? []
        isbn10s = values[.isbn10] ?? []
        title = values[.editionTitle]?.first
        publisher = values[.publisher]?.first
        publicationDate = values[.publicationDate]?.first.flatMap { PublicationDate($0)?.description }
        pageCount = values[.pageCount]?.first.flatMap { Int($0) }
        coverImageURL = values[.editionCover]?.first.map(CoverAddress.shown)
        editionDescription = values[.editionDescription]?.first
        language = values[.language]?.first
        openLibraryID = values[.editionKey]?.first
        goodreadsID = values[.editionGoodreadsID]?.first
        librarythingIDs = values[.editionLibraryThingID] ?? []
        amazonASINs = values[.amazonASIN] ?? []
        googleBooksVolumeIDs = values[.googleBooksVolumeID] ?? []
        isbndbID = values[.isbndbID]?.first
        primaryProvider = provider
        contributors = [provider]
    }

    /// A further edition with the ISBN of another one, such as a second volume of Google Books; nil if the record
    /// cannot be read or names no id.
    ///
    /// - Parameter record: The value of `Field.otherEdition`.
    init?(further record: UnsafeRawBufferPointer, from provider: Provider) {
        var values: [Field: [String]] = [:]
        let isValid = PackedRecord.forEachValue(record) { field, _, range in
            guard !field.isOfAuthor else { return }
            let text = String(decoding: UnsafeRawBufferPointer(rebasing: record[range]), as: UTF8.self)
            values[field, default: []].append(text)
        }
        guard isValid, let id = values[.googleBooksVolumeID]?.first else { return nil }
        var evidence = QualityScore.Evidence(hasAuthors: true, matchedByISBN: true, providers: 1)
        for field in values.keys { evidence.fields.insert(field) }
        self.init(
            id: Self.id(ofVolume: id, of: provider), values, from: provider,
            quality: Int(QualityScore.score(evidence)))
    }

    /// The public key of a further edition with the ISBN of another one. The ISBN is the key of the first.
    static func id(ofVolume volume: String, of provider: Provider) -> String {
        "\(provider.contractName):\(volume)"
    }
}
