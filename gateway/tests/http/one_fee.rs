//! Everything that leaves pays the same fee: that of the list, which is what the network asks now, and never less than the table.

use axum::http::Method;
use checkout_core::{Amount, Currency, Network, pair};
use checkout_domain::business::settings::Settings;
use serde_json::{Value, json};

use super::claims::Payer;
use super::merchant_refund_stage::{BTC, check_refused, paid, refunding_excess, world, world_with_finality};
use super::{Answer, World};

/// A pair, what its network asks now in its own coin, the same in the currency, and whether that is more than the table.
type Row = (&'static str, &'static str, &'static str, &'static str, bool);

/// BTC at 60,000 EUR, ETH at 3,000, BNB at 600, TRX at 0.25, USDT at 0.92. Most are 30 times the table.
const ROWS: [Row; 10] = [
    ("BTC", "BTC", "0.0009", "0.0009", true),
    ("LTC", "LTC", "0.003", "0.003", true),
    ("ETH", "ETH", "0.018", "0.018", true),
    ("XRP", "XRP", "0.03", "0.03", true),
    ("USDT", "ETH", "0.018", "58.695652", true),
    ("USDT", "BSC", "0.005", "3.260869", true),
    ("USDT", "TRX", "120", "32.608695", true),
    ("BTC", "BTC", "0.00001", "0.00003", false),
    ("USDT", "TRX", "0.1", "1", false),
    ("USDT", "ETH", "0.0001", "1.5", false),
];

const KINDS: [&str; 4] = ["withdrawal", "refund of the merchant", "claim", "automatic refund"];

impl World {
    async fn network_asks(&self, network: &str, fee: &str) {
        self.sandbox("fees", json!({"network": network, "fee": fee})).await;
        // What was asked before may count for a minute.
        self.advance(61).await;
        self.run().await;
    }

    /// The fee of the list, before anything is asked for.
    async fn listed_fee(&self, currency: &str, network: &str) -> String {
        let all = self.call(Method::GET, "/api/v1/currencies", None, None).await.json;
        let find = |rows: &Value, name: &str, code: &str| {
            rows.as_array().unwrap().iter().find(|row| row[name] == code).unwrap().clone()
        };
        text(&find(&find(&all, "currency", currency)["networks"], "network", network), "withdrawFee")
    }

    async fn withdraw_of(&self, (currency, network): (&str, &str), id: &str) -> Answer {
        let address = network.parse::<Network>().unwrap().spec().example;
        let fields = json!({"clientWithdrawalId": id, "withdrawCurrency": currency, "network": network,
            "recipientAddress": address, "targetAmountPolicy": "FIAT", "targetAmount": "300",
            "withdrawalAccount": "CRYPTO"});
        self.withdraw(fields).await
    }
}

fn text(value: &Value, name: &str) -> String {
    value[name].as_str().unwrap_or_else(|| panic!("{name}: {value:#}")).to_owned()
}

/// A payment of 1,000 EUR that gets these multiples of its price, each in one transfer.
async fn pay(world: &World, (currency, network): (&str, &str), transfers: &[f64]) -> Payer {
    let order = json!({"displayAmount": "1000.00"});
    let (id, session) = world.quoted(order, currency, network).await;
    let expected: f64 = text(&world.payment(&id).await, "expectedDepositAmount").parse().unwrap();
    for times in transfers {
        world.pay(&id, &format!("{:.6}", expected * times + 0.000_001)).await;
        world.mine(network).await;
    }
    Payer { id, session }
}

/// Sends money in one way. Returns the fee that was shown before it left, and what was booked for it.
async fn fee_of(kind: &str, currency: &str, network: &str, asks: &str) -> (String, String) {
    let settings = if kind == "automatic refund" { refunding_excess() } else { Settings::default() };
    let world = World::settling("1", Currency::Btc, settings).await;
    world.deposit("float", "20000.00").await;
    let pair = (currency, network);
    let fee = match kind {
        "withdrawal" => {
            world.network_asks(network, asks).await;
            let made = world.withdraw_of(pair, "w").await;
            assert_eq!(made.status, 201, "{}", made.json);
            let path = format!("/api/v1/withdrawals/{}", text(&made.json, "withdrawId"));
            text(&world.get(&path, &world.token).await.json, "withdrawFee")
        }
        "refund of the merchant" => {
            let payer = pay(&world, pair, &[1.0]).await;
            world.network_asks(network, asks).await;
            let address = network.parse::<Network>().unwrap().spec().example;
            text(&world.refunded(&payer.id, json!({"address": address})).await, "fee")
        }
        "claim" => {
            let payer = pay(&world, pair, &[1.0, 1.0]).await;
            world.network_asks(network, asks).await;
            let shown = text(&world.claimed(&payer).await, "fee");
            let asked = world.ask(&payer, network.parse::<Network>().unwrap().spec().example).await;
            assert_eq!(asked["fee"], shown, "as it was offered");
            world.approve(&asked).await;
            shown
        }
        _ => {
            world.network_asks(network, asks).await;
            let payer = pay(&world, pair, &[2.0]).await;
            text(&world.payment(&payer.id).await["deposits"][0]["refund"], "fee")
        }
    };
    world.run().await;
    (fee, world.balances().await[&format!("COSTS {currency}")].clone())
}

#[tokio::test]
async fn the_fee_is_what_the_network_asks_now_and_that_of_the_list() {
    let mut wrong = Vec::new();
    for (currency, network, asks, least, is_dear) in ROWS {
        let world = World::new().await;
        world.network_asks(network, asks).await;
        let listed = world.listed_fee(currency, network).await;
        let decimals = pair::find(currency.parse().unwrap(), network.parse().unwrap()).unwrap().decimals;
        let atoms = |text: &str| Amount::parse(text, decimals).unwrap().atoms();
        // A margin is for what the network may ask a moment later.
        let most = if is_dear { atoms(least) * 2 } else { atoms(least) };
        if !(atoms(least)..=most).contains(&atoms(&listed)) {
            wrong.push(format!("{currency} on {network} asks {asks}, the list says {listed}"));
        }
        for kind in KINDS {
            let (shown, booked) = fee_of(kind, currency, network, asks).await;
            if !(atoms(least)..=most).contains(&atoms(&shown)) || [&booked, &listed] != [&shown, &shown] {
                wrong.push(format!(
                    "{currency} on {network} asks {asks}, {kind} shows {shown}, books {booked}"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The list of one coin, which has one network.
/// A refund is looked at as soon as it is planned; what its network asks when it is signed counts.
#[tokio::test]
async fn a_fee_that_rose_since_a_refund_was_looked_at_is_charged() {
    let world = world_with_finality(refunding_excess()).await;
    let payer = pay(&world, ("BTC", "BTC"), &[2.0]).await;
    world.run().await;
    let refund = async || world.payment(&payer.id).await["deposits"][0]["refund"].clone();
    assert_eq!(refund().await["fee"], "0.00003", "{:#}", refund().await);
    world.sandbox("fees", json!({"network": "BTC", "fee": "0.0009"})).await;
    world.sandbox("blocks", json!({"network": "BTC", "count": 6})).await;
    world.run().await;
    let fee: f64 = text(&refund().await, "fee").parse().unwrap();
    assert!(fee >= 0.0009, "{fee}");
    assert_eq!(world.sent().await.len(), 1);
}

#[tokio::test]
async fn the_fees_of_a_coin_are_those_of_now() {
    let world = World::new().await;
    world.network_asks("BTC", "0.0009").await;
    let shown =
        world.call(Method::GET, "/api/v1/fees/withdraw/BTC", None, None).await.json["fees"][0].clone();
    assert_eq!(text(&shown, "withdrawFee"), world.listed_fee("BTC", "BTC").await);
    let euros: f64 = text(&shown, "displayWithdrawFee").parse().unwrap();
    assert!((54.0..=108.0).contains(&euros), "{shown:#}");
}

/// What costs more than it is worth does not leave.
#[tokio::test]
async fn a_refund_is_worth_more_than_the_fee_of_now() {
    let world = world().await;
    let id = paid(&world).await;
    world.network_asks("BTC", "0.001").await;
    let refund = async |id: &str, amount: &str| {
        let fields = json!({"clientRefundId": amount, "amount": amount, "address": BTC});
        world.refund(id, fields).await
    };
    check_refused(&refund(&id, "0.001").await, 422, "below_minimum");
    world.network_asks("BTC", "0.0001").await;
    assert_eq!(refund(&id, "0.001").await.status, 201);
}

/// A business says how much a fee may be at most, in EUR. What the network asks above that reserves nothing; once it asks less, or
/// the limit is taken away, the same request is made.
#[tokio::test]
async fn no_fee_is_above_the_limit_of_the_business() {
    let world = world().await;
    let id = paid(&world).await;
    let path = format!("/api/v1/businesses/{}", world.business.id);
    let key = world.organisation_key().await;
    let limit = async |euros: &str| world.patch(&path, &key, &json!({"maximumNetworkFee": euros})).await;
    let set = limit("20").await;
    assert_eq!((set.status.as_u16(), &set.json["maximumNetworkFee"]), (200, &json!("20")), "{}", set.json);
    world.network_asks("BTC", "0.0009").await;
    let before = world.balances().await;
    let refund = async || world.refund(&id, json!({"address": BTC})).await;
    check_refused(&world.withdraw_of(("BTC", "BTC"), "w").await, 422, "above_maximum_fee");
    check_refused(&refund().await, 422, "above_maximum_fee");
    let open = world.refund(&id, json!({"clientRefundId": "open", "amount": "0.0012"})).await;
    check_refused(&open, 422, "above_maximum_fee");
    assert_eq!(world.balances().await, before);
    assert_eq!(
        world.withdraw_of(("LTC", "LTC"), "other").await.status,
        201,
        "another network is as cheap as ever"
    );
    world.network_asks("BTC", "0.0001").await;
    assert_eq!(world.withdraw_of(("BTC", "BTC"), "w").await.status, 201);
    world.network_asks("BTC", "0.0009").await;
    check_refused(&refund().await, 422, "above_maximum_fee");
    assert_eq!(limit("").await.json.get("maximumNetworkFee"), None);
    assert_eq!(refund().await.status, 201);
}
