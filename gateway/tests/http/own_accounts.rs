//! No money leaves for an account of this gateway: a deposit address of any business, or the account that pays.

use checkout_core::address::Address;
use checkout_core::{Currency, Network};
use serde_json::{Value, json};

use super::claims::Payer;
use super::merchant_refund_stage::refunding_excess;
use super::{Answer, World, over, payment_body};
use crate::fixture::Look as _;

/// Where an address is given.
const PLACES: [&str; 6] =
    ["withdrawal", "whitelist", "refund", "address of a refund", "claim", "address of an automatic refund"];

/// A pair, an address of nobody here, and the amount of a withdrawal.
type Coin = (&'static str, &'static str, &'static str, &'static str);

const COINS: [Coin; 5] = [
    ("BTC", "BTC", "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", "0.001"),
    ("BCH", "BCH", "bitcoincash:qr95sy3j9xwd2ap32xkykttr4cvcu7as4y0qverfuy", "0.2"),
    ("ETH", "ETH", "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB", "0.02"),
    ("XRP", "XRP", "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh", "20"),
    ("XLM", "XLM", "GBRPYHIL2CI3FNQ4BXLFMNDLFJUNPU2HY3ZMFSHONUCEOASW7QC7OX2H", "100"),
];

/// One business with money to send in each way, and another business of the same gateway.
struct Stage {
    world: World,
    coin: Coin,
    other_token: String,
    paid: String,
    refund: Value,
    payer: Payer,
    claim: Value,
    automatic: Value,
}

impl Stage {
    async fn of(coin: Coin) -> Self {
        let world = World::settling("1", Currency::Btc, refunding_excess()).await;
        world.deposit("float", "9000.00").await;
        let key = world.organisation_key().await;
        let made = world.post("/api/v1/businesses", &key, &json!({"name": "Outlet"})).await;
        let other_token = made.json["token"].as_str().unwrap().to_owned();
        let [paid, twice, automatic] = ["paid", "twice", "automatic"];
        let (paid, _) = pay(&world, coin, paid, 1, json!({})).await;
        let refund = world.refunded(&paid, json!({"clientRefundId": "open", "displayAmount": "50"})).await;
        let (twice, session) = pay(&world, coin, twice, 1, json!({})).await;
        send(&world, &twice, 1, json!({})).await;
        let payer = Payer { id: twice, session };
        let claim = world.claimed(&payer).await;
        let (waits, _) = pay(&world, coin, automatic, 3, json!({"sender": "UNKNOWN"})).await;
        let automatic = json!({"refundId": world.payment(&waits).await["deposits"][0]["id"]});
        Self { world, coin, other_token, paid, refund, payer, claim, automatic }
    }

    /// Gives an address in one of the places.
    async fn give(&self, place: &str, network: &str, id: &str, to: &Value) -> Answer {
        let (world, (currency, _, _, amount)) = (&self.world, self.coin);
        match place {
            "withdrawal" => {
                let fields = json!({"clientWithdrawalId": id, "withdrawCurrency": currency, "network": network,
                    "targetAmount": amount, "withdrawalAccount": "CRYPTO",
                    "recipientAddress": to["address"], "destinationTag": to["destinationTag"]});
                world.withdraw(fields).await
            }
            "whitelist" => {
                let entry = json!({"clientAddressId": id, "currency": currency, "network": network});
                world.post("/whitelist-addresses", &world.token, &over(entry, to.clone())).await
            }
            "refund" => {
                let fields = json!({"clientRefundId": id, "displayAmount": "40"});
                world.refund(&self.paid, over(fields, to.clone())).await
            }
            "address of a refund" => world.decide_refund(&self.refund, "address", Some(to.clone())).await,
            "claim" => world.claim(&self.payer, &self.claim, to.clone()).await,
            _ => world.decide_refund(&self.automatic, "address", Some(to.clone())).await,
        }
    }

    /// Addresses of this gateway in all their forms: whose, the network, address and tag.
    async fn own(&self) -> Vec<(&'static str, String, Value)> {
        let (currency, network, ..) = self.coin;
        let mut all = Vec::new();
        for (whose, token) in [("another business", &self.other_token), ("this business", &self.world.token)]
        {
            let payment = chosen(&self.world, token, (currency, network)).await;
            let address = payment["walletAddress"].as_str().unwrap();
            for form in forms(network, address, payment["destinationTag"].as_str()) {
                all.push((whose, network.to_owned(), form));
            }
            if network == "ETH" {
                all.push((whose, "BSC".to_owned(), json!({"address": address})));
            }
        }
        for form in forms(network, &wallet(&self.world, self.coin).await, Some("7")) {
            all.push(("the account that pays", network.to_owned(), form));
        }
        all
    }
}

/// Chooses the pair for a new payment. Returns the payment.
async fn chosen(world: &World, token: &str, (currency, network): (&str, &str)) -> Value {
    let created = world.post("/api/v1/payments", token, &payment_body(json!({}))).await;
    let path = format!("/api/v1/payments/{}", created.payment_id());
    let choice = json!({"depositCurrency": currency, "network": network});
    let patched = world.patch(&path, &created.session_token(), &choice).await;
    assert_eq!(patched.status, 200, "{}", patched.json);
    world.get(&path, token).await.json
}

/// The account from which a withdrawal leaves.
async fn wallet(world: &World, (currency, network, stranger, amount): Coin) -> String {
    let fields = json!({"clientWithdrawalId": "first", "withdrawCurrency": currency, "network": network,
        "targetAmount": amount, "withdrawalAccount": "CRYPTO", "recipientAddress": stranger});
    let made = world.withdraw(fields).await;
    assert_eq!(made.status, 201, "{}", made.json);
    world.run().await;
    let payer =
        "SELECT from_address FROM sim_transfers WHERE transaction_id IN (SELECT transaction_id FROM payouts)";
    world.database.texts(payer).await[0][0].clone().unwrap()
}

/// The texts of an account, with and without a tag.
fn forms(network: &str, address: &str, tag: Option<&str>) -> Vec<Value> {
    let plain = json!({"address": address});
    let another = match network {
        "BTC" => json!({"address": address.to_ascii_uppercase()}),
        "BCH" => json!({"address": address.strip_prefix("bitcoincash:").unwrap_or(address)}),
        "ETH" => json!({"address": address.to_ascii_lowercase()}),
        _ => {
            let account = Address::parse(network.parse::<Network>().unwrap(), address).unwrap();
            let tag = tag.unwrap();
            let tagged = account.with_tag(tag.parse().unwrap()).unwrap().to_string();
            let with_tag = json!({"address": address, "destinationTag": tag});
            return vec![plain, with_tag, json!({"address": tagged})];
        }
    };
    vec![plain, another]
}

/// A new payment that gets so many times its price in one transfer.
async fn pay(world: &World, coin: Coin, order: &str, times: u32, fields: Value) -> (String, String) {
    let (id, session) = world.quoted(json!({"clientPaymentId": order}), coin.0, coin.1).await;
    send(world, &id, times, fields).await;
    (id, session)
}

async fn send(world: &World, id: &str, times: u32, fields: Value) {
    let payment = world.payment(id).await;
    let expected: f64 = payment["expectedDepositAmount"].as_str().unwrap().parse().unwrap();
    let amount = format!("{:.6}", expected * f64::from(times) + 0.000_001);
    let body = json!({"network": payment["expectedNetwork"], "currency": payment["depositCurrency"],
        "address": payment["walletAddress"], "destinationTag": payment["destinationTag"], "amount": amount});
    world.sandbox("transfers", over(over(body, json!({})), fields)).await;
    world.mine(payment["expectedNetwork"].as_str().unwrap()).await;
    world.run().await;
}

#[tokio::test]
async fn no_address_of_this_gateway_is_paid_wherever_it_is_given() {
    for coin in COINS {
        let stage = Stage::of(coin).await;
        let own = stage.own().await;
        let world = &stage.world;
        let (before, sent) = (world.balances().await, world.sent().await);
        let mut wrong = Vec::new();
        for (number, (whose, network, to)) in own.iter().enumerate() {
            for place in PLACES {
                // A refund goes back on the network of its payment.
                if network != coin.1 && !["withdrawal", "whitelist"].contains(&place) {
                    continue;
                }
                let answer = stage.give(place, network, &format!("{place} {number}"), to).await;
                if !is_refused(&answer) {
                    let errors = answer.errors();
                    wrong.push(format!("{place}, {whose} on {network} {to}: {} {errors:?}", answer.status));
                }
            }
        }
        assert!(wrong.is_empty(), "{} accepted or refused for another reason: {wrong:#?}", wrong.len());
        assert_eq!(world.balances().await, before, "{coin:?}: something was reserved");
        world.run().await;
        assert_eq!(world.sent().await, sent, "{coin:?}");
        for place in PLACES {
            let answer = stage.give(place, coin.1, place, &json!({"address": coin.2})).await;
            assert!(answer.status.is_success(), "{place} to somebody else: {}", answer.json);
        }
    }
}

/// 422 is what the contract has for a refused field; the code is what matters.
fn is_refused(answer: &Answer) -> bool {
    let codes = answer.errors().into_iter().map(|(_, code)| code);
    let mut codes = codes.chain(answer.json["code"].as_str().map(str::to_owned));
    [400, 422].contains(&answer.status.as_u16()) && codes.any(|code| code == "own_address")
}

/// What the gateway paid out came back in as a payment, or somebody who holds its keys pays from a deposit address.
#[tokio::test]
async fn an_automatic_refund_never_goes_to_an_account_of_this_gateway() {
    for coin in COINS {
        let stage = Stage::of(coin).await;
        let world = &stage.world;
        let other = chosen(world, &stage.other_token, (coin.0, coin.1)).await["walletAddress"].clone();
        let wallet = json!(wallet(world, coin).await);
        for (order, from) in [("from the wallet", &wallet), ("from a deposit address", &other)] {
            let sent = world.sent().await;
            let (id, session) = pay(world, coin, order, 3, json!({"fromAddress": from})).await;
            let shown = world.payment(&id).await["deposits"][0]["refund"].clone();
            let have = [&shown["status"], &shown["waitingFor"]];
            assert_eq!(have, ["PENDING", "ADDRESS"], "{coin:?} {order}: {shown:#}");
            assert!(shown["waitingReason"].is_string(), "{coin:?} {order}: {shown:#}");
            let deposit = json!({"refundId": world.payment(&id).await["deposits"][0]["id"]});
            let approved = world.decide_refund(&deposit, "approve", None).await;
            assert!(approved.status.is_client_error(), "{coin:?} {order}: {}", approved.json);
            world.advance(90_000).await;
            world.run().await;
            assert_eq!(world.sent().await, sent, "{coin:?} {order}");
            let payer = Payer { id, session };
            let asked = world.ask(&payer, coin.2).await;
            assert_eq!(asked["address"], coin.2, "the payer gets it elsewhere");
        }
    }
}
