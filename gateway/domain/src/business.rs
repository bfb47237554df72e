//! A merchant, and the settings of its payments.

pub mod brand_color;
pub mod deposit_pairs;
pub mod events;
pub mod greenfield;
pub mod logo;
pub mod service_fees;
pub mod settings;

use checkout_core::currency::CURRENCIES;
use checkout_core::{Currency, Decimal, Network, pair};
use checkout_wire::Theme;
use checkout_wire::payment::{OverpaymentPolicy, RefundAddress};

use self::brand_color::BrandColor;
use self::deposit_pairs::DepositChoice;
use self::events::{EventChoice, EventType};
use self::greenfield::Greenfield;
use crate::ids::BusinessId;
use crate::rates::fiat::Fiat;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Business {
    pub id: BusinessId,
    pub name: String,
    pub created_at: u64,
    /// It creates no payments and no withdrawals, and sends nothing that waits. Payments that exist go on.
    pub disabled: bool,
    pub deposit_callback: Option<String>,
    pub withdrawal_callback: Option<String>,
    /// Where the chosen events go.
    pub event_url: Option<String>,
    pub events: Vec<EventChoice>,
    /// `whsec_…`, the key of callback signatures.
    pub callback_secret: String,
    /// The currency of the crypto share; `None`: the deposit's own.
    pub settlement_crypto: Option<Currency>,
    /// The share of a deposit that is settled in crypto, 0 to 1.
    pub settlement_ratio: Decimal,
    pub deposit_currencies: Vec<Currency>,
    /// A currency that is here is taken on these networks only, another one on its usual networks.
    pub deposit_networks: Vec<(Currency, Network)>,
    pub display_currencies: Vec<Fiat>,
    pub overpayment_policy: OverpaymentPolicy,
    pub refund_follow_ups: bool,
    /// Who says where an automatic refund goes.
    pub refund_address: RefundAddress,
    /// The share of the expected amount that may be missing, 0 to 1; by default determined by the rate type.
    pub underpayment_tolerance: Option<Decimal>,
    /// In EUR: the amount of a payment up to which deposits are instant. By default none are; in the sandbox
    /// all are.
    pub instant_deposit_limit: Option<Decimal>,
    pub theme: Theme,
    /// The page's accents; by default those of the project.
    pub brand_color: Option<BrandColor>,
    /// The file name of the [logo](logo::Logo), which is shown beside the name.
    pub logo: Option<String>,
    /// Where payers get help: an https or mailto link. `{reference}` is replaced by the payment's reference.
    pub support_url: Option<String>,
    /// Origins that may frame the checkout and call the session routes, matched exactly.
    pub allowed_origins: Vec<String>,
    /// Shops that speak BTCPay Server's Greenfield API are answered.
    pub greenfield: Option<Greenfield>,
}

impl Business {
    /// With the default of each setting.
    pub fn new(id: BusinessId, created_at: u64, callback_secret: String) -> Self {
        Self {
            id,
            name: String::new(),
            created_at,
            disabled: false,
            deposit_callback: None,
            withdrawal_callback: None,
            event_url: None,
            events: vec![EventChoice::All],
            callback_secret,
            settlement_crypto: None,
            settlement_ratio: Decimal::ONE,
            deposit_currencies: CURRENCIES.iter().map(|row| row.currency).collect(),
            deposit_networks: Vec::new(),
            display_currencies: Fiat::all().collect(),
            overpayment_policy: OverpaymentPolicy::Process,
            refund_follow_ups: false,
            refund_address: RefundAddress::Payer,
            underpayment_tolerance: None,
            instant_deposit_limit: None,
            theme: Theme::Light,
            brand_color: None,
            logo: None,
            support_url: None,
            allowed_origins: Vec::new(),
            greenfield: None,
        }
    }

    /// Whether it has this event sent.
    pub fn wants(&self, event: EventType) -> bool {
        self.event_url.is_some() && self.events.iter().any(|choice| choice.has(event))
    }

    /// Whether it has events sent, typed ones or those of shops.
    pub fn hears_events(&self) -> bool {
        self.event_url.is_some() || self.greenfield.as_ref().is_some_and(|shops| !shops.webhooks.is_empty())
    }

    pub fn accepts(&self, currency: Currency) -> bool {
        self.deposit_currencies.contains(&currency)
    }

    /// The choices behind [`accepts_on`](Self::accepts_on).
    pub fn deposit_choices(&self) -> Vec<DepositChoice> {
        let mut choices = Vec::new();
        for currency in self.deposit_currencies.iter().copied() {
            let networks = self.deposit_networks.iter().filter(|(of, _)| *of == currency);
            let before = choices.len();
            choices.extend(networks.map(|(_, only)| DepositChoice { currency, network: Some(*only) }));
            if choices.len() == before {
                choices.push(DepositChoice { currency, network: None });
            }
        }
        choices
    }

    pub fn accepts_on(&self, currency: Currency, network: Network) -> bool {
        let mut chosen = self.deposit_networks.iter().filter(|(of, _)| *of == currency).peekable();
        if chosen.peek().is_some() {
            return self.accepts(currency) && chosen.any(|(_, only)| *only == network);
        }
        self.accepts(currency) && pair::usual(currency).any(|pair| pair.network == network)
    }

    pub fn shows(&self, fiat: Fiat) -> bool {
        self.display_currencies.contains(&fiat)
    }

    /// The default currency of prices.
    pub fn default_display(&self) -> Fiat {
        if self.shows(Fiat::EUR) {
            return Fiat::EUR;
        }
        self.display_currencies.first().copied().unwrap_or(Fiat::EUR)
    }
}
