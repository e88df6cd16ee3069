/// Which characters count as blank at the ends of a text.
package enum BlankCharacters: Sendable {
    /// Spaces of Unicode (general category Zs) and the tab.
    case spaces
    /// The same and line ends.
    case spacesAndNewlines

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09: true
        case 0x0A...0x0D, 0x85, 0x2028, 0x2029: self == .spacesAndNewlines
        case 0x20...0x7E: scalar.value == 0x20
        default: scalar.properties.generalCategory == .spaceSeparator
        }
    }
}

extension StringProtocol {
    /// The text without blanks at its ends.
    package func trimming(_ blanks: BlankCharacters) -> String {
        let scalars = unicodeScalars
        guard let first = scalars.firstIndex(where: { !blanks.contains($0) }),
            let last = scalars.lastIndex(where: { !blanks.contains($0) })
        else { return "" }
        return String(String.UnicodeScalarView(scalars[first...last]))
    }
}
