//! The networks of each currency (interface section 2.10), and their effect on every endpoint.

use std::sync::LazyLock;

use axum::http::{Method, StatusCode};
use checkout_core::chain::CHAINS;
use checkout_core::pair::PAIRS;
use checkout_core::{Amount, Currency, Network};
use checkout_domain::business::settings::Settings;
use serde_json::{Value, json};

use super::{World, over};

/// The published table: each currency with its networks, for deposits and withdrawals alike; the main one is the first.
static TABLE: LazyLock<Vec<(String, Vec<String>)>> = LazyLock::new(|| {
    let mut table: Vec<(String, Vec<String>)> = Vec::new();
    for line in include_str!("../../../core/tests/vectors/pairs.jsonl").lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let [currency, network] = ["currency", "network"].map(|name| row[name].as_str().unwrap().to_owned());
        match table.iter_mut().find(|known| known.0 == currency) {
            _ if row["supported"] != true => {}
            Some(known) => known.1.push(network),
            None => table.push((currency, vec![network])),
        }
    }
    table
});

fn address(network: &str) -> &'static str {
    network.parse::<Network>().unwrap().spec().example
}

fn withdrawal(currency: &str, network: Option<&str>, amount: &str) -> Value {
    let body = json!({
        "clientWithdrawalId": format!("{currency} {network:?} {amount}"), "withdrawCurrency": currency,
        "recipientAddress": address(network.unwrap_or("ETH")), "displayCurrency": "EUR",
        "targetAmountPolicy": "CRYPTO", "targetAmount": amount,
    });
    over(body, json!({"network": network}))
}

fn error(pointer: &str, code: &str) -> Vec<(String, String)> {
    vec![(pointer.to_owned(), code.to_owned())]
}

#[tokio::test]
async fn every_currency_on_every_network() {
    let world = World::new().await;
    let token = world.token.as_str();
    for (currency, networks) in TABLE.iter() {
        for network in CHAINS.iter().filter(|row| !row.network.is_opt_in()).map(|row| row.network.code()) {
            let case = format!("{currency} on {network}");
            let is_pair = networks.iter().any(|known| known == network);
            let refused = error("/network", "unsupported_pair");

            let order = json!({"clientPaymentId": case, "depositCurrency": currency, "network": network});
            let created = world.create(order).await;
            assert_eq!(created.status.as_u16(), if is_pair { 201 } else { 422 }, "{case}: {}", created.json);
            assert!(is_pair || created.errors() == refused, "{case}: {}", created.json);

            let open = world.create(json!({"clientPaymentId": format!("{case}, chosen later")})).await;
            let path = format!("/api/v1/payments/{}", open.payment_id());
            let choice = json!({"depositCurrency": currency, "network": network});
            let chosen = world.patch(&path, token, &choice).await;
            assert_eq!(chosen.status.as_u16(), if is_pair { 200 } else { 422 }, "{case}: {}", chosen.json);
            assert!(is_pair || chosen.errors() == refused, "{case}: {}", chosen.json);
            assert!(!is_pair || chosen.json["paymentInfo"]["expectedNetwork"] == network, "{case}");

            let kept = json!({
                "clientAddressId": case, "currency": currency, "network": network, "address": address(network)
            });
            let kept = world.post("/whitelist-addresses", token, &kept).await;
            assert_eq!(kept.status.as_u16(), if is_pair { 201 } else { 422 }, "{case}: {}", kept.json);
            assert!(is_pair || kept.errors() == refused, "{case}: {}", kept.json);

            // On a valid network, this amount is refused as too small.
            let body = withdrawal(currency, Some(network), "0.000001");
            let asked = world.post("/api/v1/withdrawals", token, &body).await;
            let expected = if is_pair { error("/targetAmount", "below_minimum") } else { refused };
            assert_eq!(asked.errors(), expected, "{case}");

            let path =
                format!("/api/v1/currency/{currency}/network/{network}/address/{}/valid", address(network));
            let verdict = world.call(Method::GET, &path, None, None).await.json;
            assert_eq!(verdict, json!({"valid": is_pair, "supported": is_pair}), "{case}");
        }
    }
}

/// The default network: the main one for a deposit, ETH for a withdrawal, which not every currency has.
#[tokio::test]
async fn no_network() {
    let world = World::new().await;
    for (currency, networks) in TABLE.iter() {
        let open = world.create(json!({"clientPaymentId": currency})).await;
        let path = format!("/api/v1/payments/{}", open.payment_id());
        let chosen = world.patch(&path, &world.token, &json!({"depositCurrency": currency})).await;
        assert_eq!(chosen.json["paymentInfo"]["expectedNetwork"], networks[0], "{currency}: {}", chosen.json);
        let asked =
            world.post("/api/v1/withdrawals", &world.token, &withdrawal(currency, None, "0.000001")).await;
        let expected = if networks.iter().any(|known| known == "ETH") {
            error("/targetAmount", "below_minimum")
        } else {
            error("/network", "unsupported_pair")
        };
        assert_eq!(asked.errors(), expected, "{currency}");
    }
}

/// `minimum` and `maxAmount` are the exact limits, to the last atom.
#[tokio::test]
async fn the_limits_of_every_pair_hold() {
    let world = World::new().await;
    let currencies = world.call(Method::GET, "/api/v1/currencies", None, None).await.json;
    let mut count = 0;
    for row in currencies.as_array().unwrap() {
        for network in row["networks"].as_array().unwrap() {
            let decimals = u8::try_from(network["decimals"].as_u64().unwrap()).unwrap();
            let atoms =
                |name: &str| Amount::parse(network[name].as_str().unwrap(), decimals).unwrap().atoms();
            let (least, most) = (atoms("minimum"), atoms("maxAmount"));
            for (atoms, code) in [
                (least - 1, "below_minimum"),
                (least, "insufficient_balance"),
                (most, "insufficient_balance"),
                (most + 1, "above_maximum"),
            ] {
                let amount = Amount::from_atoms(atoms).unwrap().to_text(decimals);
                let body =
                    withdrawal(row["currency"].as_str().unwrap(), network["network"].as_str(), &amount);
                let asked = world.post("/api/v1/withdrawals", &world.token, &body).await;
                assert_eq!(asked.errors(), error("/targetAmount", code), "{body}");
                count += 1;
            }
        }
    }
    assert_eq!(count, PAIRS.len() * 4);
}

/// Interface section 6.1: only UTXO chains report deposits before confirmation, and always as CONFIRMED.
#[tokio::test]
async fn deposits_are_instant_only_on_utxo_chains() {
    let nowhere = Some("http://127.0.0.1:9/".to_owned());
    let world = World::with(Settings { deposit_callback: nowhere, ..Settings::default() }).await;
    let mut told = 0;
    for (currency, networks) in TABLE.iter() {
        for network in networks {
            let order = json!({"clientPaymentId": format!("{currency} on {network}")});
            let (id, _) = world.quoted(order, currency, network).await;
            let amount = world.payment(&id).await["expectedDepositAmount"].as_str().unwrap().to_owned();
            world.pay(&id, &amount).await;
            let at_first_sight = usize::from(network.parse::<Network>().unwrap().spec().instant);
            for (due, status) in [(at_first_sight, "UNCONFIRMED"), (1, "CONFIRMED")] {
                let all = world.app.store.callbacks(None, None, 100).await.unwrap();
                assert_eq!(all.len(), told + due, "{currency} on {network}, {status}");
                let payment = world.payment(&id).await;
                assert_eq!(payment["deposits"][0]["status"], status);
                if due == 1 {
                    let deposit = payment["deposits"][0]["id"].as_str().unwrap();
                    let of_this = all.iter().find(|one| one.subject.to_string() == deposit).unwrap();
                    let body: Value = serde_json::from_str(&of_this.body).unwrap();
                    let expected =
                        [json!(id), json!("CONFIRMED"), json!(network), payment["deposits"][0]["id"].clone()];
                    assert_eq!(
                        ["paymentId", "status", "network", "depositId"].map(|name| body[name].clone()),
                        expected
                    );
                }
                world.mine(network).await;
            }
            told += 1;
        }
    }
}

/// Currencies removed in the change history are refused.
#[tokio::test]
async fn removed_currencies_are_refused() {
    let world = World::new().await;
    for coin in ["BAT", "BNT", "CVC", "ENJ", "MITH", "MTL", "OMG", "REP"] {
        let token = world.token.as_str();
        let created = world.create(json!({"clientPaymentId": coin, "depositCurrency": coin})).await;
        assert_eq!(created.errors(), error("/depositCurrency", "unknown_currency"), "{coin}");
        let asked = world.post("/api/v1/withdrawals", token, &withdrawal(coin, Some("ETH"), "1")).await;
        assert_eq!(asked.errors(), error("/withdrawCurrency", "unknown_currency"), "{coin}");
        let entry =
            json!({"clientAddressId": coin, "currency": coin, "network": "ETH", "address": address("ETH")});
        let kept = world.post("/whitelist-addresses", token, &entry).await;
        assert_eq!(kept.errors(), error("/currency", "unknown_currency"), "{coin}");
        let fees = world.call(Method::GET, &format!("/api/v1/fees/withdraw/{coin}"), None, None).await;
        assert_eq!(fees.status, StatusCode::NOT_FOUND, "{coin}");
        let path = format!("/api/v1/currency/{coin}/network/ETH/address/{}/valid", address("ETH"));
        let verdict = world.call(Method::GET, &path, None, None).await.json;
        assert_eq!(verdict, json!({"valid": false, "supported": false}), "{coin}");
    }
}

/// The issuer ended USDC on TRX: the business takes USDC on the other networks, and everything else everywhere.
#[tokio::test]
async fn pairs_are_chosen_singly() {
    let usdc = |network| (Currency::Usdc, network);
    let world = World::with(Settings {
        name: Some("Kettle & Co".to_owned()),
        deposit_currencies: Some(vec![Currency::Usdc, Currency::Usdt]),
        deposit_networks: Some(vec![usdc(Network::Bsc), usdc(Network::Eth)]),
        ..Settings::default()
    })
    .await;
    let world = world.restart().await;
    let stored =
        checkout_domain::ports::businesses::BusinessStore::business(&world.database, world.business.id);
    assert_eq!(stored.await.unwrap().as_ref(), Some(&world.business));
    let created = world.create(json!({})).await;
    let (id, session) = (created.payment_id(), created.session_token());
    let view = world.get(&format!("/api/v1/checkout/{id}"), &session).await;
    let offers: Vec<_> = view.json["options"]
        .as_array()
        .unwrap()
        .iter()
        .map(|option| {
            format!("{} on {}", option["currency"].as_str().unwrap(), option["network"].as_str().unwrap())
        })
        .collect();
    assert!(offers.iter().any(|offer| offer == "USDT on TRX"), "{offers:?}");
    assert!(offers.iter().any(|offer| offer == "USDC on ETH"), "{offers:?}");
    assert!(!offers.iter().any(|offer| offer == "USDC on TRX"), "{offers:?}");
    let patch =
        async |body: serde_json::Value| world.patch(&format!("/api/v1/payments/{id}"), &session, &body).await;
    let refused = patch(json!({"depositCurrency": "USDC", "network": "TRX"})).await;
    assert_eq!(
        (refused.status.as_u16(), &refused.json["errors"][0]["code"]),
        (422, &json!("unsupported_pair"))
    );
    let chosen = patch(json!({"depositCurrency": "USDC"})).await;
    assert_eq!(chosen.json["paymentInfo"]["expectedNetwork"], "ETH", "{}", chosen.json);
    let fields = json!({"clientPaymentId": "order-2", "depositCurrency": "USDC", "network": "TRX"});
    let refused = world.create(fields).await;
    assert_eq!(
        (refused.status.as_u16(), &refused.json["errors"][0]["code"]),
        (422, &json!("unsupported_pair"))
    );
}

/// A cent is 17 satoshis, which no node of the Bitcoin network relays.
#[tokio::test]
async fn a_pair_whose_amount_cannot_be_sent_is_not_offered() {
    let world = World::new().await;
    let offers = async |price: &str| {
        let created = world.create(json!({"clientPaymentId": price, "displayAmount": price})).await;
        let path = format!("/api/v1/checkout/{}", created.payment_id());
        let view = world.get(&path, &created.session_token()).await;
        let networks = view.json["options"].as_array().unwrap().iter();
        networks.map(|option| option["network"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let of_a_cent = offers("0.01").await;
    assert!(!of_a_cent.iter().any(|network| network == "BTC"), "{of_a_cent:?}");
    assert!(of_a_cent.iter().any(|network| network == "XRP"), "{of_a_cent:?}");
    assert!(offers("1.00").await.iter().any(|network| network == "BTC"));
}
