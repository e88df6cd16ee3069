/// The vocabulary of generated libraries.
enum Words {
    static let consonants = Array("bdfghjklmnprstvz".utf8)
    static let vowels = Array("aeio".utf8)

    /// 64 words: six bits of a title.
    static let adjectives: [StaticString] = [
        "Silent", "Golden", "Last", "Hidden", "Broken", "Crimson", "Distant", "Empty", "Endless", "Fallen",
        "First",
        "Forgotten", "Frozen", "Gentle", "Glass", "Great", "Grey", "Hollow", "Invisible", "Iron", "Little",
        "Lonely",
        "Long", "Lost", "Midnight", "Narrow", "New", "Northern", "Old", "Only", "Other", "Pale", "Paper",
        "Perfect",
        "Quiet", "Red", "Restless", "Salt", "Second", "Secret", "Shattered", "Short", "Silver", "Slow",
        "Small",
        "Southern", "Stolen", "Strange", "Sudden", "Summer", "Sunken", "Sweet", "Thirteenth", "Tender",
        "True",
        "Unfinished", "Velvet", "Wandering", "White", "Wild", "Winter", "Wooden", "Wrong", "Young",
    ]

    /// 128 words: seven bits of a title.
    static let nouns: [StaticString] = [
        "Alphabet", "Angel", "Apple", "Archive", "Atlas", "Autumn", "Ballad", "Bell", "Bird", "Blade", "Book",
        "Bridge",
        "Brother", "Candle", "Carnival", "Castle", "Cathedral", "Child", "Circle", "City", "Clock", "Coast",
        "Compass",
        "Country", "Crown", "Darkness", "Daughter", "Dawn", "Daylight", "Desert", "Diary", "Door", "Dragon",
        "Dream",
        "Dust", "Echo", "Edge", "Emperor", "Empire", "Engine", "Evening", "Exile", "Eye", "Fable", "Father",
        "Feather",
        "Fire", "Flood", "Flower", "Forest", "Fortune", "Fox", "Frontier", "Garden", "Gate", "Ghost", "Giant",
        "Harbour",
        "Harvest", "Heart", "History", "Horizon", "Horse", "Hotel", "Hour", "House", "Hunter", "Island",
        "Journey",
        "Judge", "Kingdom", "Kitchen", "Labyrinth", "Lake", "Lamp", "Language", "Lantern", "Letter",
        "Library", "Light",
        "Lion", "Machine", "Map", "Market", "Memory", "Mirror", "Moon", "Morning", "Mother", "Mountain",
        "Museum",
        "Music", "Night", "Ocean", "Orchard", "Painter", "Palace", "Pilgrim", "Planet", "Poet", "Portrait",
        "Prince",
        "Promise", "Queen", "Rain", "River", "Road", "Rose", "Sailor", "Sea", "Season", "Secretary", "Shadow",
        "Ship",
        "Shore", "Sister", "Sky", "Snow", "Song", "Spy", "Star", "Station", "Storm", "Street", "Tower",
        "Traveller",
        "Voice", "Wall",
    ]

    /// 64 names: six bits of an author's name.
    static let firstNames: [StaticString] = [
        "Aaron", "Agnès", "Alice", "Amara", "Anna", "Antonio", "Ayşe", "Beatriz", "Boris", "Carmen", "Chen",
        "Clara",
        "Daniel", "David", "Diego", "Edith", "Elena", "Emma", "Erik", "Fatima", "Felix", "Grace", "Hana",
        "Harriet",
        "Hugo", "Ingrid", "Isabel", "Ivan", "J. R.", "James", "Jean-Luc", "José", "Julia", "Karin", "Kofi",
        "Laura",
        "Leo", "Li", "Lucía", "Magda", "Marcus", "Mary Ann", "Mehmet", "Mira", "Naomi", "Ngozi", "Nora",
        "Olga",
        "Oscar", "Paul", "Petra", "Priya", "Rachel", "Rosa", "Samuel", "Sara", "Søren", "T. S.", "Tomás",
        "Ursula",
        "Victor", "Wanda", "Yuki", "Zoë",
    ]

    static let publisherSuffixes: [StaticString] = [
        " Press", " Books", " & Sons", " Publishing", " University Press", " House", ", Inc.", " Classics",
    ]

    static let bindings: [StaticString] = [
        "Paperback", "Hardcover", "Kindle Edition", "Mass Market Paperback", "ebook", "Audiobook", "Audio CD",
        "Library Binding",
    ]

    static let shelves: [StaticString] = [
        "fiction", "fantasy", "science-fiction", "historical-fiction", "non-fiction", "mystery", "thriller",
        "romance",
        "young-adult", "classics", "biography", "history", "philosophy", "poetry", "horror", "graphic-novels",
        "favorites", "owned", "book-club", "2023-reads", "audiobooks", "short-stories", "travel", "science",
    ]

    static let subjects: [StaticString] = [
        "Fiction", "Fantasy fiction", "Science fiction", "Fiction, historical", "History",
        "Detective and mystery stories",
        "Fiction, thrillers, general", "Love stories", "Young adult fiction", "English literature",
        "Biography",
        "Philosophy", "Poetry", "Horror tales", "Comic books, strips", "Travel", "Short stories",
        "Large type books",
        "Accessible book", "Protected DAISY", "Families", "Friendship", "Women", "World War, 1939-1945",
    ]

    static let reviewLines: [StaticString] = [
        "<b>Read this in one sitting.</b><br/>",
        "The beginning drags, but the last hundred pages are worth every minute of it.<br/>",
        "\"It was not the house that was haunted,\" she says, and from then on one believes her.<br/>",
        "I liked the <i>minor</i> characters best: the ferryman, the sister, the dog.<br/><br/>",
        "Compared with the first volume it is darker, longer and, to me, less funny.<br/>",
        "My edition has a poor translation; somebody ought to do it again &amp; properly.<br/>",
        "<blockquote>We came for the war and stayed for the weather.</blockquote>",
        "Recommended to anyone who has ever waited for a train, a letter or an apology.",
    ]
}
