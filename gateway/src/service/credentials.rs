//! Tokens and secrets come and go: the operator's side, by the command line.

use uuid::Uuid;

use crate::domain::access::token::{self, Caller, TokenHash};
use crate::domain::webhook::signature;
use crate::ports::{Random, Store, Stored};

/// The shortest beginning of a hash that stands for a token.
pub const SHORTEST_HANDLE: usize = 8;

/// What became of a wish to revoke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Revoked {
    Done,
    Unknown,
    /// Several tokens begin so; none was revoked.
    Ambiguous,
}

/// A new token for a caller that exists, shown once; `None` when there is no such business or payment.
pub async fn create(
    store: &dyn Store,
    caller: Caller,
    now: u64,
    random: &dyn Random,
) -> Stored<Option<String>> {
    let prefix = match caller {
        Caller::Organisation => token::ORGANISATION,
        Caller::Business(id) if store.business(id).await?.is_some() => token::BUSINESS,
        Caller::Session { payment } if store.payment(payment).await?.is_some() => "",
        Caller::Business(_) | Caller::Session { .. } => return Ok(None),
    };
    let token = new_token(prefix, random);
    let mut tx = store.begin().await?;
    match caller {
        Caller::Session { payment } => tx.put_session(&TokenHash::of(&token), payment, now).await?,
        _ => tx.put_credential(&TokenHash::of(&token), caller, now).await?,
    }
    tx.commit().await?;
    Ok(Some(token))
}

/// Ends one token now, by the beginning of its hash.
pub async fn revoke(store: &dyn Store, handle: &str, now: u64) -> Stored<Revoked> {
    let is_hex = handle.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    if handle.len() < SHORTEST_HANDLE || !is_hex {
        return Ok(Revoked::Unknown);
    }
    let mut tx = store.begin().await?;
    match tx.end_tokens(handle, now).await? {
        0 => Ok(Revoked::Unknown),
        1 => tx.commit().await.map(|()| Revoked::Done),
        _ => Ok(Revoked::Ambiguous),
    }
}

/// A new token of a business, shown once; every other of it ends after `overlap` seconds. `None` when there is
/// no such business.
pub async fn rotate_token(
    store: &dyn Store,
    business: Uuid,
    now: u64,
    overlap: u64,
    random: &dyn Random,
) -> Stored<Option<String>> {
    if store.business(business).await?.is_none() {
        return Ok(None);
    }
    let token = new_token(token::BUSINESS, random);
    let mut tx = store.begin().await?;
    tx.end_tokens_of(business, now.saturating_add(overlap)).await?;
    tx.put_credential(&TokenHash::of(&token), Caller::Business(business), now).await?;
    tx.commit().await?;
    Ok(Some(token))
}

/// A new callback secret of a business; the old one signs beside it for `overlap` seconds. `None` when there
/// is no such business.
pub async fn rotate_secret(
    store: &dyn Store,
    business: Uuid,
    now: u64,
    overlap: u64,
    random: &dyn Random,
) -> Stored<Option<String>> {
    let mut bytes = [0; 32];
    random.fill(&mut bytes);
    let secret = signature::new_secret(bytes);
    let mut tx = store.begin().await?;
    let found = tx.rotate_secret(business, &secret, now.saturating_add(overlap)).await?;
    tx.commit().await?;
    Ok(found.then_some(secret))
}

fn new_token(prefix: &str, random: &dyn Random) -> String {
    let mut bytes = [0; 32];
    random.fill(&mut bytes);
    token::from_random(prefix, bytes)
}
