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

    /// Whether both are one person. An operator is who a token is of that they made; a key that makes tokens for others is not.
    pub fn is_same(&self, other: &Self, maker: Option<&Self>) -> bool {
        self == other || (matches!(other, Self::Operator(_)) && maker == Some(other))
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

    #[test]
    fn who_is_one_person() {
        let [anna, ben] = [1, 2].map(|id| Actor::Operator(Uuid::from_u128(id)));
        let [token, key] = ["biz_token", "org_key"].map(Actor::of_token);
        let check = |asks: &Actor, maker: Option<&Actor>, approves: &Actor, expected: bool| {
            assert_eq!(asks.is_same(approves, maker), expected, "{asks} of {maker:?}, {approves}");
        };
        for who in [&anna, &token, &Actor::CommandLine] {
            check(who, None, who, true);
        }
        check(&anna, None, &ben, false);
        check(&token, None, &anna, false);
        check(&token, Some(&anna), &anna, true);
        check(&token, Some(&anna), &ben, false);
        check(&token, Some(&anna), &key, false);
        check(&token, Some(&key), &key, false);
        check(&key, Some(&Actor::CommandLine), &Actor::CommandLine, false);
    }
}
