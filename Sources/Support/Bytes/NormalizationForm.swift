import CICU

/// Normalization forms of Unicode, by ICU. The standard library does not offer them, and Foundation brings a copy of ICU
/// that adds 34 MB of data to a static binary (Decision 0023).
package enum NormalizationForm: Int32, Sendable {
    /// Letters and their marks are joined.
    case c = 0
    /// The same, and compatibility characters (`ﬁ`, `Ⅳ`, full-width letters) become ordinary ones.
    case kc = 1
    /// Compatibility characters become ordinary ones, and letters are followed by their marks.
    case kd = 2
    /// Letters are followed by their marks.
    case d = 3
}

extension String {
    /// The text in a normalization form; unchanged if ICU cannot load its data.
    package func normalized(_ form: NormalizationForm) -> String {
        let units = Array(utf16)
        guard let length = Int32(exactly: units.count) else { return self }
        // Text rarely grows by more than half; if it does, the second attempt has the exact size.
        var capacity = units.count + units.count / 2 + 16
        while true {
            var needed: Int32 = -1
            let out = [UInt16](unsafeUninitializedCapacity: capacity) { buffer, count in
                needed = etl_normalize(
                    form.rawValue, units, length, buffer.baseAddress, Int32(clamping: buffer.count))
                count = needed >= 0 && Int(needed) <= buffer.count ? Int(needed) : 0
            }
            guard needed >= 0 else { return self }
            if Int(needed) <= capacity { return String(decoding: out, as: UTF16.self) }
            capacity = Int(needed)
        }
    }
}
