//! Typing errors and other changes to an address.

use crate::random::Random;

const LETTERS: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz:.-_ é";
const HEADS: [&str; 14] = [
    "",
    " ",
    "0x",
    "0X",
    "bitcoin:",
    "bitcoincash:",
    "bchtest:",
    "litecoin:",
    "ethereum:",
    "bc1",
    "ltc1",
    "1",
    "T",
    "r",
];

/// Changes one thing in the text.
pub fn mutate(text: &str, random: &mut Random) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    let at = random.below(letters.len().max(1));
    let other = {
        let all: Vec<char> = LETTERS.chars().collect();
        *random.pick(&all)
    };
    let inside = at < letters.len();
    match random.below(14) {
        // A wrong letter is the most frequent error.
        0..=3 if inside => letters[at] = other,
        4 if inside => drop(letters.remove(at)),
        5 => letters.insert(at, other),
        6 if inside => {
            let next = (at + 1) % letters.len();
            letters.swap(at, next);
        }
        7 if inside => letters.insert(at, letters[at]),
        8 if inside && letters[at].is_ascii_uppercase() => letters[at].make_ascii_lowercase(),
        8 if inside => letters[at].make_ascii_uppercase(),
        9 => letters.iter_mut().for_each(char::make_ascii_uppercase),
        10 => letters.iter_mut().for_each(char::make_ascii_lowercase),
        11 => letters.truncate(at),
        // A weakness of bech32: inserting `q` before a final `p`.
        12 => {
            let count = 1 + random.below(20);
            let place = letters.len().saturating_sub(1);
            letters.splice(place..place, std::iter::repeat_n('q', count));
        }
        _ => {
            let text: String = letters.iter().collect();
            let bare = text.rsplit_once(':').map_or(text.as_str(), |parts| parts.1);
            return format!("{}{bare}", random.pick(&HEADS));
        }
    }
    letters.into_iter().collect()
}
