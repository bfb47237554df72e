//! The words of a description, by which a payment is found.

use std::collections::BTreeSet;

/// Words of one description that are kept.
const MOST: usize = 50;

/// In lower case, each once, without punctuation.
#[expect(clippy::disallowed_methods, reason = "people write descriptions in any script")]
pub fn words(description: &str) -> BTreeSet<String> {
    let words = description.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    words.take(MOST).map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_in_any_case() {
        let check = |description: &str, expected: &[&str]| {
            assert_eq!(words(description).into_iter().collect::<Vec<_>>(), expected, "{description}");
        };
        check("Three kettles, 1 Lamp (blue)", &["1", "blue", "kettles", "lamp", "three"]);
        check("ÄPFEL äpfel", &["äpfel"]);
        check(" – ", &[]);
    }
}
