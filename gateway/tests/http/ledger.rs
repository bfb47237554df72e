//! Balances follow the deposits: nothing is created, booked twice or overdrawn.

use std::collections::BTreeMap;
use std::sync::Arc;

use checkout_core::{Currency, decimal};
use checkout_domain::business::settings::Settings;
use checkout_domain::ledger::money::Money;
use checkout_domain::ledger::{Account, Entry, Header};
use checkout_domain::ports::Store as _;
use checkout_domain::ports::ledger::LedgerStore as _;
use checkout_domain::rates::asset::Asset;
use checkout_domain::rates::fiat::Fiat;
use serde_json::json;

use super::World;

/// Accounts with their balances.
type Balances = &'static [(&'static str, &'static str)];

impl World {
    /// A gateway whose business has these settlement terms.
    pub(super) async fn settling(ratio: &str, crypto: Currency, business: Settings) -> Self {
        Self::with(Settings {
            name: Some("Kettle & Co".to_owned()),
            settlement_ratio: Some(decimal::parse(ratio, 8).unwrap()),
            settlement_crypto: Some(Some(crypto)),
            ..business
        })
        .await
    }

    /// Returns the non-zero balances, such as `FIAT EUR` → `99.50`. Checks that each asset sums to zero.
    pub(super) async fn balances(&self) -> BTreeMap<String, String> {
        let balances = self.database.balances(self.business.id).await.unwrap();
        let mut sums: BTreeMap<&str, i128> = BTreeMap::new();
        for (_, money) in &balances {
            *sums.entry(money.asset.code()).or_default() += money.units;
        }
        assert!(sums.values().all(|sum| *sum == 0), "{balances:?}");
        let nonzero = balances.iter().filter(|(_, money)| money.units != 0);
        nonzero
            .map(|(account, money)| {
                (format!("{} {}", account.as_str(), money.asset.code()), money.to_string())
            })
            .collect()
    }

    #[track_caller]
    pub(super) fn check_balances(have: &BTreeMap<String, String>, expected: &[(&str, &str)]) {
        let expected = expected.iter().map(|(name, amount)| ((*name).to_owned(), (*amount).to_owned()));
        assert_eq!(*have, expected.collect::<BTreeMap<_, _>>());
    }

    /// Creates a payment of this price, pays it in BTC and confirms it.
    pub(super) async fn deposit(&self, order: &str, eur: &str) -> String {
        let fields = json!({"clientPaymentId": order, "displayAmount": eur});
        let (id, _) = self.quoted(fields, "BTC", "BTC").await;
        let amount = self.payment(&id).await["expectedDepositAmount"].as_str().unwrap().to_owned();
        self.pay(&id, &amount).await;
        self.mine("BTC").await;
        id
    }
}

#[tokio::test]
async fn a_deposit_is_settled_by_ratio() {
    let btc = Currency::Btc;
    // 100 EUR at 60,000 are 0.00166667 BTC, worth 100.0002 EUR.
    let cases: [(&str, Currency, Balances); 4] = [
        (
            "0",
            btc,
            &[
                ("CHAIN BTC", "-0.00166667"),
                ("EXCHANGE BTC", "0.00166667"),
                ("EXCHANGE EUR", "-100.00"),
                ("FEES EUR", "0.50"),
                ("FIAT EUR", "99.50"),
            ],
        ),
        ("1", btc, &[("CHAIN BTC", "-0.00166667"), ("CRYPTO BTC", "0.00165834"), ("FEES BTC", "0.00000833")]),
        (
            "0.25",
            btc,
            &[
                ("CHAIN BTC", "-0.00166667"),
                ("CRYPTO BTC", "0.00041458"),
                ("EXCHANGE BTC", "0.00125001"),
                ("EXCHANGE EUR", "-75.00"),
                ("FEES BTC", "0.00000208"),
                ("FEES EUR", "0.37"),
                ("FIAT EUR", "74.63"),
            ],
        ),
        (
            "1",
            Currency::Xrp,
            &[
                ("CHAIN BTC", "-0.00166667"),
                ("CRYPTO XRP", "199.000398"),
                ("EXCHANGE BTC", "0.00166667"),
                ("EXCHANGE XRP", "-200.0004"),
                ("FEES XRP", "1.000002"),
            ],
        ),
    ];
    for (ratio, crypto, expected) in cases {
        let world = World::settling(ratio, crypto, Settings::default()).await;
        world.deposit("order-1", "100.00").await;
        World::check_balances(&world.balances().await, expected);
    }
}

/// The balances of a business that settles in its deposits' own coins, and withdrawals of each.
#[tokio::test]
async fn each_deposit_can_be_settled_in_its_own_coin() {
    let settings = Settings {
        settlement_crypto: Some(None),
        settlement_ratio: Some(checkout_core::Decimal::ONE),
        name: Some("Kettle & Co".to_owned()),
        ..Settings::default()
    };
    let world = World::with(settings).await;
    let shown = world.get(&format!("/api/v1/businesses/{}", world.business.id), &world.token).await.json;
    assert_eq!(
        (&shown["settlementCryptoCurrency"], &shown["settlementCryptoRatio"]),
        (&json!("OWN"), &json!("1"))
    );
    world.deposit("order-1", "1000.00").await;
    let (id, _) = world.quoted(json!({"clientPaymentId": "order-2"}), "ETH", "ETH").await;
    world.pay(&id, "1").await;
    world.mine("ETH").await;
    let deposits = [
        ("CHAIN BTC", "-0.01666667"),
        ("CHAIN ETH", "-1"),
        ("CRYPTO BTC", "0.01658334"),
        ("CRYPTO ETH", "0.995"),
        ("FEES BTC", "0.00008333"),
        ("FEES ETH", "0.005"),
    ];
    World::check_balances(&world.balances().await, &deposits);
    let withdraw = async |id: &str, currency: &str, address: &str, amount: &str| {
        let fields = json!({"clientWithdrawalId": id, "withdrawCurrency": currency, "network": currency,
            "recipientAddress": address, "withdrawalAccount": "CRYPTO", "targetAmount": amount});
        world.withdraw(fields).await
    };
    let (evm, btc) =
        ("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4");
    for (id, currency, address, amount) in [("w-1", "ETH", evm, "0.9"), ("w-2", "BTC", btc, "0.015")] {
        let made = withdraw(id, currency, address, amount).await;
        assert_eq!(
            (made.status.as_u16(), &made.json["settlementCurrency"]),
            (201, &json!(currency)),
            "{}",
            made.json
        );
    }
    let refused = withdraw("w-3", "ETH", evm, "0.1").await;
    assert_eq!(refused.errors(), [("/targetAmount".to_owned(), "insufficient_balance".to_owned())]);
    let refused = withdraw("w-4", "LTC", "ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9", "1").await;
    assert_eq!(refused.errors(), [("/targetAmount".to_owned(), "insufficient_balance".to_owned())]);
}

#[tokio::test]
async fn a_deposit_that_leaves_the_chain_leaves_the_ledger() {
    let world = World::new().await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    let transaction = world.pay(&id, "0.00166667").await;
    World::check_balances(&world.balances().await, &[]);
    world.mine("BTC").await;
    let booked = world.balances().await;
    assert_eq!(booked["FIAT EUR"], "99.50");
    world.sandbox("rates", json!({"from": "BTC", "to": "EUR", "rate": "1"})).await;
    for _ in 0..3 {
        world.sandbox("reorgs", json!({"network": "BTC", "depth": 1})).await;
        World::check_balances(&world.balances().await, &[]);
        world.mine("BTC").await;
        assert_eq!(world.balances().await, booked, "by the terms when first seen");
    }
    let world = world.restart().await;
    world.mine("BTC").await;
    assert_eq!(world.balances().await, booked, "a replay changes nothing");
    world.sandbox("drops", json!({"transactionId": transaction})).await;
    World::check_balances(&world.balances().await, &[]);
}

#[tokio::test]
async fn a_deposit_without_a_rate_stays_in_its_currency() {
    struct OnlyQuotes(Arc<dyn checkout_domain::ports::Rates>);
    impl checkout_domain::ports::Rates for OnlyQuotes {
        fn rate(
            &self,
            from: Asset,
            to: Asset,
        ) -> Result<checkout_core::Decimal, checkout_domain::ports::NoRate> {
            if from == Asset::Crypto(Currency::Xrp) {
                Err(checkout_domain::ports::NoRate)
            } else {
                self.0.rate(from, to)
            }
        }
    }
    let mut world = World::settling("1", Currency::Xrp, Settings::default()).await;
    let rates = Arc::new(OnlyQuotes(world.app.rates.clone()));
    world.app = Arc::new(checkout_gateway::service::App { rates, ..(*world.app).clone() });
    world.router = crate::router(&world.app, &world.simulated);
    world.deposit("order-1", "100.00").await;
    let expected = [("CHAIN BTC", "-0.00166667"), ("CRYPTO BTC", "0.00165834"), ("FEES BTC", "0.00000833")];
    World::check_balances(&world.balances().await, &expected);
}

#[tokio::test]
async fn a_cause_is_booked_once() {
    let world = World::new().await;
    let eur = |units| Money { asset: Asset::Fiat(Fiat::EUR), units };
    let post = async |cause: &str, units: i128| {
        let lines = [(Account::Chain, eur(-units)), (Account::Fiat, eur(units))];
        let mut tx = world.database.begin().await.unwrap();
        let header = Header {
            id: world.app.new_id(),
            business: world.business.id,
            cause: cause.to_owned(),
            payment: None,
        };
        let posted = tx.post(&Entry::new(header, |_| None, lines)).await.unwrap();
        tx.commit().await.unwrap();
        posted
    };
    assert!(post("a", 100).await);
    assert!(!post("a", 100).await);
    assert!(!post("a", 7).await, "even with another amount");
    assert!(post("b", 1).await);
    World::check_balances(&world.balances().await, &[("CHAIN EUR", "-1.01"), ("FIAT EUR", "1.01")]);
}

/// Fifty writers request more than the balance: their withdrawals never exceed it.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_overdraft_under_fifty_writers() {
    let world = World::new().await;
    world.deposit("order-1", "1000.00").await;
    let before = world.balances().await["FIAT EUR"].clone();
    assert_eq!(before, "995.00");
    let world = Arc::new(world);
    let tasks: Vec<_> = (0..50)
        .map(|i| {
            let world = Arc::clone(&world);
            tokio::spawn(async move {
                // 50 to 99 EUR each: more than 3,700 EUR in all.
                let fields = json!({"clientWithdrawalId": format!("w-{i}"), "withdrawalAccount": "FIAT",
                    "targetAmountPolicy": "FIAT", "targetAmount": format!("{}.00", 50 + i)});
                world.withdraw(fields).await
            })
        })
        .collect();
    let (mut charged, mut made) = (0, 0);
    let mut refused = Vec::new();
    for (task, amount) in tasks.into_iter().zip(50..) {
        let answer = task.await.unwrap();
        if answer.status.as_u16() == 201 {
            let text = answer.json["settlementDeductedAmount"].as_str().unwrap().replace('.', "");
            charged += text.parse::<i128>().unwrap();
            made += 1;
        } else {
            assert_eq!(answer.errors(), [("/targetAmount".to_owned(), "insufficient_balance".to_owned())]);
            refused.push(amount * 100);
        }
    }
    assert!(made >= 9 && refused.len() >= 30, "{made} made, {} refused", refused.len());
    let balances = world.database.balances(world.business.id).await.unwrap();
    let of = |wanted| {
        let eur = balances.iter().find(|(account, money)| *account == wanted && money.asset.code() == "EUR");
        eur.map_or(0, |(_, money)| money.units)
    };
    assert_eq!((of(Account::Fiat), of(Account::Withdrawals)), (99_500 - charged, charged));
    let least = refused.into_iter().min().expect("some were refused");
    let fees = 200; // 1.80 EUR for the network, and at most 0.10 EUR for the service.
    assert!((0..least + fees).contains(&of(Account::Fiat)), "a refused withdrawal would have fitted");
    world.balances().await;
}
