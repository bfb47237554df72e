//! Texts with a count, in the plural forms of a language (Unicode CLDR).

/// The plural category of a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PluralForm {
    One,
    Few,
    Many,
    Other,
}

/// A text with `{count}` in every form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plural {
    pub one: &'static str,
    pub few: &'static str,
    pub many: &'static str,
    pub other: &'static str,
}

impl Plural {
    /// For languages with one form.
    pub const fn same(text: &'static str) -> Self {
        Self { one: text, few: text, many: text, other: text }
    }

    /// For languages with a singular and a plural.
    pub const fn two(one: &'static str, other: &'static str) -> Self {
        Self { one, few: other, many: other, other }
    }

    pub fn form(&self, form: PluralForm) -> &'static str {
        match form {
            PluralForm::One => self.one,
            PluralForm::Few => self.few,
            PluralForm::Many => self.many,
            PluralForm::Other => self.other,
        }
    }
}
