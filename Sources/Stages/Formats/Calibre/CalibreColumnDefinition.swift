import Syntax

/// The definition of a custom column in a calibre library that `etl` writes.
struct CalibreColumnDefinition {
    enum Kind {
        case text, textList, longText, integer, date
    }

    /// Its name in searches and files, without the number sign.
    let label: String
    /// Its heading.
    let name: String
    let kind: Kind

    static let status = Self(label: "status", name: "Status", kind: .text)
    static let dateRead = Self(label: "date_read", name: "Date read", kind: .date)
    static let dateStarted = Self(label: "date_started", name: "Date started", kind: .date)
    static let readCount = Self(label: "read_count", name: "Times read", kind: .integer)
    static let ownedCopies = Self(label: "owned_copies", name: "Owned copies", kind: .integer)
    static let purchaseDate = Self(label: "purchase_date", name: "Purchase date", kind: .date)
    static let location = Self(label: "location", name: "Location", kind: .text)
    static let lentTo = Self(label: "lent_to", name: "Lent to", kind: .text)
    static let price = Self(label: "price", name: "Price", kind: .text)
    static let condition = Self(label: "condition", name: "Condition", kind: .text)
    static let barcode = Self(label: "barcode", name: "Barcode", kind: .text)
    static let pages = Self(label: "pages", name: "Pages", kind: .integer)
    static let originalYear = Self(label: "original_year", name: "Original year", kind: .integer)
    static let originalLanguage = Self(label: "original_language", name: "Original language", kind: .text)
    static let review = Self(label: "review", name: "Review", kind: .longText)
    static let notes = Self(label: "private_notes", name: "Private notes", kind: .longText)
    static let genres = Self(label: "genres", name: "Genres", kind: .textList)

    /// All columns that `etl` fills.
    static let all = [
        status, dateRead, dateStarted, readCount, ownedCopies, purchaseDate, location, lentTo, price,
        condition, barcode, pages, originalYear,
        originalLanguage, review,
        notes, genres,
    ]

    /// The label in the name of a column, `#label`; nil if calibre would not accept it.
    static func label(of column: String) -> String? {
        guard column.hasPrefix("#") else { return nil }
        let label = column.dropFirst().lowercased()
        let isAccepted = label.utf8.allSatisfy {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "_")
        }
        guard isAccepted, label.first?.isLetter == true else { return nil }
        return label
    }

    /// The column's definition with the values of a book, as calibre backs it up; nil if there are no values.
    func definition(with values: [String]) -> String? {
        guard let first = values.first else { return nil }
        var json = JSONWriter()
        json.object { json in
            json.field("label", label)
            json.field("name", name)
            json.field("datatype", dataType)
            json.key("is_multiple2")
            json.object { json in
                guard kind == .textList else { return }
                json.field("cache_to_list", "|")
                json.field("ui_to_list", ",")
                json.field("list_to_ui", ", ")
            }
            json.field("is_editable", true)
            json.key("display")
            json.object { json in if kind == .longText { json.field("interpret_as", "long-text") } }
            json.key("#value#")
            write(values, first, to: &json)
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private var dataType: String {
        switch kind {
        case .text, .textList: "text"
        case .longText: "comments"
        case .integer: "int"
        case .date: "datetime"
        }
    }

    private func write(_ values: [String], _ first: String, to json: inout JSONWriter) {
        switch kind {
        case .text, .longText: json.string(first)
        case .textList: json.array { json in for value in values { json.string(value) } }
        case .integer: json.integer(Int64(first) ?? 0)
        case .date:
            json.object { json in
                json.field("__class__", "datetime.datetime")
                json.field("__value__", first)
            }
        }
    }
}
