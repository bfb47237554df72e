//! The settings of a business that an operator gives, of a new one and as changes. Absent ones stay; at first they are those of
//! [`Business::new`].

use checkout_core::{Currency, Decimal, Network};
use checkout_wire::Theme;
use checkout_wire::payment::{OverpaymentPolicy, RefundAddress};

use super::Business;
use super::brand_color::BrandColor;
use super::events::EventChoice;
use super::logo::Logo;
use crate::rates::fiat::Fiat;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    pub name: Option<String>,
    pub disabled: Option<bool>,
    /// All of them.
    pub allowed_origins: Option<Vec<String>>,
    /// Beside those that the business has.
    pub added_origins: Vec<String>,
    pub removed_origins: Vec<String>,
    /// An empty string removes the URL.
    pub deposit_callback: Option<String>,
    pub withdrawal_callback: Option<String>,
    pub event_url: Option<String>,
    pub events: Option<Vec<EventChoice>>,
    pub deposit_currencies: Option<Vec<Currency>>,
    /// Currencies that are taken on these networks only. Without it, new currencies are taken everywhere.
    pub deposit_networks: Option<Vec<(Currency, Network)>>,
    pub display_currencies: Option<Vec<Fiat>>,
    /// Refunds the excess of an overpayment, or credits all; for payments created afterwards.
    pub refund_excess: Option<bool>,
    pub refund_follow_ups: Option<bool>,
    /// For refunds that are planned afterwards.
    pub refund_address: Option<RefundAddress>,
    pub underpayment_tolerance: Option<Decimal>,
    /// For deposits first seen afterwards; `Some(None)` settles each in its own currency.
    pub settlement_crypto: Option<Option<Currency>>,
    /// From 0 to 1.
    pub settlement_ratio: Option<Decimal>,
    /// In EUR, for transfers first seen from now on; `Some(None)` removes the limit.
    pub instant_deposit_limit: Option<Option<Decimal>>,
    pub theme: Option<Theme>,
    /// `Some(None)` removes the colour.
    pub brand_color: Option<Option<BrandColor>>,
    /// `Some(None)` removes the logo.
    pub logo: Option<Option<Logo>>,
    /// An empty text removes the link.
    pub support_url: Option<String>,
    /// False removes the webhooks of shops, too.
    pub greenfield: Option<bool>,
}

impl Settings {
    /// Returns the logo if it changes: its image is not in the business.
    #[must_use = "the image is stored apart from the business"]
    pub fn apply(self, business: &mut Business) -> Option<Option<Logo>> {
        fn set<T>(place: &mut T, new: Option<T>) {
            if let Some(new) = new {
                *place = new;
            }
        }
        let url = |url: String| Some(url).filter(|url| !url.is_empty());
        let policy = |refund_excess: bool| {
            if refund_excess { OverpaymentPolicy::ExcessRefund } else { OverpaymentPolicy::Process }
        };
        set(&mut business.name, self.name);
        set(&mut business.disabled, self.disabled);
        set(&mut business.allowed_origins, self.allowed_origins);
        business.allowed_origins.retain(|origin| !self.removed_origins.contains(origin));
        for origin in self.added_origins {
            if !business.allowed_origins.contains(&origin) {
                business.allowed_origins.push(origin);
            }
        }
        set(&mut business.deposit_callback, self.deposit_callback.map(url));
        set(&mut business.withdrawal_callback, self.withdrawal_callback.map(url));
        set(&mut business.event_url, self.event_url.map(url));
        set(&mut business.events, self.events);
        let everywhere = self.deposit_currencies.is_some().then(Vec::new);
        set(&mut business.deposit_networks, self.deposit_networks.or(everywhere));
        set(&mut business.deposit_currencies, self.deposit_currencies);
        set(&mut business.display_currencies, self.display_currencies);
        set(&mut business.overpayment_policy, self.refund_excess.map(policy));
        set(&mut business.refund_follow_ups, self.refund_follow_ups);
        set(&mut business.refund_address, self.refund_address);
        set(&mut business.underpayment_tolerance, self.underpayment_tolerance.map(Some));
        set(&mut business.settlement_crypto, self.settlement_crypto);
        set(&mut business.settlement_ratio, self.settlement_ratio);
        set(&mut business.instant_deposit_limit, self.instant_deposit_limit);
        set(&mut business.theme, self.theme);
        set(&mut business.brand_color, self.brand_color);
        set(&mut business.support_url, self.support_url.map(url));
        match self.greenfield {
            Some(true) => _ = business.greenfield.get_or_insert_default(),
            Some(false) => business.greenfield = None,
            None => {}
        }
        let file = |logo: &Option<Logo>| logo.as_ref().map(|logo| logo.file.clone());
        set(&mut business.logo, self.logo.as_ref().map(file));
        self.logo
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use crate::ids::BusinessId;

    use super::*;

    #[test]
    fn origins_are_replaced_added_and_removed() {
        let origins =
            |names: &[&str]| names.iter().map(|name| format!("https://{name}.example")).collect::<Vec<_>>();
        let check = |all: Option<&[&str]>, added: &[&str], removed: &[&str], expected: &[&str]| {
            let mut business = Business::new(BusinessId(Uuid::nil()), 0, String::new());
            business.allowed_origins = origins(&["a", "b"]);
            let settings = Settings {
                allowed_origins: all.map(origins),
                added_origins: origins(added),
                removed_origins: origins(removed),
                ..Settings::default()
            };
            assert_eq!(settings.apply(&mut business), None);
            assert_eq!(business.allowed_origins, origins(expected), "{all:?} {added:?} {removed:?}");
        };
        check(None, &[], &[], &["a", "b"]);
        check(Some(&["c"]), &[], &[], &["c"]);
        check(None, &["c"], &[], &["a", "b", "c"]);
        check(None, &["a", "c", "c"], &[], &["a", "b", "c"]);
        check(None, &[], &["a", "x"], &["b"]);
        check(None, &["c"], &["a"], &["b", "c"]);
    }
}
