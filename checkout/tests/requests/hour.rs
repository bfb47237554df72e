//! The requests of an hour in which nothing happens, and of one with payments and withdrawals, at the default pace. They are
//! what `docs/requests.md` says, and fit the limits there.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use checkout_chain_addresses::DepositKeys;
use checkout_core::{Network, decimal};
use checkout_domain::access::actor::Actor;
use checkout_domain::access::rate_limits::RateLimits;
use checkout_domain::access::token::Caller;
use checkout_domain::business::Business;
use checkout_domain::business::settings::Settings;
use checkout_domain::chain::environment::Environments;
use checkout_domain::chain::polling::{Pace, Polling};
use checkout_domain::ids::{BusinessId, PaymentId};
use checkout_domain::ledger::money::Money;
use checkout_domain::ledger::{Account, Entry, Header};
use checkout_domain::ports::{Clock, Store as _};
use checkout_domain::rates::asset::Asset;
use checkout_domain::rates::fiat::Fiat;
use checkout_domain::withdrawal::rules::RuleChanges;
use checkout_gateway::adapters::os_random::OsRandom;
use checkout_gateway::adapters::rule_screening::RuleScreening;
use checkout_gateway::http::requests::fields::Fields;
use checkout_gateway::http::requests::names::Names;
use checkout_gateway::http::{payments, withdrawals};
use checkout_gateway::service::App;
use checkout_gateway::service::app::Policy;
use checkout_gateway::service::businesses::create_business;
use checkout_gateway::service::payments::{choose_deposit, create_payment};
use checkout_gateway::service::payouts::{create_withdrawal, pay_out};
use checkout_gateway::workers;
use checkout_simulator::Sandbox;
use checkout_simulator::clock::MovableClock;
use checkout_storage::{Database, sqlite};
use checkout_wire::PaymentStatus;
use checkout_wire::create_payment::CreatePayment;
use checkout_wire::create_withdrawal::CreateWithdrawal;
use checkout_wire::update_payment::UpdatePayment;
use serde_json::{Value, json};

use super::servers::{Server, coin_key, deposit_keys, is_coin, trade};

const START: u64 = 1_800_000_500;
const HOUR: u64 = 3600;

const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/requests.md");

#[derive(Debug, Default)]
struct TestClock(AtomicU64);

impl Clock for TestClock {
    fn now_millis(&self) -> u64 {
        (START + self.0.load(Ordering::SeqCst)) * 1000
    }
}

impl MovableClock for TestClock {
    fn run_ahead(&self, seconds: u64) {
        self.0.fetch_max(seconds, Ordering::SeqCst);
    }
}

struct World {
    network: Network,
    server: Server,
    app: Arc<App>,
    clock: Arc<TestClock>,
    business: BusinessId,
    _folder: tempfile::TempDir,
}

impl World {
    async fn new(network: Network, pace: Pace) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let database: Database = sqlite::open(&folder.path().join("checkout.db")).await.unwrap();
        let clock = Arc::new(TestClock::default());
        let sandbox = Sandbox { clock: Arc::clone(&clock) as _, ..Sandbox::new(&database) };
        let polling = Polling::with([(network, pace)]);
        let regtest = checkout_chain_bitcoin::Environment::Regtest.test().unwrap();
        let environments = Environments::with(is_coin(network).then_some((network, regtest)));
        let keys = [(network, coin_key(network))];
        let coins = is_coin(network).then(|| DepositKeys::of(&keys, &environments).unwrap());
        let limits = RateLimits::standard(false);
        let policy = Policy { polling, limits, environments, sandbox: true, ..Policy::default() };
        let rules = RuleScreening::new(&[]);
        let mut app = sandbox.app(policy, rules, deposit_keys(), "http://pay.test".to_owned()).await.unwrap();
        let server = Server::start(network, pace == Pace::by_address(), START).await;
        if let Some(coins) = coins {
            app.addresses = Arc::new(coins);
        }
        let addresses = Arc::clone(&app.addresses);
        let (chain, broadcaster) = server.adapters(network, &database, Arc::clone(&clock) as _, addresses);
        // The first look makes the watch-only wallet of a node.
        chain.health().await;
        app.chains.insert(network, chain);
        app.broadcasters.insert(network, broadcaster);
        let business = Settings { name: Some("Kettle & Co".to_owned()), ..Settings::default() };
        let (id, now) = (app.new_id(), app.clock.now());
        let no_limits = RuleChanges::default();
        let created =
            create_business::create(&database, business, no_limits, BusinessId(id), now, &OsRandom, None)
                .await;
        let (business, ..) = created.unwrap();
        let money = Money::of_fiat(Asset::Fiat(Fiat::EUR), decimal::parse("100000", 2).unwrap()).unwrap();
        let lines = [(Account::Chain, money.negated()), (Account::Fiat, money)];
        let mut tx = database.begin().await.unwrap();
        let header =
            Header { id: app.new_id(), business: business.id, cause: "rich".to_owned(), payment: None };
        tx.post(&Entry::new(header, |_| None, lines)).await.unwrap();
        tx.commit().await.unwrap();
        Self { network, server, app: Arc::new(app), clock, business: business.id, _folder: folder }
    }

    /// Everything that is due in the next second.
    async fn second(&self) {
        let second = self.clock.0.fetch_add(1, Ordering::SeqCst) + 1;
        self.server.pass(self.network, second, START + second);
        workers::round(&self.app, self.network).await.unwrap();
    }

    fn caller(&self) -> Caller {
        Caller::Business(self.business)
    }

    async fn business(&self) -> Business {
        self.app.store.business(self.business).await.unwrap().unwrap()
    }

    /// A payer chooses the network. Returns the payment.
    async fn quote(&self, number: u64) -> checkout_wire::Payment {
        let body = json!({"clientPaymentId": format!("order-{number}"), "locale": "en-US", "displayAmount": "10.00", "displayCurrency": "EUR"});
        let mut fields = fields_of(&body, Names::of::<CreatePayment>());
        let request = payments::create_payment::read(&mut fields, true).unwrap();
        let made = create_payment::create(&self.app, &self.business().await, &request).await;
        let id: PaymentId = made
            .map_err(|refused| format!("{refused:?}"))
            .unwrap()
            .body
            .payment_info
            .payment_id
            .parse()
            .unwrap();
        let body =
            json!({"depositCurrency": trade(self.network).currency.code(), "network": self.network.code()});
        let fields = fields_of(&body, Names::of::<UpdatePayment>());
        let choice = payments::update_payment::choice(fields, false);
        let chosen = choose_deposit::choose(&self.app, self.caller(), id, choice).await;
        chosen.ok().unwrap().payment_info
    }

    async fn withdraw(&self, number: u64) {
        let trade = trade(self.network);
        let unwatched = || self.app.addresses.address(self.network, 100_000).unwrap();
        let recipient = trade.recipient.map_or_else(unwatched, str::to_owned);
        let body = json!({
            "clientWithdrawalId": format!("w-{number}"), "recipientAddress": recipient,
            "withdrawCurrency": trade.currency.code(), "network": self.network.code(), "displayCurrency": "EUR",
            "targetAmountPolicy": "CRYPTO", "targetAmount": trade.withdrawn, "withdrawalAccount": "FIAT"
        });
        let mut fields = fields_of(&body, Names::of::<CreateWithdrawal>());
        let environments = &self.app.policy.environments;
        let request = withdrawals::create_withdrawal::read(&mut fields, environments).unwrap();
        let (business, by) = (self.business().await, Actor::CommandLine);
        let made = create_withdrawal::create(&self.app, self.caller(), by, &business, &request).await;
        made.map_err(|refused| format!("{refused:?}")).unwrap();
        pay_out::screen(&self.app).await.unwrap();
    }

    /// Six payments an hour, each paid a minute after it was quoted, and twelve withdrawals.
    async fn busy_hour(&self) {
        let (mut quoted, mut ids) = (None, Vec::new());
        for second in 0..HOUR {
            match second % 600 {
                0 => quoted = Some(self.quote(second).await),
                60 => {
                    let payment: checkout_wire::Payment = quoted.take().unwrap();
                    let tag = payment.destination_tag.as_deref();
                    let (to, amount) =
                        (payment.wallet_address.unwrap(), payment.expected_deposit_amount.unwrap());
                    self.server.pay(self.network, &to, tag, &amount);
                    ids.push(payment.payment_id);
                }
                150 | 450 => self.withdraw(second).await,
                _ => {}
            }
            self.second().await;
        }
        for id in ids {
            let id: PaymentId = id.parse().unwrap();
            let payment = self.app.store.payment(id).await.unwrap().unwrap().payment;
            assert_eq!(payment.status, PaymentStatus::Deposited, "{}: {id}", self.network);
        }
        let withdrawals = self.app.store.newest_withdrawals(100).await.unwrap();
        let statuses: Vec<_> =
            withdrawals.iter().map(|withdrawal| serde_json::to_value(withdrawal.status).unwrap()).collect();
        assert_eq!(statuses, vec!["COMPLETED"; 12], "{}", self.network);
    }
}

/// A row of the table: idle, busy, and the requests and hours of the limit, if there is one.
fn documented(row: &str) -> (u64, u64, Option<(u64, u64)>) {
    let text = std::fs::read_to_string(DOCUMENT).unwrap();
    let row = text.lines().find(|line| line.starts_with(&format!("| {row} |"))).unwrap();
    let cells: Vec<&str> = row.split('|').map(str::trim).collect();
    let number = |text: &str| text.replace(',', "").parse::<u64>().unwrap();
    let limit = match cells[6].split_once(' ') {
        Some((requests, "an hour")) => Some((number(requests), 1)),
        Some((requests, "a day")) => Some((number(requests), 24)),
        _ => None,
    };
    (number(cells[4]), number(cells[5]), limit)
}

async fn check(network: Network) {
    check_row(network, network.code(), Pace::usual(network)).await;
}

async fn check_row(network: Network, row: &str, pace: Pace) {
    let text = std::fs::read_to_string(DOCUMENT).unwrap();
    let paces = format!("| {row} | {} s | {} s |", pace.awaited, pace.idle);
    assert!(text.contains(&paces), "{paces}");

    let world = World::new(network, pace).await;
    // What is asked only once after the start.
    for _ in 0..300 {
        world.second().await;
    }
    let start = world.server.requests();
    for _ in 0..HOUR {
        world.second().await;
    }
    let idle = world.server.requests() - start;
    world.busy_hour().await;
    let busy = world.server.requests() - start - idle;
    let (documented_idle, documented_busy, limit) = documented(row);
    eprintln!("{row}: idle {idle}, busy {busy}");
    for (measured, documented, what) in [(idle, documented_idle, "idle"), (busy, documented_busy, "busy")] {
        // A health check more or less.
        assert!(measured.abs_diff(documented) <= documented / 50 + 2, "{row}, {what}: {measured} requests");
        if let Some((requests, hours)) = limit {
            assert!(measured * hours <= requests, "{row}, {what}: {measured} an hour");
        }
    }
}

#[tokio::test]
async fn an_hour_on_ethereum_fits_a_free_plan() {
    check(Network::Eth).await;
}

#[tokio::test]
async fn an_hour_on_bnb_smart_chain_is_what_the_docs_say() {
    check(Network::Bsc).await;
}

#[tokio::test]
async fn an_hour_on_tron_fits_a_free_key() {
    check(Network::Trx).await;
}

#[tokio::test]
async fn an_hour_on_xrp_is_what_the_docs_say() {
    check(Network::Xrp).await;
}

#[tokio::test]
async fn an_hour_on_stellar_fits_the_default_limit() {
    check(Network::Xlm).await;
}

#[tokio::test]
async fn an_hour_on_bitcoin_is_what_the_docs_say() {
    check(Network::Btc).await;
}

#[tokio::test]
async fn an_hour_on_litecoin_is_what_the_docs_say() {
    check(Network::Ltc).await;
}

#[tokio::test]
async fn an_hour_on_bitcoin_cash_is_what_the_docs_say() {
    check(Network::Bch).await;
}

#[tokio::test]
async fn an_hour_without_a_node_fits_a_public_server() {
    check_row(Network::Ltc, "BTC and LTC through an Esplora server", Pace::by_address()).await;
}

/// The more payouts wait for money, the less often each is tried.
#[tokio::test]
async fn a_queue_of_payouts_leaves_requests_for_reading() {
    let network = Network::Xlm;
    let world = World::new(network, Pace::usual(network)).await;
    world.server.spend_all();
    for number in 0..60 {
        world.withdraw(number).await;
    }
    for _ in 0..300 {
        world.second().await;
    }
    let start = world.server.requests();
    let payment = world.quote(0).await;
    for second in 0..HOUR {
        if second == 60 {
            let (to, amount) =
                (payment.wallet_address.clone().unwrap(), payment.expected_deposit_amount.clone().unwrap());
            world.server.pay(network, &to, payment.destination_tag.as_deref(), &amount);
        }
        world.second().await;
    }
    let (asked, (_, _, limit)) = (world.server.requests() - start, documented(network.code()));
    let (requests, hours) = limit.unwrap();
    assert!(asked * hours <= requests, "{asked} requests in an hour with 60 payouts that wait");
    let payment =
        world.app.store.payment(payment.payment_id.parse().unwrap()).await.unwrap().unwrap().payment;
    assert_eq!(payment.status, PaymentStatus::Deposited);
    let open = world.app.store.open_payouts(Some(network), None).await.unwrap();
    assert_eq!(open.len(), 60, "none was sent");
}

fn fields_of(body: &Value, names: &'static Names) -> Fields {
    Fields::parse(body.to_string().as_bytes(), names).unwrap()
}
