//! The gateway with everything that its use cases need, and the operator's settings.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use checkout_core::{Currency, Decimal, Network};
use checkout_domain::access::rate_limits::RateLimits;
use checkout_domain::access::token::TokenKey;
use checkout_domain::business::service_fees::ServiceFees;
use checkout_domain::chain::environment::Environments;
use checkout_domain::chain::finality::Finality;
use checkout_domain::chain::opt_ins::OptIns;
use checkout_domain::chain::polling::Polling;
use checkout_domain::ledger::money::{Money, Round};
use checkout_domain::payment::confirmations::Confirmations;
use checkout_domain::ports::broadcaster::Broadcaster;
use checkout_domain::ports::callbacks::WebhookSender;
use checkout_domain::ports::page::PageRenderer;
use checkout_domain::ports::screening::Screening;
use checkout_domain::ports::{Addresses, Chain, Clock, NoRate, Random, Rates, Store, random_bytes};
use checkout_domain::rates::asset::Asset;
use checkout_domain::rates::fiat::Fiat;
use checkout_domain::rates::market::{MarketRate, MarketRates};
use uuid::Uuid;

use crate::background::Health;
use crate::metrics::Metrics;
use crate::service::ids::Ids;
use crate::service::mail::Mail;
use crate::service::payments::past_choices::KnownChoices;
use crate::service::payouts::compare_wallets::Wallets;
use crate::service::payouts::network_fee::NetworkFees;
use crate::service::payouts::pay_out::{ForeignQuestions, Remembered};
use crate::service::state::network_status::NetworkStatus;
use crate::service::state::polls::Polls;
use crate::service::state::progress::Progress;
use crate::service::state::readiness::LastLook;
use crate::service::state::round_robin::RoundRobin;
use crate::service::transfers::missing_rate::MissingRate;

/// How many refunds of one payment are sent automatically in a day, if the operator sets nothing else.
pub const REFUNDS_PER_DAY: u32 = 5;

/// The operator's settings; the default is that of a gateway without a configuration file.
#[derive(Clone, Debug)]
pub struct Policy {
    /// Withdrawal callbacks also contain `deductedSettlementAmount`.
    pub both_spellings: bool,
    pub fees: ServiceFees,
    /// The confirmations that deposits need by their amount.
    pub confirmations: Confirmations,
    /// The confirmations required for finality.
    pub finality: Finality,
    /// How often networks are asked.
    pub polling: Polling,
    /// The chains on test networks.
    pub environments: Environments,
    /// Rate limits.
    pub limits: RateLimits,
    /// How many refunds of one payment are sent automatically in a day.
    pub refunds_per_day: u32,
    /// EUR that may leave of one business in an hour; `None`: as much as it has.
    pub hourly_limit: Option<Decimal>,
    /// Whether its money is simulated.
    pub sandbox: bool,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            both_spellings: false,
            fees: ServiceFees::NONE,
            confirmations: Confirmations::default(),
            finality: Finality::default(),
            polling: Polling::default(),
            environments: Environments::default(),
            limits: RateLimits::standard(true),
            refunds_per_day: REFUNDS_PER_DAY,
            hourly_limit: None,
            sandbox: false,
        }
    }
}

/// State of one process. No answer to a merchant or payer depends on it.
#[derive(Debug, Default)]
pub struct State {
    pub metrics: Metrics,
    pub ids: Ids,
    /// A request had `X-Forwarded-For`, but no proxy is trusted.
    pub proxy_seen: AtomicBool,
    /// The health of the background work.
    pub health: Arc<Health>,
    pub last_look: LastLook,
    pub networks: NetworkStatus,
    pub polls: Polls,
    pub progress: Progress,
    /// The position in the round of screening requests.
    pub deposits_turn: RoundRobin,
    pub withdrawals_turn: RoundRobin,
    pub payouts: Remembered,
    pub wallets: Wallets,
    pub foreign_questions: ForeignQuestions,
    pub network_fees: NetworkFees,
    pub choices: KnownChoices,
}

/// Everything that a use case needs: an adapter for each port, the operator's settings, and the state of the
/// process.
#[derive(Clone)]
pub struct App {
    pub store: Arc<dyn Store>,
    pub clock: Arc<dyn Clock>,
    pub rates: Arc<dyn Rates>,
    pub random: Arc<dyn Random>,
    pub addresses: Arc<dyn Addresses>,
    /// The watched networks. Others are not quoted.
    pub chains: BTreeMap<Network, Arc<dyn Chain>>,
    /// The networks with payouts. Others have no withdrawals.
    pub broadcasters: BTreeMap<Network, Arc<dyn Broadcaster>>,
    pub screening: Arc<dyn Screening>,
    /// The sender of webhooks.
    pub webhooks: Arc<dyn WebhookSender>,
    /// Where mails go out; `None`: there are none.
    pub mail: Option<Mail>,
    /// The renderer of the hosted page.
    pub page: Arc<dyn PageRenderer>,
    pub policy: Policy,
    pub tokens: TokenKey,
    /// The URL of the gateway for browsers, without a trailing slash.
    pub public_url: String,
    pub state: Arc<State>,
}

impl App {
    /// Creates an id that is higher than all previous ones.
    pub fn new_id(&self) -> Uuid {
        self.state.ids.next(self.clock.now_millis())
    }

    /// The configured networks that the interface lacks.
    pub fn opt_ins(&self) -> OptIns {
        OptIns::of(self.chains.keys().copied())
    }

    pub fn random<const N: usize>(&self) -> [u8; N] {
        random_bytes(self.random.as_ref())
    }

    /// What the market pays for a currency.
    pub fn market_rates(&self, currency: Currency, fiat: Fiat) -> Result<MarketRates, MissingRate> {
        let rate = |fiat| {
            let (from, to) = (Asset::Crypto(currency), Asset::Fiat(fiat));
            self.rates.rate(from, to).map_err(|NoRate| MissingRate { from, to, account: None })
        };
        let (display, uniform): (Decimal, Decimal) = (rate(fiat)?, rate(Fiat::EUR)?);
        Ok(MarketRates { display, uniform: MarketRate::new(uniform) })
    }

    /// The value of money in EUR now, rounded up; the maximum beyond the numeric range.
    pub fn eur(&self, money: Money) -> Result<Decimal, NoRate> {
        let eur = Asset::Fiat(Fiat::EUR);
        let rate = self.rates.rate(money.asset, eur)?;
        let value = money.convert(eur, rate, Decimal::ONE, Round::Up);
        Ok(value.map_or(Decimal::MAX, Money::to_decimal))
    }
}
