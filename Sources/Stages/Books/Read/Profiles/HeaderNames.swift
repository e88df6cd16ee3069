/// The column names of a file, as it spells them and as they are compared.
package struct HeaderNames: Sendable, Hashable {
    /// Names as the file spells them, without blanks at either end or a byte order mark.
    package let names: [String]
    /// Names as they are compared: see ``key(_:)``.
    package let keys: [String]

    /// Takes the cells of a header, in their order.
    package init(_ cells: [String]) {
        names = cells.map { Self.cleaned($0) }
        keys = names.map { Self.key($0) }
    }

    package var count: Int { names.count }

    /// The first column of one of the names, which are tried in their order.
    package func column(_ candidates: [String]) -> Int? {
        for candidate in candidates {
            if let column = keys.firstIndex(of: candidate) { return column }
        }
        return nil
    }

    /// How a name is compared: lower-case, without quotes around it (LibraryThing writes `'TITLE'`), with
    /// `_`, `-` and runs of blanks as one space: `Author l-f` is `author l f`.
    package static func key(_ name: String) -> String {
        var bare = Substring(cleaned(name))
        while let first = bare.first, bare.count > 1, first == bare.last, first == "'" || first == "\"" {
            bare = bare.dropFirst().dropLast()
        }
        return bare.lowercased().split { $0.isWhitespace || $0 == "_" || $0 == "-" }.joined(separator: " ")
    }

    private static func cleaned(_ name: String) -> String {
        var bare = Substring(name)
        while let first = bare.unicodeScalars.first, first == "\u{FEFF}" || first.properties.isWhitespace {
            bare.unicodeScalars.removeFirst()
        }
        while let last = bare.unicodeScalars.last, last.properties.isWhitespace {
            bare.unicodeScalars.removeLast()
        }
        return String(bare)
    }

    /// Names of columns that nobody named: `Column 1`.
    package static func numbered(_ count: Int) -> [String] { (0..<count).map { "Column \($0 + 1)" } }
}
