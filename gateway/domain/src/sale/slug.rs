//! The last part of a sale link's address.

use std::fmt;
use std::str::FromStr;

pub const MIN: usize = 3;
pub const MAX: usize = 60;

/// Small letters `a` to `z` and digits, with single hyphens between them: nothing that is read or typed as something else.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Slug(String);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotASlug;

/// Without letters and digits that are taken for others.
const ALPHABET: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz023456789";

impl Slug {
    /// A slug that nobody guesses: 80 random bits.
    pub fn from_random(bytes: [u8; 16]) -> Self {
        Self(bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Slug {
    type Err = NotASlug;

    fn from_str(text: &str) -> Result<Self, NotASlug> {
        let is_part = |part: &str| {
            !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
        };
        let is_slug = (MIN..=MAX).contains(&text.len()) && text.split('-').all(is_part);
        if is_slug { Ok(Self(text.to_owned())) } else { Err(NotASlug) }
    }
}

impl fmt::Display for Slug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs() {
        for text in ["tea", "green-tea", "2026", "a-b-c", "t3a", &"a".repeat(60)] {
            assert_eq!(text.parse::<Slug>().map(|slug| slug.to_string()), Ok(text.to_owned()));
        }
        let wrong = [
            "",
            "te",
            "Tea",
            "grün",
            "-tea",
            "tea-",
            "green--tea",
            "green tea",
            "tea/print",
            "tea.",
            "t%65a",
        ];
        for text in wrong.into_iter().chain([&*"a".repeat(61)]) {
            assert_eq!(text.parse::<Slug>(), Err(NotASlug), "{text:?}");
        }
    }

    #[test]
    fn a_random_one_is_a_slug() {
        for byte in 0..=255 {
            let slug = Slug::from_random([byte; 16]);
            assert_eq!(slug.as_str().parse(), Ok(slug.clone()), "{slug}");
        }
    }
}
