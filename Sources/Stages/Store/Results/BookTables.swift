/// The statements that create the tables for a record's new rows, in a store and in the images of a batch's
/// rows. They are shared because SQLite copies whole rows only between identical tables.
enum BookTables {
    static let works = """
        CREATE TABLE works(
            id INTEGER PRIMARY KEY,
            key TEXT NOT NULL,
            title TEXT, subtitle TEXT, description TEXT,
            first_publication_year INTEGER,
            original_language TEXT,
            cover TEXT,
            genres TEXT, subjects TEXT, series TEXT,
            open_library TEXT, goodreads TEXT, librarything TEXT, wikidata TEXT,
            synthetic INTEGER NOT NULL,
            providers TEXT,
            quality INTEGER NOT NULL,
            review_status INTEGER NOT NULL,
            lineage BLOB)
        """

    /// A new edition has the id of its record's work. Few editions have another work.
    static let editions = """
        CREATE TABLE editions(
            id INTEGER PRIMARY KEY,
            work INTEGER NOT NULL,
            key TEXT NOT NULL,
            isbn INTEGER,
            isbns TEXT,
            title TEXT, subtitle TEXT,
            publisher TEXT,
            publication_date TEXT,
            page_count INTEGER,
            format TEXT,
            language TEXT,
            cover TEXT, description TEXT,
            open_library TEXT, goodreads TEXT, librarything TEXT, asin TEXT, google_books TEXT, isbndb TEXT,
            average_rating REAL, ratings_count INTEGER,
            providers TEXT,
            quality INTEGER NOT NULL,
            lineage BLOB)
        """

    static let contributors = """
        CREATE TABLE contributors(
            id INTEGER PRIMARY KEY,
            author INTEGER NOT NULL,
            role INTEGER NOT NULL)
        """

    static let entries = """
        CREATE TABLE entries(
            id INTEGER PRIMARY KEY,
            library INTEGER NOT NULL,
            layout INTEGER NOT NULL,
            source_id TEXT NOT NULL,
            edition INTEGER NOT NULL,
            rating REAL,
            shelf TEXT, shelves TEXT,
            date_read TEXT, date_added TEXT,
            read_count INTEGER, owned_copies INTEGER,
            review TEXT, notes TEXT,
            cells BLOB NOT NULL,
            content_hash INTEGER NOT NULL,
            community INTEGER NOT NULL,
            date_started TEXT, earlier_readings TEXT,
            location TEXT, lent_to TEXT, price TEXT, condition TEXT, barcode TEXT)
        """

    static let candidates = """
        CREATE TABLE candidates(
            id INTEGER PRIMARY KEY,
            provider INTEGER NOT NULL,
            record TEXT NOT NULL,
            match INTEGER NOT NULL,
            body BLOB NOT NULL)
        """

    /// Finds the editions of a work, except the one with the work's own id (``EditionsOfWork``).
    static let editionsOfOtherWorks = "CREATE INDEX editions_work ON editions(work) WHERE work <> id"
}
