import Bytes

/// The top headings of BISAC, as keys (``GenreKey``): behind one of them a comma parts a compound.
enum BISACHeads {
    static func contains(_ key: UnsafeRawBufferPointer) -> Bool { heads.contains { $0 == key } }

    private static let heads: [StaticString] = [
        "fiction", "juvenile fiction", "young adult fiction", "nonfiction", "juvenile nonfiction",
        "young adult nonfiction", "antiques and collectibles", "architecture", "art", "bibles", "biography",
        "biography and autobiography", "business and economics", "comics and graphic novels", "computers",
        "cooking",
        "crafts and hobbies", "design", "drama", "education", "family and relationships",
        "foreign language study",
        "games and activities", "gardening", "health and fitness", "history", "house and home", "humor",
        "language arts and disciplines", "law", "literary collections", "literary criticism", "mathematics",
        "medical",
        "music", "nature", "performing arts", "pets", "philosophy", "photography", "poetry",
        "political science",
        "psychology", "reference", "religion", "science", "self help", "social science",
        "sports and recreation",
        "study aids", "technology and engineering", "transportation", "travel", "true crime",
    ]
}
