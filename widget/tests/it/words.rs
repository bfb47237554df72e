//! The texts of every translated language.

use checkout_widget::words::{LANGUAGES, locale, translated};

#[test]
fn english_is_complete_and_the_others_say_that_they_are_missing() {
    let there: Vec<_> = translated().map(|language| language.tag).collect();
    assert!(there.contains(&"en-US"));
    for language in &LANGUAGES {
        let found = locale(Some(language.tag));
        assert_eq!(found.missing.is_none(), there.contains(&language.tag), "{}", language.tag);
    }
}

#[test]
fn counts_have_their_plural() {
    let words = locale(Some("en-US")).words;
    let check = |text: String, expected: &str| assert_eq!(text, expected);
    check((words.choose.networks)(1), "1 network");
    check((words.choose.networks)(3), "3 networks");
    check((words.time.days)(1), "1 day");
    check((words.time.days)(7), "7 days");
    check((words.time.left)(60), "1 minute left to pay");
    check((words.time.left)(61), "2 minutes left to pay");
    check((words.time.left)(1), "1 second left to pay");
    check((words.done.returning_in)(1), "You return in 1 second");
}
