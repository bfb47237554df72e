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

/// What an operator decides about a gateway; the default is that of one without a configuration file.
#[derive(Clone, Debug)]
pub struct Policy {
    /// Withdrawal callbacks say `deductedSettlementAmount`, too.
    pub both_spellings: bool,
    pub fees: ServiceFees,
    /// From how many blocks on nothing leaves its chain.
    pub finality: Finality,
    /// The chains that are used on a network for tests.
    pub environments: Environments,
    /// How much is answered to whom.
    pub limits: Limits,
    /// Its money is not real.
    pub sandbox: bool,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            both_spellings: false,
            fees: ServiceFees::default(),
            finality: Finality::default(),
            environments: Environments::default(),
            limits: Limits::standard(true),
            sandbox: false,
        }
    }
}

/// What one process notes while it runs. No answer to a merchant or payer comes from here.
#[derive(Debug, Default)]
pub struct State {
    pub metrics: Metrics,
    pub ids: Ids,
    /// A request carried `X-Forwarded-For`, and no proxy is trusted.
    pub proxy_seen: AtomicBool,
    /// How the background work goes.
    pub health: Arc<Health>,
    pub last_look: LastLook,
    pub networks: NetworkStatus,
    /// Whom the screening is asked about next.
    pub deposits_turn: RoundRobin,
    pub withdrawals_turn: RoundRobin,
    pub stuck: Stuck,
}

/// Everything a use case works with: an adapter for each port, the operator's policy, and the state of the process.
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
    /// The way to merchants.
    pub webhooks: Arc<dyn WebhookSender>,
    /// Draws the hosted page.
    pub page: Arc<dyn PageRenderer>,
    pub policy: Policy,
    pub tokens: TokenKey,
    /// Where browsers reach the gateway, without a slash at the end.
    pub public_url: String,
    pub state: Arc<State>,
}

impl App {
    /// An id that is higher than every one before.
    pub fn new_id(&self) -> Uuid {
        self.state.ids.next(self.clock.now_millis())
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
