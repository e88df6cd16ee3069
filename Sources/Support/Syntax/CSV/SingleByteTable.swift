/// The characters of encodings with one byte per character.
enum SingleByteTable {
    /// The UTF-16 units of the bytes 0x80…0xFF; nil for encodings in which a character can have several bytes.
    ///
    /// They are those of the WHATWG Encoding Standard: an undefined byte is the control character with its number.
    static func units(_ encoding: TextEncoding) -> [UInt16]? {
        switch encoding {
        case .utf8, .utf16LittleEndian, .utf16BigEndian: nil
        case .windows1250: centralEuropean
        case .windows1251: cyrillic
        case .windows1252: western
        case .macRoman: macRoman
        }
    }

    // The four tables have 128 characters each, 32 in a line.

    private static let centralEuropean = Array(
        """
        €\u{81}‚\u{83}„…†‡\u{88}‰Š‹ŚŤŽŹ\u{90}‘’“”•–—\u{98}™š›śťžź\
        \u{A0}ˇ˘Ł¤Ą¦§¨©Ş«¬\u{AD}®Ż°±˛ł´µ¶·¸ąş»Ľ˝ľż\
        ŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢß\
        ŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙
        """.utf16)

    private static let cyrillic = Array(
        """
        ЂЃ‚ѓ„…†‡€‰Љ‹ЊЌЋЏђ‘’“”•–—\u{98}™љ›њќћџ\
        \u{A0}ЎўЈ¤Ґ¦§Ё©Є«¬\u{AD}®Ї°±Ііґµ¶·ё№є»јЅѕї\
        АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ\
        абвгдежзийклмнопрстуфхцчшщъыьэюя
        """.utf16)

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
