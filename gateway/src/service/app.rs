use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use checkout_core::{Currency, Decimal, Network};
use uuid::Uuid;

use crate::background::Health;
use crate::domain::access::rate_limits::Limits;
use crate::domain::access::token::TokenKey;
use crate::domain::business::service_fees::ServiceFees;
use crate::domain::chain::environment::Environments;
use crate::domain::chain::finality::Finality;
use crate::domain::payment::quote;
use crate::domain::rates::asset::Asset;
use crate::domain::rates::fiat::Fiat;
use crate::metrics::Metrics;
use crate::ports::broadcaster::Broadcaster;
use crate::ports::callbacks::WebhookSender;
use crate::ports::page::PageRenderer;
use crate::ports::screening::Screening;
use crate::ports::{Addresses, Chain, Clock, NoRate, Random, Rates, Store};
use crate::service::ids::Ids;
use crate::service::network_status::NetworkStatus;
use crate::service::pay_out::Stuck;
use crate::service::readiness::LastLook;
use crate::service::round_robin::RoundRobin;

/// Whom the screening is asked about next.
#[derive(Debug, Default)]
pub struct RoundRobins {
    pub deposits: RoundRobin,
    pub withdrawals: RoundRobin,
}

/// What an application stands on: one adapter for each port.
#[derive(Clone)]
pub struct Adapters {
    pub store: Arc<dyn Store>,
    pub clock: Arc<dyn Clock>,
    pub rates: Arc<dyn Rates>,
    pub random: Arc<dyn Random>,
    pub addresses: Arc<dyn Addresses>,
    pub chains: BTreeMap<Network, Arc<dyn Chain>>,
    pub broadcasters: BTreeMap<Network, Arc<dyn Broadcaster>>,
    pub screening: Arc<dyn Screening>,
    pub webhooks: Arc<dyn WebhookSender>,
    /// Draws the hosted page.
    pub page: Arc<dyn PageRenderer>,
}

/// What an operator decides about a gateway.
#[derive(Clone, Debug)]
pub struct Policy {
    /// Withdrawal callbacks say `deductedSettlementAmount`, too.
    pub both_spellings: bool,
    pub fees: ServiceFees,
    pub finality: Finality,
    /// The chains that are used on a network for tests.
    pub environments: Environments,
    pub limits: Limits,
    /// Its money is not real.
    pub sandbox: bool,
}

/// Everything a use case works with.
#[derive(Clone)]
pub struct App {
    pub store: Arc<dyn Store>,
    pub clock: Arc<dyn Clock>,
    pub rates: Arc<dyn Rates>,
    pub random: Arc<dyn Random>,
    pub addresses: Arc<dyn Addresses>,
    /// The networks that are watched. Nothing is quoted on others.
    pub chains: BTreeMap<Network, Arc<dyn Chain>>,
    /// The networks that are sent on. Nothing is withdrawn on others.
    pub broadcasters: BTreeMap<Network, Arc<dyn Broadcaster>>,
    pub screening: Arc<dyn Screening>,
    pub fees: ServiceFees,
    /// From how many blocks on nothing leaves its chain.
    pub finality: Finality,
    /// The chains that are used on a network for tests.
    pub environments: Environments,
    /// The way to merchants.
    pub webhooks: Arc<dyn WebhookSender>,
    /// Draws the hosted page.
    pub page: Arc<dyn PageRenderer>,
    /// Withdrawal callbacks say `deductedSettlementAmount`, too.
    pub both_spellings: bool,
    pub tokens: TokenKey,
    /// Where browsers reach the gateway, without a slash at the end.
    pub public_url: String,
    /// How much is answered to whom.
    pub limits: Limits,
    pub metrics: Arc<Metrics>,
    pub ids: Arc<Ids>,
    /// A request carried `X-Forwarded-For`, and no proxy is trusted.
    pub proxy_seen: Arc<AtomicBool>,
    /// How the background work goes.
    pub health: Arc<Health>,
    pub last_look: Arc<LastLook>,
    pub networks: Arc<NetworkStatus>,
    pub turns: Arc<RoundRobins>,
    pub stuck: Arc<Stuck>,
    /// Its money is not real.
    pub sandbox: bool,
}

impl App {
    /// `public_url` has no slash at the end.
    pub fn new(adapters: Adapters, policy: Policy, tokens: TokenKey, public_url: String) -> Self {
        let Adapters {
            store,
            clock,
            rates,
            random,
            addresses,
            chains,
            broadcasters,
            screening,
            webhooks,
            page,
        } = adapters;
        let Policy { both_spellings, fees, finality, environments, limits, sandbox } = policy;
        Self {
            store,
            clock,
            rates,
            random,
            addresses,
            chains,
            broadcasters,
            screening,
            webhooks,
            page,
            both_spellings,
            fees,
            finality,
            environments,
            tokens,
            public_url,
            limits,
            sandbox,
            metrics: Arc::default(),
            ids: Arc::default(),
            proxy_seen: Arc::default(),
            health: Arc::default(),
            last_look: Arc::default(),
            networks: Arc::default(),
            turns: Arc::default(),
            stuck: Arc::default(),
        }
    }

    /// An id that is higher than every one before.
    pub fn new_id(&self) -> Uuid {
        self.ids.next(self.clock.now_millis())
    }

    pub fn random<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        self.random.fill(&mut bytes);
        bytes
    }

    /// What a quote in `currency` needs.
    pub fn quote_rates(&self, currency: Currency, fiat: Fiat) -> Result<quote::Rates, NoRate> {
        let rate = |fiat| self.rates.rate(Asset::Crypto(currency), Asset::Fiat(fiat));
        let (display, uniform): (Decimal, Decimal) = (rate(fiat)?, rate(Fiat::EUR)?);
        Ok(quote::Rates { display, uniform })
    }
}
