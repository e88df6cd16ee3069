#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// What an encoding is used for: the languages, and how likely it is before a file is read.
struct EncodingLanguages: Sendable {
    let encoding: TextEncoding
    let languages: [Language]
    /// Natural logarithm of the likelihood before a file is read.
    let prior: Double

    /// The letters of a language beyond ASCII.
    struct Language: Sendable {
        /// The logarithms of their frequencies among each other.
        private let letters: [UInt32: Double]
        private let script: Script

        /// - Parameter letters: Small letters, the most frequent first. The last one is 1/40 as frequent as the first.
        init(_ letters: String) {
            let scalars = Array(letters.unicodeScalars)
            let ratio = pow(40, -1 / Double(max(1, scalars.count - 1)))
            let sum = scalars.indices.reduce(0) { $0 + pow(ratio, Double($1)) }
            self.letters = Dictionary(
                scalars.enumerated().map { ($1.value, log(0.97 * pow(ratio, Double($0)) / sum)) },
                uniquingKeysWith: { first, _ in first })
            script = scalars.first.map(Script.init) ?? .latin
        }

        func likelihood(of scalar: Unicode.Scalar) -> Double {
            let lower = scalar.properties.lowercaseMapping.unicodeScalars.first ?? scalar
            if let known = letters[lower.value] { return known }
            if EncodingLanguages.quotes.contains(scalar) { return log(0.01) }
            if EncodingLanguages.signs.contains(scalar) { return log(0.002) }
            if scalar.value < 0xA0 { return log(1e-7) }
            guard scalar.properties.isAlphabetic else { return log(1e-5) }
            return Script(scalar) == script ? log(3e-4) : log(1e-6)
        }
    }

    // Natural logarithms of how much rarer something is than elsewhere.
    static let ascii = log(0.05)
    static let invalid = log(1e-8)
    static let signInWord = log(0.01)
    static let mixedWord = log(0.003)
    static let adjacentAccents = log(0.1)
    static let rareCase = log(0.005)
    static let capital = log(0.3)
    static let smallInitial = log(0.5)

    static let quotes = Set("’“”–—…«»„‘‚\u{A0}·".unicodeScalars)
    static let signs = Set("€£©®™°§´º½¿¡†•²³№×‹›".unicodeScalars)
    /// Signs that stand between letters.
    static let joiners = Set("’‘´·–—\u{AD}".unicodeScalars)

    /// The encodings that are guessed. Of those that read a file in the same way the first is named.
    static let all: [EncodingLanguages] = [
        .init(.windows1252, western, 0), .init(.windows1250, central, -1), .init(.windows1251, cyrillic, -1),
        .init(.windows1253, [greek], -1.5), .init(.windows1254, turkish, -2),
        .init(.windows1255, [hebrew], -2),
        .init(.windows1256, arabic, -2), .init(.windows1257, baltic, -2), .init(.shiftJIS, [], -1.5),
        .init(.gb18030, [], -1.5), .init(.big5, [], -2), .init(.eucKR, [], -1.5), .init(.eucJP, [], -3),
        .init(.latin2, central, -4), .init(.latin9, western, -4), .init(.isoCyrillic, cyrillic, -5),
        .init(.isoGreek, [greek], -3), .init(.latin5, turkish, -4), .init(.koi8R, cyrillic, -3),
        .init(.macRoman, western, -3), .init(.windows874, [thai], -2), .init(.isoArabic, arabic, -4),
        .init(.dosWestern, western, -5), .init(.dosCyrillic, cyrillic, -5),
    ]

    private init(_ encoding: TextEncoding, _ languages: [Language], _ prior: Double) {
        (self.encoding, self.languages, self.prior) = (encoding, languages, prior)
    }

    // French, German, Spanish, Portuguese, Italian, Swedish and Finnish, Danish and Norwegian, Icelandic, Catalan, Dutch.
    private static let western = [
        "éèàêçâîôûùïëœüÿ", "üäößé", "íóáéñúü", "ãçéáíóêõúâàôü", "èàòùìé", "äöåéü", "øåæéöü", "áíðéóöþæúý",
        "àéèóíçòïúü",
        "ëéïöüèê",
    ].map(Language.init)
    // Czech, Slovak, Polish, Hungarian, Romanian, Croatian and Slovenian, German.
    private static let central = [
        "íáéěřčžýšůúťňóďö", "áíéýčšžúľťôňäďóĺŕ", "łąężóśćńź", "áéöóőíüúű", "ăîâşţșț", "čšžćđ", "üäöß",
    ].map(Language.init)
    private static let turkish = ["ıüşğçöİâî"].map(Language.init)
    // Estonian, Latvian, Lithuanian.
    private static let baltic = ["äõüöšž", "āīēšūņļžķģč", "ėšžųūąįčę"].map(Language.init)
    // Russian, Ukrainian, Bulgarian, Serbian.
    private static let cyrillic = [
        "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё", "оаниівртесклудмпязьбгйчхцїжшєюфщґ",
        "аиоетнсрвлкдпмзъгбучящжцхшйюфь",
        "аиоенсртквдјпмлузгбчцшхњжљћфђџ",
    ].map(Language.init)
    private static let greek = Language("αοιετσνηυρπκμςλωάδγίόέθχφήύώβξζψϊϋ")
    private static let hebrew = Language("יוהלארתבשממנחדעקפגטכסןזצךףץםװױײ")
    private static let arabic = [
        "اليمونرتبةعدسفهكقأحجشطصخإىضذثزغءئظؤآ", "اینردتمهوبسشلکگزفعپقخحجچطصغثضذظژءئآ",
    ].map(
        Language.init)
    private static let thai = Language("านรกเองมยวลดทสตปบะหแคจพขชไใโ่้ีัิุืู์ผศธภณถซฉึำษฝญฟฐฎฏฒฬฮฤฆฌ็๊๋")

    /// Natural logarithm of the likelihood of a character of several bytes.
    ///
    /// The standards have the usual characters in their first rows, and the rare ones behind.
    static func likelihood(of scalar: Unicode.Scalar, lead: UInt8, in encoding: TextEncoding) -> Double {
        let isJapanese = encoding == .shiftJIS || encoding == .eucJP
        let frequency: Double
        switch Script(scalar) {
        case .kana:
            let isHalf = scalar.value >= 0xFF00
            frequency = isHalf ? 1e-5 : isJapanese ? (scalar.value < 0x30A0 ? 0.004 : 0.002) : 1e-5
        case .hangul:
            let isUsual = (0xB0...0xC8).contains(lead)
            frequency = encoding != .eucKR ? 1e-7 : korean.contains(scalar) ? 0.005 : isUsual ? 2.5e-4 : 5e-6
        case .han:
            let isUsual =
                switch encoding {
                case .gb18030: (0xB0...0xD7).contains(lead)
                case .big5: (0xA4...0xC6).contains(lead)
                case .shiftJIS: (0x88...0x97).contains(lead)
                case .eucJP: (0xB0...0xCF).contains(lead)
                default: false
                }
            let common = encoding == .gb18030 ? simplified : encoding == .big5 ? traditional : japanese
            frequency = encoding == .eucKR ? 5e-6 : common.contains(scalar) ? 0.003 : isUsual ? 1.3e-4 : 8e-6
        default:
            frequency =
                eastSigns.contains(scalar) ? 0.003 : (0xFF01...0xFF5E).contains(scalar.value) ? 2e-4 : 1e-6
        }
        return log(frequency)
    }

    private static let eastSigns = Set("・、。「」『』·ー　〜～，：；！？（）《》".unicodeScalars)
    private static let simplified = Set(
        """
        的一是不了人在有我他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可里后小么心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经\
        头面公同三已老从动两长知民样现分将外但身些与高意进把法此实回二理美点月明其种声全工己话儿者向情部正名定女力水爱史书诗传记梦红城德林阳海王李刘陈张杨赵黄周吴
        """.unicodeScalars)
    private static let traditional = Set(
        """
        的一是不了人在有我他這中大來上國個到說們為子和你地出道也時年得就那要下以生會自著去之過家學對可裡後小麼心多天而能好都然沒日於起還發成事只作當想看文無開手十用主行方又如前所本見經\
        頭面公同三已老從動兩長知民樣現分將外但身些與高意進把法此實回二理美點月明其種聲全工己話兒者向情部正名定女力水愛史書詩傳記夢紅城德林陽海王李劉陳張楊趙黃周吳
        """.unicodeScalars)
    private static let japanese = Set(
        """
        人一日大年出本中子見国言上分生手自行者二間事思時気会十家女三前的方入小地合後目長場代私下立部学物月田山川村藤井木野島東京西北南高松石原吉佐夫郎美太文夏春秋冬海夜死愛世界\
        物語話集伝記戦争史論心女男新古森林花雪風空星銀河鉄道
        """.unicodeScalars)
    private static let korean = Set("이의가는을에다를하고한지사은나도로기자그아인리어서스시라대수정일김박여전해부마주있것들제장조성경미소".unicodeScalars)
}
