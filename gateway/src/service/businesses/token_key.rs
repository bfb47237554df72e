//! The key of derived tokens, one per database.

use checkout_domain::access::token::TokenKey;
use checkout_domain::ports::{Random, Store, StoreError, Stored, random_bytes};

/// Generates the key at the first start.
pub async fn token_key(store: &dyn Store, random: &dyn Random) -> Stored<TokenKey> {
    let mut tx = store.begin().await?;
    let text = tx.put_setting_if_absent("token_key", &TokenKey::new(random_bytes(random)).to_text()).await?;
    tx.commit().await?;
    TokenKey::parse(&text).ok_or_else(|| StoreError("the token key cannot be read".into()))
}
