import Books
import Bytes
import Syntax

/// The ISBNs of a record (field 020): those of the first edition that has a valid one, with its binding.
///
/// A record often lists the numbers of the hardcover, the paperback and the e-book, each with ten and
/// thirteen digits. They are different books. The first one is used, together with the other form of the same
/// number.
struct MARCISBN {
    private(set) var thirteen = Text.none
    private(set) var ten = Text.none
    /// `pbk.`, from `0747532699 (pbk.)` or from a separate subfield; the first one if there are several.
    private(set) var binding = Text.none

    init(of record: MARCRecord, in arena: inout Arena) {
        var first: ISBN?
        var fallback: (number: Text, binding: Text)?
        for field in record.fields(020) {
            let value = record.first(UInt8(ascii: "a"), of: field)
            guard !value.isEmpty else { continue }
            let (number, note) = Self.parts(value, in: &arena)
            let own = record.first(UInt8(ascii: "q"), of: field)
            let qualifier = Self.binding(own.isEmpty ? note : own, in: &arena)
            guard let isbn = arena.withBytes(number, { ISBN(normalized: $0) }) else {
                if fallback == nil, !number.isEmpty { fallback = (number, qualifier) }
                continue
            }
            guard first == nil || first == isbn else { continue }
            first = isbn
            if number.length == 13 {
                if thirteen.isEmpty { thirteen = number }
            } else if ten.isEmpty {
                ten = number
            }
            if binding.isEmpty { binding = qualifier }
        }
        // Keep an invalid number, so that validation can report it.
        if first == nil, let fallback {
            thirteen = fallback.number
            binding = fallback.binding
        }
    }

    /// A number without its hyphens, and the words in brackets after it: `0-7475-3269-9 (pbk.) :`.
    private static func parts(_ value: Text, in arena: inout Arena) -> (number: Text, note: Text) {
        let collapsed = arena.collapsingBlanks(value)
        let (digits, note) = arena.withBytes(collapsed) { bytes -> ([UInt8], Range<Int>) in
            let number = bytes.prefix { $0.isDigit || $0 | 0x20 == UInt8(ascii: "x") || $0 == 0x2D }
            let digits = number.filter { $0 != 0x2D }
            guard let open = bytes.firstIndex(of: UInt8(ascii: "(")) else { return (digits, 0..<0) }
            let close = bytes[open...].firstIndex(of: UInt8(ascii: ")")) ?? bytes.count
            return (digits, open + 1..<close)
        }
        return (arena.append(digits), collapsed.part(note))
    }

    /// The part of a qualifier that names a binding: `pbk.` from `v. 1 : pbk. : alk. paper`, nothing from
    /// `alk. paper`.
    private static func binding(_ qualifier: Text, in arena: inout Arena) -> Text {
        let parts = arena.withBytes(qualifier) { bytes in
            bytes.split(whereSeparator: {
                $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ",")
            })
            .map { bytes.trimmedBlanks(in: $0.startIndex..<$0.endIndex) }
        }
        for part in parts {
            let text = qualifier.part(part)
            let isPaper = ["alk", "acid", "perm"].contains { arena[text].lowercased().hasPrefix($0) }
            if !isPaper, arena.withBytes(text, { EditionFormat(binding: $0) }) != nil { return text }
        }
        return .none
    }
}
