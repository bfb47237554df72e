//! Whitespace around a text.

use super::secret::LONGEST_SECRET;
use crate::address::Options;

impl Options {
    /// The trimmed part of a text, and its start.
    pub(super) fn bare<'a>(&self, text: &'a str) -> (usize, &'a str) {
        if !self.allow_surrounding_blanks || text.len() > LONGEST_SECRET {
            return (0, text);
        }
        let rest = text.trim_start_matches(is_blank);
        (text.len() - rest.len(), rest.trim_end_matches(is_blank))
    }
}

/// Whitespace, and the invisible characters that copying adds.
pub(super) fn is_blank(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
}
