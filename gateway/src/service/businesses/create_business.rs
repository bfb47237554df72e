//! Creates a business.

use checkout_domain::access::actor::Actor;
use checkout_domain::access::scope::Scopes;
use checkout_domain::access::token::{self, Caller, TokenHash};
use checkout_domain::business::Business;
use checkout_domain::business::logo::Logo;
use checkout_domain::business::settings::Settings;
use checkout_domain::callback::signature;
use checkout_domain::ids::BusinessId;
use checkout_domain::ports::{Random, Store, Stored, random_bytes};
use checkout_domain::withdrawal::looser::Limits;
use checkout_domain::withdrawal::rules::{RuleChanges, Rules};

/// A business that is not stored yet, and its logo.
pub fn build(settings: Settings, id: BusinessId, now: u64, random: &dyn Random) -> (Business, Option<Logo>) {
    let mut business = Business::new(id, now, signature::new_secret(random_bytes(random)));
    let logo = settings.apply(&mut business);
    (business, logo.flatten())
}

/// Stores a new business with the limits of its withdrawals. Returns it with its token, which is shown once. `maker`: whose request makes
/// both.
pub async fn create(
    store: &dyn Store,
    settings: Settings,
    rules: RuleChanges,
    id: BusinessId,
    now: u64,
    random: &dyn Random,
    maker: Option<&Actor>,
) -> Stored<(Business, Rules, String)> {
    let (business, logo) = build(settings, id, now, random);
    let rules = rules.apply(Rules::default());
    let token = token::from_random(token::BUSINESS, random_bytes(random));
    let mut tx = store.begin().await?;
    tx.put_business(&business).await?;
    if rules != Rules::default() {
        tx.put_limits(id, &Limits { rules, looser: Vec::new() }).await?;
    }
    tx.put_logo(id, logo.as_ref()).await?;
    let hash = TokenHash::of(&token);
    tx.put_credential(&hash, Caller::Business(id), Scopes::EVERYTHING, now).await?;
    if let Some(maker) = maker {
        tx.put_maker(&hash, maker).await?;
    }
    tx.commit().await?;
    Ok((business, rules, token))
}

/// Stores a new key for all businesses of this gateway; it is shown once.
pub async fn create_organisation_key(store: &dyn Store, now: u64, random: &dyn Random) -> Stored<String> {
    let token = token::from_random(token::ORGANISATION, random_bytes(random));
    let mut tx = store.begin().await?;
    tx.put_credential(&TokenHash::of(&token), Caller::Organisation, Scopes::EVERYTHING, now).await?;
    tx.commit().await?;
    Ok(token)
}
