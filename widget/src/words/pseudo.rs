//! Pseudo-languages for tests: English with longer words, and right-to-left English. `?locale=en-XA` shows
//! the first one; pages do not offer them.

use std::sync::LazyLock;

use super::{Dir, Piece, Translation, Words, en_us, pieces};

pub static PSEUDO: LazyLock<[Translation; 2]> = LazyLock::new(|| {
    let translation = |tag, dir, disguise: fn(&str) -> String| {
        let disguised = |template: &str| {
            let piece = |piece| match piece {
                // The marks of figures stay as they are.
                Piece::Text(text) if !text.contains(char::is_alphabetic) => text.to_owned(),
                Piece::Text(text) => disguise(text),
                Piece::Fact(name) => ["{", name, "}"].concat(),
            };
            pieces(template).map(piece).collect::<String>()
        };
        let texts = en_us::TRANSLATION.words.write().into_iter().map(disguised).collect();
        let words = Words::read(texts).expect("as many texts as English");
        let claim_form = en_us::TRANSLATION.claim_form.map(disguised);
        let lookup_form = en_us::TRANSLATION.lookup_form.map(disguised);
        let receipt = en_us::TRANSLATION.receipt.map(disguised);
        let wallet = en_us::TRANSLATION.wallet.map(disguised);
        Translation { tag, dir, words, claim_form, lookup_form, receipt, wallet, ..en_us::TRANSLATION }
    };
    [translation("en-XA", Dir::Ltr, longer), translation("en-XB", Dir::Rtl, mirrored)]
});

/// Every letter with an accent, every vowel twice: about 40 % longer, similar to German and Russian.
fn longer(text: &str) -> String {
    text.chars()
        .flat_map(|letter| {
            let accented = match letter {
                'a' => 'á',
                'e' => 'é',
                'i' => 'í',
                'o' => 'ó',
                'u' => 'ú',
                'A' => 'Á',
                'E' => 'É',
                'I' => 'Í',
                'O' => 'Ó',
                'U' => 'Ú',
                'c' => 'ç',
                'n' => 'ñ',
                's' => 'š',
                'y' => 'ý',
                other => other,
            };
            let twice = "aeiou".contains(letter);
            [Some(accented), twice.then_some(accented)].into_iter().flatten()
        })
        .collect()
}

/// Shown from right to left, letter by letter (U+202E to U+202C).
fn mirrored(text: &str) -> String {
    text.split_inclusive(' ')
        .map(|word| {
            let letters = word.trim_end_matches(' ');
            let spaces = &word[letters.len()..];
            if letters.is_empty() { spaces.to_owned() } else { format!("\u{202e}{letters}\u{202c}{spaces}") }
        })
        .collect()
}
