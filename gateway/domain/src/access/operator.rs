//! People who use the desk, and their sessions.

use std::fmt;
use std::str::FromStr;

use uuid::Uuid;

use super::scope::{Scope, Scopes};
use super::token::Caller;

use crate::ids::BusinessId;

crate::words! {
    /// The lower one is a part of the higher one.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Role {
        /// Sees everything.
        Viewer = "viewer",
        /// Also helps customers: sends callbacks again, refunds up to a limit.
        Support = "support",
        /// Does everything.
        Manager = "manager",
    }
}

impl Role {
    /// The scopes of a token that could do the same. The desk has a table of routes beside them.
    pub fn scopes(self) -> Scopes {
        match self {
            Self::Viewer => Scopes::of(&[Scope::Read]),
            Self::Support => Scopes::of(&[Scope::Read, Scope::Payments, Scope::Withdrawals]),
            Self::Manager => Scopes::EVERYTHING,
        }
    }
}

impl FromStr for Role {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        Self::known(word).ok_or_else(|| format!("must be one of {}", Self::ALL.map(Self::as_str).join(", ")))
    }
}

/// The name of an operator, in lower case.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(String);

const LONGEST_NAME: usize = 64;

impl Name {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Name {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"._@+-".contains(&byte);
        if (1..=LONGEST_NAME).contains(&text.len()) && text.bytes().all(fits) {
            return Ok(Self(text.to_ascii_lowercase()));
        }
        Err(format!("must have 1 to {LONGEST_NAME} letters, digits and . _ @ + -"))
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operator {
    pub id: Uuid,
    pub name: Name,
    pub role: Role,
    /// `None` for all businesses of this gateway.
    pub business: Option<BusinessId>,
    pub is_disabled: bool,
    pub created_at: u64,
}

impl Operator {
    /// For whom requests of this operator are.
    pub fn caller(&self) -> Caller {
        self.business.map_or(Caller::Organisation, Caller::Business)
    }
}

/// The stored credentials of an operator.
#[derive(Clone, PartialEq, Eq)]
pub struct Secrets {
    /// Hash of the password, with its parameters.
    pub password: String,
    /// Key of the one-time codes, in base32.
    pub totp: String,
}

/// A session at the desk, in UNIX seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeskSession {
    pub created_at: u64,
    /// Of a request; up to a minute too early.
    pub seen_at: u64,
}

/// A session without requests ends after this many seconds.
pub const IDLE: u64 = 30 * 60;
/// Every session ends after this many seconds.
pub const LONGEST: u64 = 12 * 60 * 60;
/// How exact [`DeskSession::seen_at`] is.
const SEEN_EVERY: u64 = 60;

impl DeskSession {
    pub fn is_open(&self, now: u64) -> bool {
        now < self.created_at.saturating_add(LONGEST) && now < self.seen_at.saturating_add(IDLE)
    }

    /// Whether the time of a request has to be stored.
    pub fn is_stale(&self, now: u64) -> bool {
        now >= self.seen_at.saturating_add(SEEN_EVERY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(text.parse::<Name>().ok().as_ref().map(Name::as_str), expected, "{text:?}");
        };
        check("anna", Some("anna"));
        check("Anna.Berg+1@Shop.example", Some("anna.berg+1@shop.example"));
        for text in ["", "two words", "a:b", "ä", "a\n", "a/b", "\"a\"", &"a".repeat(65)] {
            check(text, None);
        }
    }

    #[test]
    fn roles_are_ordered() {
        assert!(Role::Viewer < Role::Support && Role::Support < Role::Manager);
        for role in Role::ALL {
            assert_eq!(role.as_str().parse(), Ok(role));
        }
        assert!("Manager".parse::<Role>().is_err());
    }

    #[test]
    fn a_session_ends_when_nobody_uses_it_and_after_a_day_of_work() {
        let check = |created_at: u64, seen_at: u64, now: u64, expected: bool| {
            let session = DeskSession { created_at, seen_at };
            assert_eq!(session.is_open(now), expected, "{session:?} {now}");
        };
        check(1_000, 1_000, 1_000 + IDLE - 1, true);
        check(1_000, 1_000, 1_000 + IDLE, false);
        check(1_000, 1_000 + LONGEST - 5, 1_000 + LONGEST - 1, true);
        check(1_000, 1_000 + LONGEST - 5, 1_000 + LONGEST, false);
    }
}
