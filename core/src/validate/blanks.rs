//! Blanks around a text.

use super::secret::LONGEST_SECRET;
use crate::address::Options;

impl Options {
    /// The part of a text that is looked at, and where it starts.
    pub(super) fn bare<'a>(&self, text: &'a str) -> (usize, &'a str) {
        if !self.allow_surrounding_blanks || text.len() > LONGEST_SECRET {
            return (0, text);
        }
        let rest = text.trim_start_matches(is_blank);
        (text.len() - rest.len(), rest.trim_end_matches(is_blank))
    }
}

/// White space, and the invisible characters that copying leaves behind.
pub(super) fn is_blank(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
}
