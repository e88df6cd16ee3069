import Bytes

/// ONIX codes for product forms and contributor roles (EDItEUR, code lists 7, 17 and 150).
enum ONIXForm {
    /// The binding for a product form code; the code itself if it is unknown.
    static func words(_ code: String) -> String {
        switch code {
        case "BB", "BG", "BH": return "Hardcover"
        case "BC", "BE", "BF": return "Paperback"
        case "DG": return "E-book"
        default: break
        }
        return switch code.first {
        case "A": "Audiobook"
        case "E": "E-book"
        case "F", "V": "Video"
        case "Z", "X": "Merchandise"
        default: code
        }
    }

    /// A contributor's role as a lower-case word: of several roles the author's, otherwise the first that is known.
    /// Writers of forewords, notes and the like count as editors.
    static func role(_ codes: [String]) -> String {
        let known = codes.compactMap { roles[$0] }
        return known.contains("author") ? "author" : known.first ?? "contributor"
    }

    private static let roles: [String: String] = {
        let codes = [
            "author": "A01 A02 A03 A04 A05 A09 A14 A26 A31 A38 A43 A45 B07",
            "translator": "B06 B08 B10",
            "illustrator": "A07 A08 A12 A13 A35 A36 A39 A40 A41 A46 A47 A48",
            "editor": """
            A15 A16 A17 A18 A19 A20 A21 A22 A23 A24 A25 A27 A29 A33 A34 A37 A44 A51 B01 B02 B03 B04 B05 B09 B11 B12 B13 \
            B14 B15 B16 B17 B18 B19 B20 B21 B22 B23 B24 B25 B26 B27 B28 B29 B30 B31 C01 C02 C03 C04 C99
            """,
            "narrator": "E03 E07 E08",
        ]
        var roles: [String: String] = [:]
        for (role, list) in codes { for code in list.split(separator: " ") { roles[String(code)] = role } }
        return roles
    }()
}
