import Bytes

/// Subjects that are not genres: lending flags, lists, class marks. The table is `genre_noise.tsv`.
package struct NonGenreSubjects: Sendable {
    /// The built-in table.
    static let standard = NonGenreSubjects(PackageResources.genre_noise_tsv)

    private let exact: GenreKeys
    private let divisions: GenreKeys
    private let forms: GenreKeys
    private let qualifiers: GenreKeys
    private let prefixes: [[UInt8]]
    private let strips: [[UInt8]]

    /// - Parameter text: Lines of `kind<TAB>pattern; pattern; …`, with the kinds `exact`, `prefix`, `strip`,
    ///   `form`, `division`, `qualifier`, `shape`. Shapes are implemented in this type; the table lists them only for completeness.
    init(_ text: [UInt8]) {
        var exact = GenreKeys(expected: text.count / 12)
        var divisions = GenreKeys(expected: 16)
        var forms = GenreKeys(expected: 16)
        var qualifiers = GenreKeys(expected: 16)
        var prefixes: [[UInt8]] = []
        var strips: [[UInt8]] = []
        var key: [UInt8] = []
        text.withUnsafeBytes { text in
            for line in TableLines(text) {
                let kind = line.field(0)
                for pattern in line.items(1) {
                    key.removeAll(keepingCapacity: true)
                    if "exact" == kind { exact.insert(pattern, as: 0) }
                    if "division" == kind { divisions.insert(pattern, as: 0) }
                    if "form" == kind { forms.insert(pattern, as: 0) }
                    if "qualifier" == kind { qualifiers.insert(pattern, as: 0) }
                    GenreKey.append(pattern, to: &key)
                    if "prefix" == kind { prefixes.append(key) }
                    if "strip" == kind { strips.append(key) }
                }
            }
        }
        self.exact = exact
        self.divisions = divisions
        self.forms = forms
        self.qualifiers = qualifiers
        self.prefixes = prefixes
        self.strips = strips
    }

    /// Whether a text is noise: by its key, or by its form in the provider's spelling.
    func isNoise(_ text: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer) -> Bool {
        exact.value(of: key) != nil || hasNoisePrefix(key) || isNumber(text) || isClassMark(text)
            || isBISACCode(key) || "in fiction" == key || key.ends(with: " in fiction")
            || endsInLifeYears(text)
    }

    /// Whether a key divides a field without naming a genre: what `History` does in `Art / History`.
    func isDivision(_ key: UnsafeRawBufferPointer) -> Bool { divisions.value(of: key) != nil }

    /// Whether a key says what kind of book about a field it is, and not which field: what `Dictionaries` does in
    /// `Computers -- Dictionaries`.
    func isForm(_ key: UnsafeRawBufferPointer) -> Bool { forms.value(of: key) != nil }

    /// Whether a key, in brackets after a genre, only says that it is one: `Romance (Literary genre)`.
    func isQualifier(_ key: UnsafeRawBufferPointer) -> Bool { qualifiers.value(of: key) != nil }

    /// Whether a key starts like a tag of a list: `nyt:`, `award:`.
    func hasNoisePrefix(_ key: UnsafeRawBufferPointer) -> Bool {
        prefixes.contains { key.starts(with: $0) }
    }

    /// Length in bytes of a leading namespace that is removed while its value is kept, such as `genre:`; 0 if
    /// there is none.
    func strippedPrefixLength(_ text: UnsafeRawBufferPointer) -> Int {
        guard text.prefix(16).contains(UInt8(ascii: ":")) else { return 0 }
        for strip in strips where text.count > strip.count {
            if zip(text, strip).allSatisfy({ byte, wanted in
                byte == wanted || byte | 0x20 == wanted && wanted >= UInt8(ascii: "a")
            }) {
                return strip.count
            }
        }
        return 0
    }

    /// Dewey numbers: `823`, `823/.8`.
    private func isNumber(_ text: UnsafeRawBufferPointer) -> Bool {
        !text.isEmpty && text.allSatisfy { $0 >= UInt8(ascii: ".") && $0 <= UInt8(ascii: "9") }
    }

    /// Library of Congress class marks: `PQ2678`, `PR4172 .W7 2009c`. Letters without digits are not class
    /// marks.
    private func isClassMark(_ text: UnsafeRawBufferPointer) -> Bool {
        let letters = text.prefix { $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") }.count
        let digits = text.dropFirst(letters).prefix(while: \.isDigit).count
        guard (1...3).contains(letters), (1...4).contains(digits) else { return false }
        // After the number comes a cutter: a full stop, with or without a blank before it.
        let rest = text.dropFirst(letters + digits).drop { $0 == 0x20 }
        return rest.isEmpty || rest.first == UInt8(ascii: ".")
    }

    /// BISAC codes: `FIC028000`.
    private func isBISACCode(_ key: UnsafeRawBufferPointer) -> Bool {
        key.count == 9 && key.prefix(3).allSatisfy { $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z") }
            && key.suffix(6).allSatisfy(\.isDigit)
    }

    /// Names of persons with years of birth and death: `Twain, Mark, 1835-1910`, `King, Stephen, 1947-`.
    private func endsInLifeYears(_ text: UnsafeRawBufferPointer) -> Bool {
        var end = text.count
        if let death = Self.yearStart(before: end, of: text) { end = death }
        if end > 0, text[end - 1] == UInt8(ascii: "-") {
            end -= 1
        } else if end > 2, text[end - 3] == 0xE2, text[end - 2] == 0x80, text[end - 1] == 0x93 {
            end -= 3  // an en dash
        } else {
            return false
        }
        return Self.yearStart(before: end, of: text) != nil
    }

    /// Start of a four-digit year from 1800 to 2099 that ends at `end`.
    private static func yearStart(before end: Int, of text: UnsafeRawBufferPointer) -> Int? {
        guard end >= 4, text[(end - 4)..<end].allSatisfy(\.isDigit) else { return nil }
        let century = (text[end - 4] - UInt8(ascii: "0")) * 10 + (text[end - 3] - UInt8(ascii: "0"))
        return (18...20).contains(century) ? end - 4 : nil
    }
}
