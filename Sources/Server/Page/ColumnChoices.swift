import Books
import Formats
import Queries

/// The columns of an uploaded table, with what each is read as. The user chooses another field for a column.
struct ColumnChoices {
    /// The id of the form that the choices belong to.
    static let form = "choices"
    /// What the name of a choice begins with, before the number of the column.
    static let prefix = "column "

    /// The fields that people choose, in the order of the list.
    static let fields: [LibraryField] = [
        .title, .subtitle, .author, .additionalAuthors, .isbn13, .rating, .exclusiveShelf, .shelves,
        .dateRead,
        .dateStarted, .dateAdded, .review, .privateNotes, .readCount, .series, .seriesNumber, .publisher,
        .yearPublished,
        .originalYear, .binding, .pageCount, .language, .subjects, .ownedCopies, .location, .lentTo, .price,
        .condition, .barcode, .sourceID,
    ]

    var inspection: Inspection
    /// The names of the fields that were chosen, by the numbers of the columns.
    var chosen: [Int: String]
    /// Whether the user can choose: the columns of several files differ.
    var isOpen: Bool

    /// The mapping that choices mean: `title=#1,author=#3`.
    ///
    /// - Returns: Nil without choices. A sentence if two columns have the same field.
    static func mapping(_ chosen: [Int: String]) -> Result<String?, Refusal> {
        var columns: [String: Int] = [:]
        for (number, field) in chosen.sorted(by: { $0.key < $1.key }) {
            if let other = columns.updateValue(number, forKey: field) {
                return .failure(
                    Refusal(sentence: "Columns \(other) and \(number) are both chosen as \(words(field))."))
            }
        }
        let pairs = columns.map { "\($0.key)=#\($0.value)" }.sorted()
        return .success(pairs.isEmpty ? nil : pairs.joined(separator: ","))
    }

    /// Why choices cannot be used.
    struct Refusal: Error {
        var sentence: String
    }

    func write(_ html: inout HTML) {
        guard !inspection.columns.isEmpty else { return }
        html.tag("details", ["open": chosen.isEmpty ? nil : ""]) { html in
            html.tag("summary", isOpen ? "The columns, and what each means" : "The columns")
            guard isOpen else { return writeTable(&html) }
            html.tag("div", ["class": "columns"]) { html in
                for column in inspection.columns { write(column, &html) }
            }
            html.tag(
                "p", ["class": "hint"],
                "Choose what a column means, then read the file again with these options.")
        }
    }

    private func write(_ column: Inspection.Column, _ html: inout HTML) {
        let name = column.name.isEmpty ? "Column \(column.number)" : column.name
        let usual = (
            value: "", text: column.field.map { "\(Self.words("\($0)")), as recognized" } ?? "kept as it is"
        )
        let options = Self.fields.filter { $0 != column.field || chosen[column.number] != nil }
            .map { (value: "\($0)", text: Self.words("\($0)")) }
        FormInput.select(
            "\(Self.prefix)\(column.number)", name, [usual] + options, chosen: chosen[column.number] ?? "",
            id: "column-\(column.number)", form: Self.form, &html)
    }

    private func writeTable(_ html: inout HTML) {
        PageTable.write(["Column", "Name", "Is read as"], caption: nil, into: &html) { rows in
            for column in inspection.columns {
                rows.add([
                    "\(column.number)", column.name,
                    column.field.map { Self.words("\($0)") } ?? "kept as it is",
                ])
            }
        }
    }

    /// A field in words that people use.
    static func words(_ field: String) -> String {
        switch field {
        case "\(LibraryField.isbn13)", "\(LibraryField.isbn10)": "ISBN"
        case "\(LibraryField.exclusiveShelf)": "reading status"
        case "\(LibraryField.sourceID)": "the program’s own number"
        case "\(LibraryField.binding)": "format"
        case "\(LibraryField.yearPublished)": "year or date of the edition"
        case "\(LibraryField.originalYear)": "year of the first edition"
        default: PageText.words(of: field)
        }
    }
}
