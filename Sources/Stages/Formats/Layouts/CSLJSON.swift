import Books
import Syntax

/// The JSON of the Citation Style Language, which Zotero and Pandoc read.
enum CSLJSON {
    static let layout = ReferenceLayout(
        "csl-json", "CSL-JSON", fields: ReferenceLayout.commonFields, frame: ("[\n", ",\n", "\n]\n")
    ) { entry, key, losses in
        ReferenceLayout.noteRoles(
            of: entry, except: [.translator, .editor, .illustrator, .narrator], &losses)
        ReferenceLayout.noteSeries(of: entry, &losses)
        var json = JSONWriter()
        json.object { json in
            json.field("id", key)
            json.field("type", "book")
            add("title", entry[.title], to: &json)
            add("author", entry.authors, to: &json)
            for (key, role) in roles {
                add(key, entry.helpers.filter { $0.role == role }.map(\.name), to: &json)
            }
            addDate("issued", entry[.publishedDate], to: &json)
            addDate("original-date", entry[.firstPublicationYear], to: &json)
            add("publisher", entry[.publisher], to: &json)
            add("ISBN", entry[.isbn], to: &json)
            add("number-of-pages", entry[.pageCount], to: &json)
            add("language", entry[.language], to: &json)
            add("collection-title", entry.series.first?.name ?? "", to: &json)
            add("collection-number", entry.series.first?.number ?? "", to: &json)
            add("keyword", ReferenceLayout.keywords(of: entry, &losses).joined(separator: ", "), to: &json)
            add("annote", entry[.review], to: &json)
            add("note", entry[.notes], to: &json)
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private static let roles: [(key: StaticString, role: ContributorRole)] = [
        ("translator", .translator), ("editor", .editor), ("illustrator", .illustrator),
        ("narrator", .narrator),
    ]

    private static func add(_ key: StaticString, _ text: String, to json: inout JSONWriter) {
        if !text.isEmpty { json.field(key, text) }
    }

    private static func add(_ key: StaticString, _ names: [String], to json: inout JSONWriter) {
        guard !names.isEmpty else { return }
        json.key(key)
        json.array { json in
            for name in names {
                let (family, given) = LayoutText.familyFirst(name)
                json.object { json in
                    if given.isEmpty {
                        json.field("literal", family)
                    } else {
                        json.field("family", family)
                        json.field("given", given)
                    }
                }
            }
        }
    }

    /// A date as its parts: `{"date-parts":[[2019,3,5]]}`.
    private static func addDate(_ key: StaticString, _ date: String, to json: inout JSONWriter) {
        let isBefore = date.hasPrefix("-")
        let parts = date.drop { $0 == "-" }.split(separator: "-").compactMap { Int($0) }
        guard let year = parts.first else { return }
        json.key(key)
        json.object { json in
            json.key("date-parts")
            json.array { json in
                json.array { json in
                    for part in [isBefore ? -year : year] + parts.dropFirst() { json.integer(Int64(part)) }
                }
            }
        }
    }
}
