/// The tables of a store.
///
/// Rows are only appended; their ids are sequential and internal. Keys are in separate tables with integer
/// keys, written in sorted runs. Every table is clustered by the key that results are read by.
enum Schema {
    /// "etlR" in ASCII, by which `file` and `etl doctor` recognize a store.
    static let applicationID: Int64 = 0x6574_6C52

    /// Increased with every change of the tables. Stores of other versions are refused.
    static let version: Int64 = 22

    /// The statements that create all tables.
    static let tables = [
        library, Keyspaces.tables, Reviews.tables, EntryWriters.tables, OrphanedEditions.tables,
        InputCopies.tables,
        EntryMatches.tables, EditTables.tables, SupersededRows.tables, Refreshes.tables,
        RememberedRules.tables,
        RunTable.tables, JournaledTable.tables,
    ].joined(separator: "\n")

    private static let library = """
        -- `is_private` is 1 if the library shares no works and editions with others (Keyspaces.swift).
        CREATE TABLE libraries(
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            is_private INTEGER NOT NULL DEFAULT 0);

        -- Runs of pipelines: inputs, checkpoint, and counts of records by outcome.
        CREATE TABLE jobs(
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            pipeline TEXT NOT NULL,
            library INTEGER NOT NULL REFERENCES libraries(id),
            format TEXT,
            mode TEXT NOT NULL,
            status TEXT NOT NULL,
            inputs TEXT NOT NULL,
            options TEXT,
            run_state TEXT,
            newest_date INTEGER,
            started_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            ended_at INTEGER,
            total_count INTEGER,
            file INTEGER NOT NULL DEFAULT 0,
            byte INTEGER NOT NULL DEFAULT 0,
            line INTEGER NOT NULL DEFAULT 1,
            record INTEGER NOT NULL DEFAULT 1,
            tail_digest INTEGER,
            created INTEGER NOT NULL DEFAULT 0,
            updated INTEGER NOT NULL DEFAULT 0,
            duplicates INTEGER NOT NULL DEFAULT 0,
            rejected INTEGER NOT NULL DEFAULT 0,
            enriched INTEGER NOT NULL DEFAULT 0,
            with_isbn INTEGER NOT NULL DEFAULT 0,
            isbn_matches INTEGER NOT NULL DEFAULT 0,
            busy_ms INTEGER NOT NULL DEFAULT 0,
            failure TEXT,
            -- Whether answers were deleted since the job was last run from its start. They are requested before it
            -- is run again.
            lost_answers INTEGER NOT NULL DEFAULT 0,
            -- Whether answers were cached since the job was last run from its start. The library may not have them
            -- yet.
            unused_answers INTEGER NOT NULL DEFAULT 0,
            -- The job that took it back.
            undone_by INTEGER);

        -- The column names of exports, stored once for all entries read under them.
        CREATE TABLE layouts(
            id INTEGER PRIMARY KEY,
            format TEXT NOT NULL,
            columns TEXT NOT NULL,
            UNIQUE(format, columns));

        \(BookTables.works);

        \(BookTables.editions);
        \(BookTables.editionsOfOtherWorks);

        CREATE TABLE authors(
            id INTEGER PRIMARY KEY,
            key TEXT NOT NULL,
            name TEXT NOT NULL,
            gender INTEGER NOT NULL,
            nationality TEXT,
            region INTEGER,
            birth_year INTEGER, death_year INTEGER,
            open_library TEXT, wikidata TEXT,
            identification INTEGER NOT NULL);

        -- Contributors of works: an id combines the work's id and a position (LibraryIndexes.swift).
        \(BookTables.contributors);

        -- One person's data. `cells` are the row's cells under its layout (PackedCells.swift); the review
        -- is stored separately.
        \(BookTables.entries);

        -- Providers' answers, each stored once: lineage refers to them, and values that lost are read from them.
        \(BookTables.candidates);

        -- Former public keys of works merged into others; they keep resolving.
        CREATE TABLE aliases(key TEXT PRIMARY KEY, work INTEGER NOT NULL) WITHOUT ROWID;

        -- Outcomes of all jobs' records, one row per run of consecutive records (RecordOutcomes.swift).
        CREATE TABLE record_runs(
            job INTEGER NOT NULL,
            file INTEGER NOT NULL,
            row INTEGER NOT NULL,
            last_row INTEGER NOT NULL,
            count INTEGER NOT NULL,
            outcomes BLOB NOT NULL,
            PRIMARY KEY(job, file, row)) WITHOUT ROWID;

        CREATE TABLE rejects(
            job INTEGER NOT NULL,
            file INTEGER NOT NULL,
            row INTEGER NOT NULL,
            line INTEGER NOT NULL,
            byte INTEGER NOT NULL,
            stage TEXT NOT NULL,
            code TEXT NOT NULL,
            field TEXT, value TEXT,
            message TEXT NOT NULL,
            raw BLOB NOT NULL,
            raw_length INTEGER NOT NULL,
            PRIMARY KEY(job, file, row)) WITHOUT ROWID;

        -- Rejected records as corrected by the user (CorrectedRows.swift): `cells` under a layout, and the record's
        -- place in its file. They are kept, because a job that is run again applies them again. `date_order` says how
        -- its dates are read, or `open` if unknown; NULL if like those of its file.
        CREATE TABLE corrections(
            job INTEGER NOT NULL,
            file INTEGER NOT NULL,
            row INTEGER NOT NULL,
            line INTEGER NOT NULL,
            byte INTEGER NOT NULL,
            layout INTEGER NOT NULL,
            cells BLOB NOT NULL,
            date_order TEXT,
            PRIMARY KEY(job, file, row)) WITHOUT ROWID;

        CREATE TABLE warnings(
            job INTEGER NOT NULL,
            file INTEGER NOT NULL,
            row INTEGER NOT NULL,
            number INTEGER NOT NULL,
            line INTEGER NOT NULL,
            entry INTEGER NOT NULL,
            code TEXT NOT NULL,
            field TEXT,
            value TEXT NOT NULL,
            message TEXT NOT NULL,
            PRIMARY KEY(job, file, row, number)) WITHOUT ROWID;

        -- Key indexes: the hash of a text key, or a number -> the row (KeyIndex.swift).
        CREATE TABLE work_keys(key INTEGER PRIMARY KEY, value INTEGER NOT NULL);
        CREATE TABLE edition_isbns(key INTEGER PRIMARY KEY, value INTEGER NOT NULL);
        CREATE TABLE edition_keys(key INTEGER PRIMARY KEY, value INTEGER NOT NULL);
        CREATE TABLE author_keys(key INTEGER PRIMARY KEY, value INTEGER NOT NULL);
        CREATE TABLE entry_keys(key INTEGER PRIMARY KEY, value INTEGER NOT NULL);
        CREATE TABLE candidate_keys(key INTEGER PRIMARY KEY, value INTEGER NOT NULL);

        -- Records that wait for answers of services: `openlibrary:timeout,wikidata:down`.
        CREATE TABLE pending(
            job INTEGER NOT NULL,
            file INTEGER NOT NULL,
            row INTEGER NOT NULL,
            reasons TEXT NOT NULL,
            PRIMARY KEY(job, file, row)) WITHOUT ROWID;

        -- Services' answers, compressed; body is NULL if the service does not know the key. `mismatches` counts the runs in
        -- which a service answered with a different book; such a response is not used. `decoded` is the decoded answer,
        -- so that the body need not be parsed again. By `etag` and `modified` services recognize whether an answer is
        -- still the current one.
        CREATE TABLE answers(\(AnswerTable.columns)) WITHOUT ROWID;

        -- Keys written in bulk: sorted runs of blocks (SortedRuns.swift), by the name of the index's table.
        CREATE TABLE key_blocks(id INTEGER PRIMARY KEY, keys BLOB NOT NULL);
        CREATE TABLE key_runs(
            name TEXT NOT NULL,
            first_block INTEGER NOT NULL,
            fences BLOB NOT NULL,
            PRIMARY KEY(name, first_block)) WITHOUT ROWID;

        -- Up to which row each key index is complete on disk.
        CREATE TABLE flushed(name TEXT PRIMARY KEY, row INTEGER NOT NULL) WITHOUT ROWID;
        """
}
