import Bytes

/// British spellings, which are the same words as American ones. Both become one form, which is not always a
/// correct spelling: what matters is that different words stay different.
enum EnglishSpelling {
    /// Appends a folded word in its form.
    static func append(_ word: UnsafeRawBufferPointer, to out: inout [UInt8]) {
        // Shorter words than `grey` have only one spelling.
        guard word.count > 3 else { return out.append(contentsOf: word) }
        if let other = exceptions[word] { return other.withUTF8Buffer { out.append(contentsOf: $0) } }
        let start = out.count
        out.append(contentsOf: word)
        replaceOur(in: &out, from: start)
        replaceEnding(in: &out, from: start)
    }

    /// `colour` and its derivatives.
    private static func replaceOur(in out: inout [UInt8], from start: Int) {
        guard out.count - start > 4 else { return }
        for index in start + 2..<out.count - 2
        where out[index] == UInt8(ascii: "o") && out[index + 1] == UInt8(ascii: "u")
            && out[index + 2] == UInt8(ascii: "r")
        {
            let stem = out[start..<index]
            guard stems.contains(where: { stem.elementsEqual($0.utf8Bytes) }) else { continue }
            out.remove(at: index + 1)
            return
        }
    }

    private static func replaceEnding(in out: inout [UInt8], from start: Int) {
        guard let last = out.last else { return }
        for (ending, other) in endings[Int(last)] {
            let ending = ending.utf8Bytes
            guard out.count - start > ending.count + 1,
                out[start...].suffix(ending.count).elementsEqual(ending)
            else { continue }
            out.removeLast(ending.count)
            out.append(contentsOf: other.utf8Bytes)
            return
        }
    }

    /// Letters before `our` in British words.
    private static let stems: [StaticString] = [
        "arb", "ard", "arm", "behavi", "cand", "clam", "col", "demean", "discol", "dishon", "enam", "endeav",
        "fav", "ferv", "flav", "glam", "harb", "hon", "hum", "lab", "misdemean", "neighb", "od", "parl",
        "ranc",
        "rig", "rum", "sav", "savi", "splend", "succ", "tum", "val", "vap", "vig", "watercol",
    ]

    /// British endings with the American ones, by their last letter.
    private static let endings: [[(StaticString, StaticString)]] = {
        let pairs: [(StaticString, StaticString)] = [
            ("isation", "ization"), ("isations", "izations"), ("ise", "ize"), ("ises", "izes"),
            ("ised", "ized"),
            ("ising", "izing"), ("iser", "izer"), ("isers", "izers"), ("yse", "yze"), ("ysed", "yzed"),
            ("tre", "ter"), ("tres", "ters"), ("bre", "ber"), ("bres", "bers"), ("lling", "ling"),
            ("lled", "led"), ("ller", "ler"), ("llers", "lers"), ("llery", "lery"), ("ogue", "og"),
            ("ogues", "ogs"),
        ]
        var byLastLetter: [[(StaticString, StaticString)]] = Array(repeating: [], count: 256)
        for pair in pairs { byLastLetter[Int(pair.0.utf8Bytes.last ?? 0)].append(pair) }
        return byLastLetter
    }()

    private static let exceptions = WordTable<StaticString>([
        ("aeroplane", "airplane"), ("aeroplanes", "airplanes"), ("ageing", "aging"),
        ("archaeology", "archeology"),
        ("artefact", "artifact"), ("artefacts", "artifacts"), ("axe", "ax"), ("cheque", "check"),
        ("chilli", "chili"),
        ("cosy", "cozy"), ("czar", "tsar"), ("defence", "defense"), ("doughnut", "donut"),
        ("draught", "draft"),
        ("encyclopaedia", "encyclopedia"), ("fulfil", "fulfill"), ("gaol", "jail"), ("grey", "gray"),
        ("greys", "grays"), ("jewellery", "jewelry"), ("judgement", "judgment"), ("licence", "license"),
        ("mediaeval", "medieval"), ("meagre", "meager"), ("mould", "mold"), ("moustache", "mustache"),
        ("mummy", "mommy"), ("mums", "moms"), ("offence", "offense"), ("paediatric", "pediatric"),
        ("plough", "plow"), ("practise", "practice"), ("pretence", "pretense"), ("programme", "program"),
        ("programmes", "programs"), ("pyjamas", "pajamas"), ("sceptic", "skeptic"), ("sceptics", "skeptics"),
        ("sceptical", "skeptical"), ("scepticism", "skepticism"), ("skilful", "skillful"),
        ("storey", "story"),
        ("sulphur", "sulfur"), ("towards", "toward"), ("tsars", "tsars"), ("tyre", "tire"),
        ("tyres", "tires"),
        ("tzar", "tsar"), ("wilful", "willful"), ("woollen", "woolen"), ("yoghurt", "yogurt"),
    ])
}

extension StaticString {
    fileprivate var utf8Bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount)
    }
}
