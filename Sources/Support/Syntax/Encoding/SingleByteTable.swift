import System

/// The characters of encodings with one byte per character.
enum SingleByteTable {
    /// Stands for a byte that is no character.
    static let undefined: UInt16 = 0xFFFD

    /// The UTF-16 units of the bytes 0x80…0xFF; nil for encodings in which a character can have several bytes.
    ///
    /// They are those of the WHATWG Encoding Standard: in the encodings of Windows, an undefined byte below 0xA0 is the
    /// control character with its number.
    static func units(_ encoding: TextEncoding) -> [UInt16]? {
        switch encoding {
        case .windows1252: return western
        case .macRoman: return macRoman
        case _ where !encoding.isSingleByte: return nil
        default: break
        }
        if let units = known.withLock({ $0[encoding] }) { return units }
        let units = converted(encoding)
        known.withLock { $0[encoding] = units }
        return units
    }

    private static let known = Guarded<[TextEncoding: [UInt16]]>([:])

    private static func converted(_ encoding: TextEncoding) -> [UInt16] {
        let converter = CharacterConverter(encoding)
        return (UInt8(0x80)...0xFF).map { byte in
            if let scalar = converter?.character(in: [byte]).scalar, scalar.value >= 0x80,
                let unit = UInt16(exactly: scalar.value)
            {
                return unit
            }
            return byte < 0xA0 && converter != nil ? UInt16(byte) : undefined
        }
    }

    // Two tables stand here, 32 characters in a line: windows-1252 is needed where the C library has no other encodings,
    // and its Mac OS Roman is the one before the euro.

    private static let western = Array(
        """
        €\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ\
        \u{A0}¡¢£¤¥¦§¨©ª«¬\u{AD}®¯°±²³´µ¶·¸¹º»¼½¾¿\
        ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞß\
        àáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ
        """.utf16)

    private static let macRoman = Array(
        """
        ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü\
        †°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø\
        ¿¡¬√ƒ≈∆«»…\u{A0}ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ\
        ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\u{F8FF}ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ
        """.utf16)
}
