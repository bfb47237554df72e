//! A misspelled key is refused with the nearest known one and changes nothing: a tag that is dropped is money that is lost.

use std::collections::BTreeSet;

use axum::http::{Method, StatusCode};
use checkout_gateway::http::requests::names::ALIASES;
use serde_json::{Value, json};

use super::drawer::started;
use super::{Answer, World};
use crate::document;

const BTC: &str = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const XLM: &str = "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ";
const XRP: &str = "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY";

/// The name with one edit, or in another case.
fn misspellings(name: &str) -> BTreeSet<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut all = BTreeSet::new();
    for place in 0..=letters.len() {
        let mut edit = |change: &dyn Fn(&mut Vec<char>)| {
            let mut edited = letters.clone();
            change(&mut edited);
            all.insert(edited.into_iter().collect::<String>());
        };
        edit(&|letters| letters.insert(place, 'x'));
        if place < letters.len() {
            edit(&|letters| {
                letters.remove(place);
            });
            edit(&|letters| letters[place] = 'x');
            edit(&|letters| letters.insert(place, letters[place]));
        }
        if place + 1 < letters.len() {
            edit(&|letters| letters.swap(place, place + 1));
        }
    }
    let separated = |separator: char| {
        let letters = name.chars().flat_map(|letter| {
            letter.is_ascii_uppercase().then_some(separator).into_iter().chain([letter.to_ascii_lowercase()])
        });
        letters.collect::<String>()
    };
    all.extend([name.to_ascii_lowercase(), name.to_ascii_uppercase(), separated('_'), separated('-')]);
    all.insert(name[..1].to_ascii_uppercase() + &name[1..]);
    all.remove(name);
    all.retain(|wrong| !wrong.is_empty());
    all
}

/// The object with one key renamed.
fn renamed(body: &Value, from: &str, to: &str) -> Value {
    let all = body.as_object().unwrap().iter();
    all.map(|(name, value)| (if name == from { to } else { name.as_str() }.to_owned(), value.clone()))
        .collect()
}

#[track_caller]
fn assert_refused(answer: &Answer, wrong: &str, right: &str, case: &str) {
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{case}: {}", answer.json);
    let errors = answer.json["errors"].as_array().unwrap();
    let pointer = format!("/{wrong}");
    let error = errors.iter().find(|error| error["pointer"] == *pointer).unwrap_or_else(|| panic!("{case}"));
    assert_eq!(error["code"], "unknown_field", "{case}");
    assert_eq!(error["detail"], format!("is not known: did you mean `{right}`?"), "{case}");
}

/// Method, path and id of every operation with a body, and the names of its fields.
fn writes() -> Vec<(Method, String, String, BTreeSet<String>)> {
    let document = document(true);
    let mut all = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let Some(body) = operation.get("requestBody") else { continue };
            let schema = &body["content"]["application/json"]["schema"];
            let schema = document.pointer(&schema["$ref"].as_str().unwrap()[1..]).unwrap();
            assert_eq!(schema["additionalProperties"], false, "{path}");
            let names = schema["properties"].as_object().unwrap().keys().cloned().collect();
            let method = Method::from_bytes(method.to_ascii_uppercase().as_bytes()).unwrap();
            all.push((method, path.clone(), operation["operationId"].as_str().unwrap().to_owned(), names));
        }
    }
    all
}

/// Valid bodies of an operation that together have all its fields.
fn bodies(operation: &str, business: &str, transaction: &str) -> Vec<Value> {
    let price = json!({
        "businessId": business, "clientPaymentId": "fiat", "locale": "en-US", "type": "ONE_TIME", "rateType": "FIXED",
        "displayCurrency": "EUR", "displayAmount": "20.00", "depositCurrency": "BTC", "network": "BTC",
        "expirationMinutes": 30, "redirectUrl": "https://shop.example/thanks", "description": "Kettle", "metadata": {"a": "1"},
    });
    let coins = json!({
        "clientPaymentId": "coins", "locale": "en-US", "displayCurrency": "EUR", "depositCurrency": "BTC", "depositAmount": "0.01",
    });
    let account = json!({"network": "XRP", "currency": "XRP", "address": XRP, "destinationTag": "7"});
    let output = json!({
        "network": "BTC", "currency": "BTC", "address": BTC, "amount": "0.1", "fromAddress": BTC, "replaceable": false,
        "transactionId": transaction, "sender": "ACCOUNT",
    });
    match operation {
        "createPayment" => vec![price, coins],
        "updatePayment" => vec![
            json!({"depositCurrency": "BTC", "network": "BTC", "displayCurrency": "EUR", "displayAmount": "100.00"}),
        ],
        "createWithdrawal" => {
            let body = json!({
                "businessId": business, "clientWithdrawalId": "payout-1", "recipientAddress": XRP, "withdrawCurrency": "XRP",
                "displayCurrency": "EUR", "targetAmountPolicy": "CRYPTO", "targetAmount": "50", "withdrawalAccount": "FIAT",
                "destinationTag": "7", "network": "XRP",
            });
            let memo = json!({
                "clientWithdrawalId": "payout-2", "recipientAddress": XLM, "withdrawCurrency": "XLM", "network": "XLM",
                "memoType": "text",
            });
            vec![body.clone(), crate::over(body, memo)]
        }
        "createRefund" => vec![
            json!({"clientRefundId": "r-1", "amount": "0.001", "currency": "BTC", "network": "BTC", "address": BTC, "destinationTag": "7",
                "memoType": "text", "withdrawalAccount": "FIAT"}),
            json!({"clientRefundId": "r-2", "displayAmount": "60.00"}),
        ],
        "approveWithdrawal" | "approveRefund" => {
            vec![json!({"address": BTC, "destinationTag": "7", "memoType": "text", "amount": "0.1"})]
        }
        "addressRefund" => vec![json!({"address": BTC, "destinationTag": "7", "memoType": "text"})],
        "refuseRefund" => vec![json!({"reason": "no"})],
        "claimRefund" => {
            vec![json!({"claimId": business, "address": BTC, "destinationTag": "7", "memoType": "text"})]
        }
        "createBusiness" => {
            vec![business_settings("supportedDepositCurrencies"), business_settings("depositPairs")]
        }
        "updateBusiness" => {
            let origins =
                json!({"addedOrigins": ["https://b.example"], "removedOrigins": ["https://a.example"]});
            ["supportedDepositCurrencies", "depositPairs"]
                .map(|deposits| crate::over(business_settings(deposits), origins.clone()))
                .to_vec()
        }
        "rotateToken" => vec![json!({"scopes": ["read"], "overlapHours": 1})],
        "rotateSecret" => vec![json!({"overlapHours": 1})],
        "testCallback" => vec![json!({"event": "depositReceived"})],
        "whitelistAddress" => {
            let entry = json!({"businessId": business, "clientAddressId": "cold-1", "label": "treasury"});
            let entry = crate::over(account, entry);
            let memo = json!({
                "clientAddressId": "cold-2", "currency": "XLM", "network": "XLM", "address": XLM, "memoType": "text",
            });
            vec![entry.clone(), crate::over(entry, memo)]
        }
        "createSaleLink" => {
            let link = json!({
                "businessId": business, "clientLinkId": "l-1", "title": "Tea", "type": "REUSABLE", "displayCurrency": "EUR",
                "displayAmount": "5", "stock": 3, "endsAt": 4_000_000_000_u64, "slug": "tea", "redirectUrl": "https://shop.example/",
            });
            let open = json!({
                "clientLinkId": "l-2", "slug": "gift", "displayAmount": null, "minAmount": "1", "maxAmount": "9",
            });
            vec![link.clone(), crate::over(link, open)]
        }
        "createCounter" => {
            vec![
                json!({"businessId": business, "title": "Stall", "displayCurrency": "EUR", "maxAmount": "500"}),
            ]
        }
        "createCounterSale" => vec![json!({
            "saleNumber": "5e0c3bd8-7c1f-4c43-9a53-111111111111", "displayAmount": "5", "description": "Tea", "locale": "en-US",
        })],
        "validateAddressByPost" => vec![account],
        "sandboxSendTransfer" => vec![crate::over(account, json!({"amount": "20"})), output],
        "sandboxMineBlocks" => vec![json!({"network": "BTC", "count": 1})],
        "sandboxReorganise" => vec![json!({"network": "BTC", "depth": 1})],
        "sandboxSetFee" => vec![json!({"network": "ETH", "fee": "0.0004"})],
        "sandboxDropTransfer" | "sandboxRevert" => vec![json!({"transactionId": transaction})],
        "sandboxFlagSender" => vec![json!({"network": "BTC", "address": BTC, "flagged": true})],
        "sandboxAdvanceClock" => vec![json!({"advanceSeconds": 1})],
        "sandboxSetRate" => vec![json!({"from": "BTC", "to": "EUR", "rate": "61000.5"})],
        other => panic!("{other} is new: its body belongs here"),
    }
}

/// Every setting, with one of the two lists of what is accepted.
fn business_settings(deposits: &str) -> Value {
    json!({
        "name": "Third", "disabled": false, "allowedOrigins": ["https://a.example"],
        "depositReceivedCallbackUrl": "http://127.0.0.1:1/", "withdrawalCallbackUrl": "", "eventUrl": "http://127.0.0.1:1/",
        "events": ["payment.status", "deposit.*"], "settlementCryptoCurrency": "BTC",
        "settlementCryptoRatio": "0", "overpaymentPolicy": "PROCESS", "refundAddress": "PAYER", "refundFollowUpDepositsForOneTimePayments": false,
        "underpaymentTolerance": "0.01", "instantDepositLimit": "10", deposits: ["BTC", "XRP"],
        "supportedDisplayCurrencies": ["EUR"], "theme": "DARK", "brandColor": "#1f4fd8", "logo": "",
        "supportUrl": "mailto:help@shop.example", "dailyWithdrawalLimit": "1000000", "withdrawalApprovalAbove": "",
        "claimLimit": "10", "maximumNetworkFee": "10", "whitelistOnly": false,
        "greenfield": true,
    })
}

/// A business with a balance, an open payment and a pending transfer.
async fn prepared() -> (World, String, String) {
    let world = World::new().await;
    world.deposit("rich", "1000.00").await;
    let open = world.create(json!({"clientPaymentId": "open"})).await.payment_id();
    let transfer = json!({"network": "BTC", "currency": "BTC", "address": BTC, "amount": "0.1"});
    let sent = world.sandbox("transfers", transfer).await["transactionId"].as_str().unwrap().to_owned();
    (world, open, sent)
}

#[tokio::test]
async fn no_write_ignores_a_misspelled_key() {
    let (world, open, transaction) = prepared().await;
    let paid = world.get("/api/v1/payments?clientPaymentId=rich", &world.token).await.json;
    let paid = paid[0]["paymentId"].as_str().unwrap().to_owned();
    let refund = world.refunded(&paid, json!({"amount": "0.001", "clientRefundId": "waits"})).await;
    let refund = refund["refundId"].as_str().unwrap().to_owned();
    let asked = world.asked_refund(&paid).await;
    let withdrawal = world.unapproved_withdrawal("waits").await;
    let (payer, claim) = world.open_claim(&paid, "open").await;
    let business = world.business.id.to_string();
    let organisation = world.organisation_key().await;
    let (_, secret) = world.counter(json!({})).await;
    for (method, path, operation, names) in writes() {
        let is_claim = operation == "claimRefund";
        let is_managed = path.starts_with("/api/v1/businesses") || operation == "approveWithdrawal";
        let token = match is_managed {
            true => &organisation,
            false if operation == "createCounterSale" => &secret,
            false if is_claim => &payer.session,
            false => &world.token,
        };
        let payment = if operation == "createRefund" || is_claim { &paid } else { &open };
        let refund = if ["refuseRefund", "approveRefund"].contains(&&*operation) { &asked } else { &refund };
        let path =
            path.replace("{paymentId}", payment).replace("{refundId}", refund).replace("{id}", &business);
        let path = path.replace("{withdrawalId}", &withdrawal);
        let id = if is_claim { claim["claimId"].as_str().unwrap() } else { &business };
        let bodies = bodies(&operation, id, &transaction);
        let covered = bodies.iter().flat_map(|body| body.as_object().unwrap().keys().cloned());
        assert_eq!(covered.collect::<BTreeSet<_>>(), names, "{operation}: a field is missing in its bodies");
        let mut watch = world.watch().await;
        for body in &bodies {
            for name in body.as_object().unwrap().keys() {
                for wrong in misspellings(name) {
                    let case = format!("{operation}: {wrong}");
                    let misspelled = renamed(body, name, &wrong);
                    let answer = world.call(method.clone(), &path, Some(token), Some(&misspelled)).await;
                    assert_refused(&answer, &wrong, name, &case);
                }
            }
        }
        let now = watch.now().await;
        watch.assert_same(now, &operation);
        for body in &bodies {
            let answer = world.call(method.clone(), &path, Some(token), Some(body)).await;
            // All of it is read, and compared with what stands there.
            let is_read = answer.status.is_success() || answer.json["code"] == "address_changed";
            assert!(is_read, "{operation}: {}", answer.json);
        }
    }
}

#[tokio::test]
async fn no_list_ignores_a_misspelled_parameter() {
    let world = World::new().await;
    let open = world.create(json!({})).await.payment_id();
    let organisation = world.organisation_key().await;
    let document = document(true);
    let mut lists = 0;
    for (path, item) in document["paths"].as_object().unwrap() {
        // The links of the page get parameters of mail programs and advertisements.
        let Some(operation) = item.get("get").filter(|_| !path.starts_with("/checkout/")) else { continue };
        let parameters = operation["parameters"].as_array().unwrap().iter();
        let path = path.replace("{coin}", "BTC").replace("{paymentId}", &open);
        for parameter in parameters.filter(|one| one["in"] == "query") {
            lists += 1;
            let name = parameter["name"].as_str().unwrap();
            for wrong in misspellings(name) {
                let token = if path == "/api/v1/businesses" { &organisation } else { &world.token };
                let answer = world.get(&format!("{path}?{wrong}=BTC"), token).await;
                assert_refused(&answer, &wrong, name, &format!("{path}: {wrong}"));
            }
        }
    }
    assert_eq!(
        lists, 106,
        "the parameters of payments, deposits of all payments and of one, businesses, refunds, withdrawals, balances, ledger, callbacks, sale links, counters, whitelist, rates and fees"
    );
    let answer = world.get("/api/v1/currencies?network=ETH", &world.token).await;
    assert_eq!(answer.errors(), [("/network".to_owned(), "unknown_field".to_owned())]);
}

#[tokio::test]
async fn no_write_of_the_drawer_ignores_a_misspelled_key() {
    let world = started().await;
    let mut watch = world.watch().await;
    for (path, body) in [
        ("inbox/answers", json!({"status": 500, "times": 1, "delaySeconds": 1})),
        ("business", json!({"name": "Kettle", "settlementCryptoRatio": "0.5", "theme": "DARK"})),
    ] {
        for name in body.as_object().unwrap().keys() {
            for wrong in misspellings(name) {
                let path = format!("/sandbox/{path}");
                let answer = world.act(&path, renamed(&body, name, &wrong)).await;
                assert_refused(&answer, &wrong, name, &format!("{path}: {wrong}"));
            }
        }
    }
    let now = watch.now().await;
    watch.assert_same(now, "the drawer");
}

/// The other names of fields are those of the table, and the reference lists them.
#[tokio::test]
async fn a_tag_may_be_called_tag() {
    let (world, ..) = prepared().await;
    let business = world.business.id.to_string();
    let write = |operation: &str| bodies(operation, &business, "").remove(0);
    let tagged = |operation: &str| renamed(&write(operation), "destinationTag", "tag");
    let withdrawn = world.post("/api/v1/withdrawals", &world.token, &tagged("createWithdrawal")).await;
    assert_eq!(withdrawn.json["recipientAddress"], format!("{XRP}?dt=7"), "{}", withdrawn.json);
    let again = world.post("/api/v1/withdrawals", &world.token, &write("createWithdrawal")).await;
    assert_eq!(again.status, StatusCode::OK, "the same request under the field's own name");
    let listed = world.post("/whitelist-addresses", &world.token, &tagged("whitelistAddress")).await;
    assert_eq!(listed.json["destinationTag"], "7", "{}", listed.json);
    for (tag, valid) in [("7", true), ("007", false)] {
        let body = json!({"network": "XRP", "currency": "XRP", "address": XRP, "tag": tag});
        let answer = world.call(Method::POST, "/api/v1/addresses/validate", None, Some(&body)).await;
        assert_eq!(answer.json["valid"], valid, "{tag}");
    }
    let mut both = write("createWithdrawal");
    both["tag"] = json!("7");
    let answer = world.post("/api/v1/withdrawals", &world.token, &both).await;
    assert_eq!(answer.errors(), [("/tag".to_owned(), "duplicate_field".to_owned())]);
    let about = document(true)["info"]["description"].as_str().unwrap().to_owned();
    for (alias, name) in ALIASES {
        assert!(about.contains(&format!("`{alias}` is another name of `{name}`")), "{alias}");
    }
}

/// Languages whose only number is a float write `30.0`.
#[tokio::test]
async fn a_number_with_a_zero_fraction_is_the_same_number() {
    let world = World::new().await;
    let yen = |amount: Value| json!({"displayCurrency": "JPY", "displayAmount": amount});
    let created = world.create(crate::over(yen(json!(1000.0)), json!({"expirationMinutes": 45.0}))).await;
    assert_eq!(created.status, StatusCode::CREATED, "{}", created.json);
    assert_eq!(created.json["paymentInfo"]["expectedDisplayAmount"], "1000");
    assert_eq!(created.json["paymentInfo"]["expirationMinutes"], 45);
    for amount in [json!(1000), json!("1000"), json!("1000.00")] {
        let again = world.create(crate::over(yen(amount), json!({"expirationMinutes": 45}))).await;
        assert_eq!(again.status, StatusCode::OK, "{}", again.json);
    }
    let path = format!("/api/v1/payments/{}", created.payment_id());
    let chosen =
        world.patch(&path, &world.token, &json!({"depositCurrency": "BTC", "displayAmount": 1000.0})).await;
    assert_eq!(chosen.status, StatusCode::OK, "{}", chosen.json);
    for (amount, code) in [(json!(1000.5), "too_many_decimals"), (json!("1000.01"), "too_many_decimals")] {
        let answer = world.create(yen(amount)).await;
        assert_eq!(answer.errors(), [("/displayAmount".to_owned(), code.to_owned())]);
    }
    let answer = world.create(json!({"expirationMinutes": 30.5})).await;
    assert_eq!(answer.errors(), [("/expirationMinutes".to_owned(), "wrong_type".to_owned())]);
}
