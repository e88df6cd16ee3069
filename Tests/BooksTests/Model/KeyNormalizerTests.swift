import Testing

@testable import Books
@testable import Bytes

@Suite struct KeyNormalizerTests {
    @Test(arguments: [
        ("Dune", "dune"), ("Résumé", "resume"), ("Ümläut & Söhne!", "umlaut sohne"),
        ("Don’t Panic", "dont panic"),
        ("Book 1/2", "book 1 2"), ("Book 1 2", "book 1 2"), ("Ranma ½", "ranma 1 2"), ("Go!", "go"),
        ("S.", "s"),
        ("7½", "71 2"), ("C−", "c"), ("R.U.R.", "r u r"), ("Go®", "go"), ("三体", "三体"), ("1984", "1984"),
        ("Vitamin B+C and You", "vitamin b c and you"), ("Catch #22 Again", "catch 22 again"),
        ("Tom's+Jerry's", "toms jerrys"), ("", ""), ("Frank Herbert", "frank herbert"),
    ]) func `an ordinary title has the form it has when folded`(title: String, form: String) {
        #expect(KeyNormalizer.fold(title) == form)
        #expect(KeyNormalizer.fold(title) == Folding.fold(title))
    }

    @Test(arguments: [
        ("C++", "c ++"), ("c#", "c #"), ("A+", "a +"), ("Q&A", "q a &"), ("Q & A", "q a &"),
        ("100%", "100 %"),
        ("$20", "20 $"), ("I ❤️ U", "i u ❤"), ("C🐉", "c 🐉"), ("Ｃ＋＋", "c ++"),
    ]) func `a very short title keeps its signs`(title: String, form: String) {
        #expect(KeyNormalizer.fold(title) == form)
    }

    @Test(arguments: [
        ("C++ Primer Plus", "c primer plus ++"), ("Programming in C#", "programming in c #"),
        ("F#, and C++.", "f and c #++"), ("The A+ Guide", "the a guide +"),
    ]) func `a longer one keeps what a word of one letter ends in`(title: String, form: String) {
        #expect(KeyNormalizer.fold(title) == form)
    }

    @Test(arguments: [
        ("???", "???"), (" ! ! ! ", "!!!"), ("！！！", "!!!"), ("…", "..."), ("🐉", "🐉"), ("❤️", "❤"),
        ("+/-", "+/-"),
        ("+ / -", "+/-"), ("||", "¦¦"), ("$", "$"), ("\u{200B}", ""), ("  ", ""),
    ]) func `where nothing folds the text itself stands`(title: String, form: String) {
        #expect(KeyNormalizer.fold(title) == form)
    }
}
