//! Creates a business, from the command line.

use checkout_core::currency::CURRENCIES;
use checkout_core::wire::Theme;
use checkout_core::wire::payment::OverpaymentPolicy;
use checkout_core::{Currency, Decimal, Network};
use checkout_domain::access::scope::Scopes;
use checkout_domain::access::token::{self, Caller, TokenHash};
use checkout_domain::business::Business;
use checkout_domain::business::brand_color::BrandColor;
use checkout_domain::business::logo::Logo;
use checkout_domain::ports::{Random, Store, Stored};
use checkout_domain::rates::fiat::Fiat;
use checkout_domain::webhook::signature;
use uuid::Uuid;

/// The operator's settings for a new business; others are defaults.
#[derive(Clone, Debug, Default)]
pub struct NewBusiness {
    pub name: String,
    pub allowed_origins: Vec<String>,
    pub deposit_callback: Option<String>,
    pub withdrawal_callback: Option<String>,
    pub settlement_crypto: Option<Currency>,
    pub settlement_ratio: Option<Decimal>,
    pub refund_excess: bool,
    pub refund_follow_ups: bool,
    pub underpayment_tolerance: Option<Decimal>,
    pub instant_deposit_limit: Option<Decimal>,
    /// Empty for all.
    pub deposit_currencies: Vec<Currency>,
    /// Currencies that are taken on these networks only.
    pub deposit_networks: Vec<(Currency, Network)>,
    /// Empty for all.
    pub display_currencies: Vec<Fiat>,
    pub theme: Theme,
    pub brand_color: Option<BrandColor>,
    /// Given to [`create_with_logo`] as well.
    pub logo: Option<Logo>,
    pub support_url: Option<String>,
}

impl NewBusiness {
    pub fn build(self, id: Uuid, now: u64, random: &dyn Random) -> Business {
        let mut secret = [0; 32];
        random.fill(&mut secret);
        let all_crypto = || CURRENCIES.iter().map(|row| row.currency).collect();
        let all_fiat = || Fiat::all().collect();
        Business {
            id,
            name: self.name,
            created_at: now,
            deposit_callback: self.deposit_callback,
            withdrawal_callback: self.withdrawal_callback,
            callback_secret: signature::new_secret(secret),
            settlement_crypto: self.settlement_crypto.unwrap_or(Currency::Btc),
            settlement_ratio: self.settlement_ratio.unwrap_or(Decimal::ZERO),
            deposit_networks: self.deposit_networks,
            deposit_currencies: or_all(self.deposit_currencies, all_crypto),
            display_currencies: or_all(self.display_currencies, all_fiat),
            overpayment_policy: if self.refund_excess {
                OverpaymentPolicy::ExcessRefund
            } else {
                OverpaymentPolicy::Process
            },
            refund_follow_ups: self.refund_follow_ups,
            underpayment_tolerance: self.underpayment_tolerance,
            instant_deposit_limit: self.instant_deposit_limit,
            theme: self.theme,
            brand_color: self.brand_color,
            logo: self.logo.map(|logo| logo.file),
            support_url: self.support_url,
            allowed_origins: self.allowed_origins,
        }
    }
}

fn or_all<T>(given: Vec<T>, all: impl FnOnce() -> Vec<T>) -> Vec<T> {
    if given.is_empty() { all() } else { given }
}

/// Stores the business with a new token, which is shown once.
pub async fn create(store: &dyn Store, business: &Business, random: &dyn Random) -> Stored<String> {
    create_with_logo(store, business, None, random).await
}

/// The same with the business's logo.
pub async fn create_with_logo(
    store: &dyn Store,
    business: &Business,
    logo: Option<&Logo>,
    random: &dyn Random,
) -> Stored<String> {
    let token = new_token(token::BUSINESS, random);
    let mut tx = store.begin().await?;
    tx.put_business(business).await?;
    tx.put_logo(business.id, logo).await?;
    let caller = Caller::Business(business.id);
    tx.put_credential(&TokenHash::of(&token), caller, Scopes::EVERYTHING, business.created_at).await?;
    tx.commit().await?;
    Ok(token)
}

/// Stores a new key for all businesses of this gateway; it is shown once.
pub async fn create_organisation_key(store: &dyn Store, now: u64, random: &dyn Random) -> Stored<String> {
    let token = new_token(token::ORGANISATION, random);
    let mut tx = store.begin().await?;
    tx.put_credential(&TokenHash::of(&token), Caller::Organisation, Scopes::EVERYTHING, now).await?;
    tx.commit().await?;
    Ok(token)
}

fn new_token(prefix: &str, random: &dyn Random) -> String {
    let mut bytes = [0; 32];
    random.fill(&mut bytes);
    token::from_random(prefix, bytes)
}
