//! The random part of a payer's session.

use std::fmt;
use std::str::FromStr;

use uuid::Uuid;

/// Makes the session token of a payment unguessable, even with the payment's id. It is no id, and its `Debug` form does not show
/// it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SessionNonce(pub Uuid);

impl fmt::Debug for SessionNonce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SessionNonce")
    }
}

impl FromStr for SessionNonce {
    type Err = uuid::Error;

    fn from_str(text: &str) -> Result<Self, uuid::Error> {
        text.parse().map(Self)
    }
}
