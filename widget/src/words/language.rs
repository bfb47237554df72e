//! The language of a page.

use super::Words;

/// The direction of a language's script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dir {
    Ltr,
    Rtl,
}

impl Dir {
    /// The value of the attribute `dir`.
    pub fn code(self) -> &'static str {
        match self {
            Self::Ltr => "ltr",
            Self::Rtl => "rtl",
        }
    }
}

/// A language, in the form used for rendering.
#[derive(Clone, Copy, Debug)]
pub struct Language {
    pub tag: &'static str,
    pub words: &'static Words,
}
