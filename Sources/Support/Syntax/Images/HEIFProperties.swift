/// The properties of the items of a HEIC (ISO/IEC 23008-12, 6.5).
enum HEIFProperties {
    /// Properties of a fixed length: size, turns, cuts, brightness.
    private static let lengths = [
        "ispe": 12, "irot": 1, "imir": 1, "pasp": 8, "clap": 32, "clli": 4, "mdcv": 24, "amve": 8, "rloc": 12,
        "lsel": 2,
    ]
    /// The URN of an auxiliary picture and what belongs to it are short.
    private static let longestKind = 128

    /// Whether decoders need a property. Descriptions, times, keywords and unknown ones they do not need.
    ///
    /// - Throws: `damaged` if a property that is needed is not as it must be: a length that is too great makes a part
    ///   of it of what is behind it.
    static func isNeeded(_ header: ByteHeader, _ box: MediaBox) throws(ImageProblem) -> Bool {
        let (start, count) = (box.content.lowerBound, box.content.count)
        let isSound: Bool
        switch box.type {
        case "hvcC":
            try checkDecoder(header, box)
            return true
        case "pixi": isSound = header.big(at: start + 4, 1) == count - 5
        case "auxC": isSound = count <= longestKind && header.has("urn:", at: start + 4)
        case "colr" where header.has("nclx", at: start): isSound = count == 11
        case "colr" where header.has("prof", at: start) || header.has("rICC", at: start):
            isSound = header.isColorDescription(start + 4..<max(start + 4, box.content.upperBound))
        case let type:
            guard let length = lengths[type] else { return false }
            isSound = count == length
        }
        guard isSound else { throw .damaged }
        return true
    }

    /// Checks that the parameters of HEVC fill their box (ISO/IEC 14496-15, 8.3.3.1).
    private static func checkDecoder(_ header: ByteHeader, _ box: MediaBox) throws(ImageProblem) {
        var reader = MediaBoxReader(header, box.content)
        try reader.skip(22)
        for _ in 0..<(try reader.number(1)) {
            try reader.skip(1)
            for _ in 0..<(try reader.number(2)) { try reader.skip(try reader.number(2)) }
        }
        try reader.end()
    }
}
