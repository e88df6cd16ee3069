import System
import TestSupport
import Testing

@testable import Syntax

@Suite struct EncodingGuessTests {
    private static let texts: [(encodings: [String], rows: String)] = [
        (
            ["CP1250", "ISO-8859-2"],
            "Život je jinde;Milan Kundera|Čtyři slunce;Šárka Horáková|Příliš žluťoučký kůň;Jiří Novák|Babička;Božena Němcová|Osudy dobrého vojáka Švejka;Jaroslav Hašek|Válka s mloky;Karel Čapek"
        ),
        (
            ["CP1250"],
            "Lalka;Bolesław Prus|Wiedźmin: Ostatnie życzenie;Andrzej Sapkowski|Księgi Jakubowe;Olga Tokarczuk|Chłopi;Władysław Reymont|Cesarz;Ryszard Kapuściński|Życie Pi;Yann Martel"
        ),
        (
            ["CP1252", "ISO-8859-15"],
            "À la recherche du temps perdu;Marcel Proust|Le Père Goriot;Honoré de Balzac|Thérèse Raquin;Émile Zola|Der Prozeß;Günter Grass|Cien años de soledad;Gabriel García Márquez"
        ),
        (
            ["CP1254", "ISO-8859-9"],
            "Benim Adım Kırmızı;Orhan Pamuk|İnce Memed;Yaşar Kemal|Tutunamayanlar;Oğuz Atay|Çalıkuşu;Reşat Nuri Güntekin|Şu Çılgın Türkler;Turgut Özakman"
        ),
        (
            ["CP1257"],
            "Mērnieku laiki;Reinis Kaudzīte|Zvejnieka dēls;Vilis Lācis|Lāčplēsis;Andrejs Pumpurs|Altorių šešėly;Balta drobulė|Žemė maitintoja;Petras Cvirka"
        ),
        (
            ["CP1251", "KOI8-R", "ISO-8859-5"],
            "Мастер и Маргарита;Михаил Булгаков|Преступление и наказание;Фёдор Достоевский|Война и мир;Лев Толстой"
        ),
        (
            ["CP1253", "ISO-8859-7"],
            "Βίος και Πολιτεία του Αλέξη Ζορμπά;Νίκος Καζαντζάκης|Οδύσσεια;Όμηρος|Η φόνισσα;Αλέξανδρος Παπαδιαμάντης"
        ),
        (["CP1255"], "סיפור על אהבה וחושך;עמוס עוז|אישה בורחת מבשורה;דויד גרוסמן|מיכאל שלי;עמוס עוז"),
        (
            ["CP1256", "ISO-8859-6"],
            "موسم الهجرة إلى الشمال;الطيب صالح|أولاد حارتنا;نجيب محفوظ|رجال في الشمس;غسان كنفاني"
        ),
        (["CP874"], "สี่แผ่นดิน;คึกฤทธิ์ ปราโมช|ข้างหลังภาพ;ศรีบูรพา"),
        (["CP932", "EUC-JP"], "雪国;川端康成|ノルウェイの森;村上春樹|吾輩は猫である;夏目漱石|銀河鉄道の夜;宮沢賢治"),
        (["GB18030"], "活着;余华|三体;刘慈欣|红楼梦;曹雪芹|平凡的世界;路遥|百年孤独;加西亚·马尔克斯"),
        (["BIG5"], "紅樓夢;曹雪芹|三國演義;羅貫中|傾城之戀;張愛玲|天龍八部;金庸"),
        (["UHC"], "채식주의자;한강|소년이 온다;한강|엄마를 부탁해;신경숙|칼의 노래;김훈"),
    ]

    @Test func `a list is read in its encoding, whichever it is`() throws {
        for (encodings, rows) in Self.texts {
            let text = "Title;Author;ISBN\r\n" + rows.split(separator: "|").map { "\($0);\r\n" }.joined()
            for name in encodings {
                let bytes = EncodedText.bytes(text, in: name)
                try #require(!bytes.isEmpty)
                let guess = TextEncoding.sniff(head: bytes)
                #expect(
                    String(decoding: guess.encoding.utf8(ofHead: bytes), as: UTF8.self) == text,
                    "\(name): \(guess)")
                #expect(guess.encoding != .utf8)
                for candidate in guess.candidates { #expect(candidate.words.count > 0) }
            }
        }
    }

    @Test func `a pair of bytes that is UTF-8 by chance outvotes nothing`() {
        var bytes = Array("Title,Author\n".utf8)
        for number in 0..<100 {
            bytes += EncodedText.bytes("Canción número \(number),José Peña\n", in: "CP1252")
        }
        bytes += EncodedText.bytes("Ana,Ã©\n", in: "CP1252")
        #expect(TextEncoding.sniff(head: bytes).encoding == .windows1252)
        // A damaged cell in a file of UTF-8 is damage.
        var damaged = Array("Title,Author\n".utf8)
        for number in 0..<10 { damaged += Array("Canción número \(number),José Peña\n".utf8) }
        damaged += EncodedText.bytes("Canción,Ana\n", in: "CP1252")
        #expect(TextEncoding.sniff(head: damaged).encoding == .utf8)
        #expect(TextEncoding.sniff(head: damaged).candidates.map(\.encoding).first == .utf8)
    }

    @Test func `a guess that is not near certain shows how others would read`() throws {
        let guess = TextEncoding.sniff(
            head: EncodedText.bytes("Title,Author\nZločin i kazna,Ana\n", in: "CP1250"))
        #expect(guess.candidates.count == 3)
        #expect(guess.candidates.first?.encoding == guess.encoding)
        #expect(guess.candidates.contains { $0.words == ["Zločin i kazna"] })
        #expect(Set(guess.candidates.map(\.words)).count == 3)
        let titles = [
            "Le Père Goriot", "La Bête humaine", "La Chèvre", "Thérèse Raquin", "À rebours", "La Mère",
        ]
        let clear = TextEncoding.sniff(
            head: EncodedText.bytes("Title\n" + titles.joined(separator: "\n") + "\n", in: "CP1252"))
        #expect(clear.encoding == .windows1252 && clear.candidates.isEmpty)
    }

    @Test func `encodings have the names that people and documents use`() {
        for (name, encoding): (String, TextEncoding?) in [
            ("cp1250", .windows1250), ("Windows-1250", .windows1250), ("latin1", .windows1252),
            ("ISO_8859-1", .windows1252), ("iso8859-2", .latin2), ("latin2", .latin2), ("latin-9", .latin9),
            ("koi8-r", .koi8R), ("Shift_JIS", .shiftJIS), ("sjis", .shiftJIS), ("cp932", .shiftJIS),
            ("euc-jp", .eucJP), ("gbk", .gb18030), ("GB2312", .gb18030), ("big5", .big5), ("euc-kr", .eucKR),
            ("cp949", .eucKR), ("utf8", .utf8), ("US-ASCII", .utf8), ("mac roman", .macRoman),
            ("cp850", .dosWestern),
            ("utf-16le", .utf16LittleEndian), ("morse", nil), ("", nil),
        ] { #expect(TextEncoding(named: name) == encoding, "\(name)") }
    }
}
