//! The scopes of a token: what a back end may do with it.

use std::str::FromStr;

crate::words! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Scope {
        /// Create, update and read payments.
        Payments = "payments",
        /// Withdraw, and add to and read the whitelist.
        Withdrawals = "withdrawals",
        /// Read everything, change nothing.
        Read = "read",
    }
}

impl FromStr for Scope {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        Self::known(word).ok_or_else(|| format!("must be one of {}", Self::ALL.map(Self::as_str).join(", ")))
    }
}

/// The scopes that a token has: all, also later ones, or these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scopes(Option<[bool; Scope::ALL.len()]>);

impl Scopes {
    pub const EVERYTHING: Self = Self(None);

    /// Without any, everything.
    pub fn of(scopes: &[Scope]) -> Self {
        Self((!scopes.is_empty()).then(|| Scope::ALL.map(|scope| scopes.contains(&scope))))
    }

    /// Whether a token with these may do what needs one of `needed`.
    pub fn allow(self, needed: &[Scope]) -> bool {
        self.list().is_none_or(|own| own.iter().any(|scope| needed.contains(scope)))
    }

    /// `None` for everything.
    pub fn list(self) -> Option<Vec<Scope>> {
        let held = self.0?;
        Some(Scope::ALL.into_iter().zip(held).filter_map(|(scope, held)| held.then_some(scope)).collect())
    }

    /// As stored: words with commas between them; `None` for everything.
    pub fn to_text(self) -> Option<String> {
        Some(self.list()?.into_iter().map(Scope::as_str).collect::<Vec<_>>().join(","))
    }

    /// Reads what [`to_text`](Self::to_text) wrote. `None` for a word of another version: it allows nothing unknown.
    pub fn parse(text: Option<&str>) -> Option<Self> {
        let Some(text) = text else { return Some(Self::EVERYTHING) };
        let scopes: Result<Vec<Scope>, _> = text.split(',').map(str::parse).collect();
        scopes.ok().map(|scopes| Self::of(&scopes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Scope::{Payments, Read, Withdrawals};

    #[test]
    fn a_token_may_do_what_one_of_its_scopes_allows() {
        let check = |own: &[Scope], needed: &[Scope], expected: bool| {
            assert_eq!(Scopes::of(own).allow(needed), expected, "{own:?} {needed:?}");
        };
        check(&[], &[Withdrawals], true);
        check(&[Payments], &[Payments], true);
        check(&[Payments], &[Withdrawals], false);
        check(&[Payments], &[Payments, Read], true);
        check(&[Read], &[Payments, Read], true);
        check(&[Read], &[Payments], false);
        check(&[Payments, Withdrawals], &[Withdrawals], true);
        check(&[Payments, Withdrawals, Read], &[], false);
    }

    #[test]
    fn stored_texts_read_back() {
        for (scopes, text) in [
            (&[][..], None),
            (&[Payments], Some("payments")),
            (&[Read, Payments, Read], Some("payments,read")),
            (&Scope::ALL, Some("payments,withdrawals,read")),
        ] {
            assert_eq!(Scopes::of(scopes).to_text().as_deref(), text);
            assert_eq!(Scopes::parse(text), Some(Scopes::of(scopes)));
        }
        for text in ["", "payments,", "everything", "Payments", "payments, read"] {
            assert_eq!(Scopes::parse(Some(text)), None, "{text:?}");
        }
    }
}
