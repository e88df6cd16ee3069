import Bytes

/// Languages by any of their codes or by their English names.
enum LanguageNames {
    /// The two-letter code of the first language a cell names: `eng`, `French`, `French, English`; nil for none that
    /// is known.
    static func code(_ bytes: UnsafeRawBufferPointer) -> String? {
        let trimmed = bytes.trimmedBlanks
        let first = bytes[trimmed].prefix {
            $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "|")
        }
        guard (2...32).contains(first.count) else { return nil }
        let name = String(decoding: first, as: UTF8.self)
        return Languages.twoLetters(name) ?? codes[name.lowercased()]
    }

    private static let codes: [String: String] = [
        "afrikaans": "af", "albanian": "sq", "arabic": "ar", "armenian": "hy", "basque": "eu",
        "belarusian": "be",
        "bengali": "bn", "bosnian": "bs", "bulgarian": "bg", "catalan": "ca", "chinese": "zh",
        "croatian": "hr",
        "czech": "cs", "danish": "da", "dutch": "nl", "english": "en", "esperanto": "eo", "estonian": "et",
        "finnish": "fi", "french": "fr", "galician": "gl", "georgian": "ka", "german": "de", "greek": "el",
        "hebrew": "he", "hindi": "hi", "hungarian": "hu", "icelandic": "is", "indonesian": "id",
        "irish": "ga",
        "italian": "it", "japanese": "ja", "korean": "ko", "latin": "la", "latvian": "lv", "lithuanian": "lt",
        "macedonian": "mk", "malay": "ms", "norwegian": "no", "persian": "fa", "polish": "pl",
        "portuguese": "pt",
        "romanian": "ro", "russian": "ru", "serbian": "sr", "slovak": "sk", "slovenian": "sl",
        "spanish": "es",
        "swahili": "sw", "swedish": "sv", "tamil": "ta", "thai": "th", "turkish": "tr", "ukrainian": "uk",
        "urdu": "ur", "vietnamese": "vi", "welsh": "cy", "yiddish": "yi",
    ]
}
