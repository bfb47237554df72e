//! Creates and revokes tokens and secrets, from the command line.

use checkout_domain::access::actor::Actor;
use checkout_domain::access::scope::Scopes;
use checkout_domain::access::token::{self, Caller, TokenHash};
use checkout_domain::callback::signature;
use checkout_domain::ids::BusinessId;
use checkout_domain::ports::{Random, Store, Stored, random_bytes};

/// The shortest prefix of a hash that identifies a token.
pub const SHORTEST_HANDLE: usize = 8;

/// The result of a revocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Revoked {
    Done,
    Unknown,
    /// Several tokens have this prefix; none was revoked.
    Ambiguous,
}

/// Creates a token for an existing caller, shown once; `None` if the business or payment does not exist. A session has
/// no scopes.
pub async fn create(
    store: &dyn Store,
    caller: Caller,
    scopes: Scopes,
    now: u64,
    random: &dyn Random,
) -> Stored<Option<String>> {
    let prefix = match caller {
        Caller::Organisation => token::ORGANISATION,
        Caller::Business(id) if store.business(id).await?.is_some() => token::BUSINESS,
        Caller::Session { payment } if store.payment(payment).await?.is_some() => "",
        Caller::Business(_) | Caller::Session { .. } => return Ok(None),
    };
    let token = token::from_random(prefix, random_bytes(random));
    let mut tx = store.begin().await?;
    match caller {
        Caller::Session { payment } => tx.put_session(&TokenHash::of(&token), payment, now).await?,
        Caller::Organisation | Caller::Business(_) => {
            tx.put_credential(&TokenHash::of(&token), caller, scopes, now).await?;
        }
    }
    tx.commit().await?;
    Ok(Some(token))
}

/// Revokes one token immediately, by a prefix of its hash.
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

/// Creates a token of a business, shown once. Those with the same scopes expire after `overlap` seconds; if the new one
/// may do everything, all others. `None` if the business does not exist. `maker`: whose request makes it.
pub async fn rotate_token(
    store: &dyn Store,
    business: BusinessId,
    scopes: Scopes,
    now: u64,
    overlap: u64,
    random: &dyn Random,
    maker: Option<&Actor>,
) -> Stored<Option<String>> {
    if store.business(business).await?.is_none() {
        return Ok(None);
    }
    let token = token::from_random(token::BUSINESS, random_bytes(random));
    let mut tx = store.begin().await?;
    let replaced = Some(scopes).filter(|scopes| *scopes != Scopes::EVERYTHING);
    tx.end_tokens_of(business, replaced, now.saturating_add(overlap)).await?;
    let hash = TokenHash::of(&token);
    tx.put_credential(&hash, Caller::Business(business), scopes, now).await?;
    if let Some(maker) = maker {
        tx.put_maker(&hash, maker).await?;
    }
    tx.commit().await?;
    Ok(Some(token))
}

/// Creates a callback secret of a business; the old one also signs for `overlap` seconds. `None` if the
/// business does not exist.
pub async fn rotate_secret(
    store: &dyn Store,
    business: BusinessId,
    now: u64,
    overlap: u64,
    random: &dyn Random,
) -> Stored<Option<String>> {
    let secret = signature::new_secret(random_bytes(random));
    let mut tx = store.begin().await?;
    let found = tx.rotate_secret(business, &secret, now.saturating_add(overlap)).await?;
    tx.commit().await?;
    Ok(found.then_some(secret))
}
