/// Codes of ONIX for what a product is and who made it (EDItEUR, code lists 7, 17 and 150).
enum ONIXForm {
    /// A product's form in words that a binding is known by; the code itself where it says nothing of a book.
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

    /// A contributor's role as a lower-case word.
    static func role(_ code: String) -> String {
        switch code {
        case "A01", "A02", "A03", "A09": "author"
        case "B06", "B08", "B10": "translator"
        case "A12", "A13", "A35": "illustrator"
        case "B01", "B02", "B11", "B12", "B13", "B16", "B21": "editor"
        case "E03", "E07": "narrator"
        default: "contributor"
        }
    }
}
