import Contract
import Testing

/// Schemas that follow from the records' field tables.
@Suite struct ContractRecordTests {
    private func fields(_ schema: Schema) -> [Schema.Field] {
        if case .object(let fields) = schema { fields } else { [] }
    }

    @Test func `a schema has the fields that its record writes, and requires those that are never left out`()
        throws
    {
        for (shape, full, bare) in [
            (WorkDTO.shape, Written(Sample.fullWork), Written(Sample.bareWork)),
            (EditionDTO.shape, Written(Sample.fullEdition), Written(Sample.bareEdition)),
            (AuthorDTO.shape, Written(Sample.fullAuthor), Written(AuthorDTO(name: "x"))),
            (BookDTO.shape, Written(Sample.fullBook), Written(BookDTO(title: "x"))),
        ] {
            #expect(try full.keys() == fields(shape).map(\.name).sorted())
            #expect(try bare.keys() == fields(shape).filter(\.isRequired).map(\.name).sorted())
        }
    }

    @Test func `a field is described by the type of its value`() {
        let fields = Dictionary(uniqueKeysWithValues: fields(WorkDTO.shape).map { ($0.name, $0.schema) })
        #expect(fields["title"] == .string && fields["isbndbQuality"] == .integer)
        #expect(fields["subjects"] == .strings && fields["synthetic"] == .boolean)
        #expect(fields["reviewStatus"] == .names(["verified", "needsReview", "userEdited"]))
        #expect(fields["lastISBNDBSync"] == .formatted("date-time"))
        #expect(
            EnrichedBook.shape
                == .object([
                    .optional("work", .reference("Work")), .optional("edition", .reference("Edition")),
                    .required("authors", .array(.reference("Author"))),
                ]))
    }
}
