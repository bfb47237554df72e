//! Who asks for something, or decides about it.

use std::fmt;
use std::str::FromStr;

use uuid::Uuid;

use super::token::TokenHash;

/// One credential or one operator, not its kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Actor {
    /// The handle of a token.
    Credential(String),
    Operator(Uuid),
    /// Whoever may write to the database: one operator, whatever people type.
    CommandLine,
}

const CREDENTIAL: &str = "credential:";
const OPERATOR: &str = "operator:";
const COMMAND_LINE: &str = "command-line";

impl Actor {
    pub fn of_token(token: &str) -> Self {
        Self::Credential(TokenHash::of(token).handle().to_owned())
    }
}

impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Credential(handle) => write!(f, "{CREDENTIAL}{handle}"),
            Self::Operator(id) => write!(f, "{OPERATOR}{id}"),
            Self::CommandLine => f.write_str(COMMAND_LINE),
        }
    }
}

/// It is none of the stored texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownActor;

impl FromStr for Actor {
    type Err = UnknownActor;

    fn from_str(text: &str) -> Result<Self, UnknownActor> {
        if let Some(handle) = text.strip_prefix(CREDENTIAL) {
            return Ok(Self::Credential(handle.to_owned()));
        }
        if let Some(id) = text.strip_prefix(OPERATOR) {
            return id.parse().map(Self::Operator).map_err(|_| UnknownActor);
        }
        if text == COMMAND_LINE { Ok(Self::CommandLine) } else { Err(UnknownActor) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_reads_back() {
        let check = |actor: Actor, expected: &str| {
            assert_eq!(actor.to_string(), expected);
            assert_eq!(expected.parse(), Ok(actor));
        };
        check(Actor::of_token("abc"), "credential:ba7816bf8f01cfea");
        check(Actor::Operator(Uuid::nil()), "operator:00000000-0000-0000-0000-000000000000");
        check(Actor::CommandLine, "command-line");
        for text in ["", "somebody", "operator:anna"] {
            assert_eq!(text.parse::<Actor>(), Err(UnknownActor), "{text:?}");
        }
    }
}
