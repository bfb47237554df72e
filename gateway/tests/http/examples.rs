//! Checks that the document's examples are real answers: replays one scenario and compares them.
//!
//! Ids, tokens, transactions and durations differ; the examples use a fixed one for each.

use axum::http::{Method, StatusCode};
use checkout_domain::business::settings::Settings;
use checkout_gateway::events;
use checkout_gateway::service::payouts::pay_out;
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use super::callbacks::deliver;
use super::contract::operation_id;
use super::inbox::Inbox;
use super::openapi::assert_same_as_file;
use super::{World, over, payment_body};

const BTC: &str = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const ETH: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const TOKEN: &str = "01a3185c50fa.4Zr0fXwCqmcYyWlRGs2oKzGPdFh9nYrsUhWj1qPnJtU";

const BUSINESS_TOKEN: &str = "biz_4Zr0fXwCqmcYyWlRGs2oKzGPdFh9nYrsUhWj1qPnJtU";
const COUNTER_SECRET: &str = "ctr_4Zr0fXwCqmcYyWlRGs2oKzGPdFh9nYrsUhWj1qPnJtU";
const SALE_NUMBER: &str = "5e0c3bd8-7c1f-4c43-9a53-111111111111";
const CALLBACK_SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

struct Teller {
    world: World,
    names: Names,
    examples: Map<String, Value>,
}

impl Teller {
    /// Sends the request. Request and answer become the examples of their operation.
    async fn tell(
        &mut self,
        method: Method,
        path: &str,
        token: Option<&str>,
        body: Option<Value>,
        status: u16,
    ) -> Value {
        let answer = self.world.call(method.clone(), path, token, body.as_ref()).await;
        assert_eq!(answer.status.as_u16(), status, "{path} {}", answer.json);
        let id = operation_id(&method, path.split('?').next().unwrap()).unwrap();
        let examples = self.examples.entry(id).or_insert_with(|| json!({}));
        if let Some(body) = body.filter(|_| answer.status.is_success() && examples.get("request").is_none()) {
            examples["request"] = self.names.name(body);
        }
        if answer.status != StatusCode::NOT_MODIFIED {
            let answer = self.names.name(answer.json.clone());
            examples.as_object_mut().unwrap().entry(status.to_string()).or_insert(answer);
        }
        answer.json
    }

    /// The example of an event is what was received.
    #[track_caller]
    fn callback(&mut self, id: &str, inbox: &Inbox) {
        let received = inbox.received();
        let json: Value = serde_json::from_str(&received.last().unwrap().body).unwrap();
        let listed = events::named(id).unwrap();
        assert_eq!(self.names.name(json), listed.example(), "{id}");
    }
}

/// Random texts with their names in the examples.
#[derive(Default)]
struct Names(Vec<(String, String)>);

impl Names {
    fn name(&mut self, value: Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.text(&text)),
            Value::Array(all) => all.into_iter().map(|one| self.name(one)).collect(),
            Value::Object(mut all) => {
                if let Some(duration) = all.get_mut("durationMillis") {
                    *duration = json!(87);
                }
                all.into_iter().map(|(key, one)| (key, self.name(one))).collect()
            }
            other => other,
        }
    }

    fn text(&mut self, text: &str) -> String {
        let mut named = text.to_owned();
        if let Some((_, query)) = text.split_once("sessionToken=") {
            named = named.replace(query.split('&').next().unwrap_or_default(), TOKEN);
        }
        for word in
            text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-' && letter != '_')
        {
            let hash = word.trim_start_matches("0x");
            let is_hash = hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
            let is_id = word.len() == 36 && uuid::Uuid::try_parse(word).is_ok();
            if is_hash || is_id {
                named = named.replace(word, &self.of(word, is_id));
            } else if let Some((_, name)) = self.0.iter().find(|(known, _)| known == word) {
                named = named.replace(word, name);
            }
        }
        named
    }

    fn of(&mut self, word: &str, is_id: bool) -> String {
        if let Some((_, name)) = self.0.iter().find(|(known, _)| known == word) {
            return name.clone();
        }
        let number = self.0.len() + 1;
        let name = if is_id {
            // The first half is the timestamp, which the test sets.
            format!("{}-7000-8000-{number:012}", &word[..13])
        } else {
            let hash = hex::encode(Sha256::digest(format!("transaction {number}")));
            if word.starts_with("0x") { format!("0x{hash}") } else { hash }
        };
        self.0.push((word.to_owned(), name.clone()));
        name
    }
}

#[tokio::test]
async fn examples_are_the_gateways_answers() {
    let inbox = Inbox::open();
    let world = World::with(Settings {
        name: Some("Kettle & Co".to_owned()),
        allowed_origins: Some(vec!["https://shop.example".to_owned()]),
        deposit_callback: Some(inbox.url.clone()),
        withdrawal_callback: Some(inbox.url.clone()),
        refund_excess: Some(true),
        refund_follow_ups: Some(true),
        ..Settings::default()
    })
    .await;
    let token = world.token.clone();
    let token = Some(token.as_str());
    let business = world.business.id;
    let mut teller = Teller { world, names: Names::default(), examples: Map::new() };
    let t = &mut teller;

    // A payment with an overpayment.
    let order = || {
        payment_body(json!({
            "clientPaymentId": "order-1042", "redirectUrl": "https://shop.example/thanks",
            "description": "One kettle, blue", "metadata": {"customer": "c-17"},
        }))
    };
    let created = t.tell(Method::POST, "/api/v1/payments", token, Some(order()), 201).await;
    let id = created["paymentInfo"]["paymentId"].as_str().unwrap().to_owned();
    t.tell(Method::POST, "/api/v1/payments", token, Some(order()), 200).await;
    let other = payment_body(json!({"clientPaymentId": "order-1042", "displayAmount": "7.00"}));
    t.tell(Method::POST, "/api/v1/payments", token, Some(other), 409).await;
    let wrong = json!({"clientPaymentId": "order-1043", "displayCurrency": "EUR", "displayAmount": "19.999"});
    t.tell(Method::POST, "/api/v1/payments", token, Some(wrong), 422).await;
    t.tell(Method::POST, "/api/v1/payments", None, Some(order()), 401).await;
    t.tell(Method::GET, &format!("/api/v1/checkout/{id}"), token, None, 200).await;
    let link = created["paymentUrl"].as_str().unwrap().split_once('?').unwrap().1.to_owned();
    t.tell(Method::GET, &format!("/checkout/{id}/wallet?{link}"), None, None, 200).await;
    t.tell(Method::POST, &format!("/checkout/{id}/wallet?{link}"), None, None, 200).await;
    let path = format!("/api/v1/payments/{id}");
    let chosen = t.tell(Method::PATCH, &path, token, Some(json!({"depositCurrency": "BTC"})), 200).await;
    let wallet = chosen["paymentInfo"]["walletAddress"].as_str().unwrap().to_owned();
    t.names.0.push((wallet.clone(), BTC.to_owned()));
    for part in ["request", "200"] {
        let known = t.examples["updatePayment"][part].clone();
        t.examples["updatePayment"][part] = t.names.name(known);
    }
    let transfer = json!({"network": "BTC", "currency": "BTC", "address": wallet, "amount": "0.002"});
    let sent = t.tell(Method::POST, "/sandbox/transfers", None, Some(transfer), 200).await;
    t.tell(Method::POST, "/sandbox/blocks", None, Some(json!({"network": "BTC", "count": 1})), 200).await;
    t.tell(Method::GET, &path, token, None, 200).await;
    t.tell(Method::GET, &format!("{path}/deposits"), token, None, 200).await;
    t.tell(Method::GET, "/api/v1/payments?clientPaymentId=order-1042", token, None, 200).await;
    t.tell(Method::PATCH, &path, token, Some(json!({"depositCurrency": "ETH"})), 409).await;
    t.tell(Method::GET, "/api/v1/payments/42", token, None, 404).await;
    deliver(&t.world).await;
    t.callback("depositReceived", &inbox);

    // A withdrawal.
    t.world.deposit("order-1044", "1000.00").await;
    // Callbacks are sent in parallel. After this delivery the only remaining one is the withdrawal's.
    deliver(&t.world).await;
    let withdrawal = |amount: &str| {
        json!({
            "clientWithdrawalId": "payout-7", "recipientAddress": ETH, "withdrawCurrency": "ETH", "network": "ETH",
            "displayCurrency": "EUR", "targetAmountPolicy": "CRYPTO", "targetAmount": amount, "withdrawalAccount": "FIAT",
        })
    };
    let path = "/api/v1/withdrawals";
    t.tell(Method::POST, path, token, Some(withdrawal("0.02")), 201).await;
    t.tell(Method::POST, path, token, Some(withdrawal("0.02")), 200).await;
    t.tell(Method::POST, path, token, Some(withdrawal("0.03")), 409).await;
    let mut wrong = withdrawal("0.02");
    wrong["network"] = json!("MAIN");
    t.tell(Method::POST, path, token, Some(wrong), 422).await;
    pay_out::run(&t.world.app).await.unwrap();
    pay_out::run(&t.world.app).await.unwrap();
    t.world.mine("ETH").await;
    deliver(&t.world).await;
    t.callback("withdrawalEnded", &inbox);
    let withdrawn = t.tell(Method::GET, path, token, None, 200).await;
    let withdrawn = format!("{path}/{}", withdrawn[0]["withdrawId"].as_str().unwrap());
    t.tell(Method::GET, &withdrawn, token, None, 200).await;
    t.tell(Method::GET, &format!("/api/v1/payments/{id}/quotes"), token, None, 200).await;
    let organisation = t.world.organisation_key().await;
    let key = Some(organisation.as_str());
    let [approved, rejected] =
        [t.world.unapproved_withdrawal("payout-8").await, t.world.unapproved_withdrawal("payout-9").await];
    let cancelled = t.world.unapproved_withdrawal("payout-10").await;
    let approve = format!("{path}/{approved}/approve");
    let seen = t.world.seen(&approve).await;
    t.tell(Method::POST, &approve, key, Some(seen), 200).await;
    t.tell(Method::POST, &format!("{path}/{rejected}/reject"), key, None, 200).await;
    t.tell(Method::POST, &format!("{path}/{cancelled}/cancel"), key, None, 200).await;
    let [released, refused] =
        [t.world.held_deposit("order-1047").await, t.world.held_deposit("order-1048").await];
    for held in t.world.get("/api/v1/deposits?held=true", &t.world.token).await.json.as_array().unwrap() {
        t.names.0.push((held["toAddress"].as_str().unwrap().to_owned(), BTC.to_owned()));
    }
    t.tell(Method::POST, &format!("/api/v1/deposits/{released}/release"), key, None, 200).await;
    t.tell(Method::POST, &format!("/api/v1/deposits/{refused}/refuse"), key, None, 200).await;
    t.tell(Method::GET, "/api/v1/balances", token, None, 200).await;
    t.tell(Method::GET, "/api/v1/ledger?limit=2", token, None, 200).await;
    t.tell(Method::GET, &format!("/api/v1/deposits?paymentId={id}"), token, None, 200).await;
    let told = t.tell(Method::GET, "/api/v1/callbacks?limit=1", token, None, 200).await;
    let resend = format!("/api/v1/callbacks/{}/resend", told[0]["id"].as_str().unwrap());
    t.tell(Method::POST, &resend, token, None, 200).await;

    // Refunds: one to an address, one that waits for it, one that is taken back, and an automatic one that waits for an approval.
    let paid = t.world.deposit("order-1045", "1000.00").await;
    let refund = |client: &str, value: &str, address: Option<&str>| {
        over(json!({"clientRefundId": client, "displayAmount": value}), json!({"address": address}))
    };
    let path = format!("/api/v1/payments/{paid}/refunds");
    t.tell(Method::POST, &path, token, Some(refund("return-7", "50.00", Some(BTC))), 201).await;
    t.tell(Method::POST, &path, token, Some(refund("return-7", "50.00", Some(BTC))), 200).await;
    t.tell(Method::POST, &path, token, Some(refund("return-7", "60.00", Some(BTC))), 409).await;
    t.tell(Method::POST, &path, token, Some(refund("return-8", "5000.00", Some(BTC))), 422).await;
    let waiting = t.world.refunded(&paid, refund("return-8", "50.00", None)).await;
    let waiting = format!("/api/v1/refunds/{}", waiting["refundId"].as_str().unwrap());
    t.tell(Method::POST, &format!("{waiting}/address"), token, Some(json!({"address": BTC})), 200).await;
    t.tell(Method::POST, &format!("{waiting}/cancel"), token, None, 200).await;
    t.tell(Method::GET, &waiting, token, None, 200).await;
    t.tell(Method::GET, "/api/v1/refunds?status=PENDING", token, None, 200).await;
    let unapproved = t.world.unapproved_refund().await;
    let approve = format!("/api/v1/refunds/{unapproved}/approve");
    let seen = t.world.seen(&approve).await;
    t.tell(Method::POST, &approve, token, Some(seen), 200).await;

    // The payer asks for one on the page; the merchant refuses it.
    let open = t.world.refunded(&paid, refund("return-9", "50.00", None)).await;
    let link = open["claimUrl"].as_str().unwrap();
    let session =
        link.split("sessionToken=").nth(1).and_then(|rest| rest.split('&').next()).unwrap().to_owned();
    let claims = format!("/api/v1/checkout/{paid}/claims");
    let claim = |address: &str| Some(json!({"claimId": open["refundId"], "address": address}));
    t.tell(Method::POST, &claims, Some(&session), claim(&BTC[..41]), 422).await;
    t.tell(Method::POST, &claims, Some(&session), claim(BTC), 201).await;
    t.tell(Method::POST, &claims, Some(&session), claim(BTC), 200).await;
    t.tell(Method::POST, &claims, Some(&session), claim("bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"), 409)
        .await;
    let refused = format!("/api/v1/refunds/{}/refuse", open["refundId"].as_str().unwrap());
    t.tell(Method::POST, &refused, token, Some(json!({"reason": "Please write to us first."})), 200).await;

    // The remaining operations.
    t.tell(Method::POST, &format!("/api/v1/payments/{id}/accept"), token, None, 409).await;
    let part = t.world.partly_paid("order-1049").await;
    let wallet = t.world.payment(&part).await["walletAddress"].as_str().unwrap().to_owned();
    t.names.0.push((wallet, BTC.to_owned()));
    t.tell(Method::POST, &format!("/api/v1/payments/{part}/accept"), token, None, 200).await;
    t.tell(Method::POST, &format!("/api/v1/payments/{id}/cancel"), token, None, 409).await;
    let other = t.world.create(json!({"clientPaymentId": "order-1046"})).await;
    t.tell(Method::POST, &format!("/api/v1/payments/{}/cancel", other.payment_id()), token, None, 200).await;
    let address = |label: &str| {
        json!({
            "clientAddressId": "cold-1", "currency": "XRP", "network": "XRP", "address": "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY",
            "destinationTag": "12345", "label": label,
        })
    };
    t.tell(Method::POST, "/whitelist-addresses", token, Some(address("treasury")), 201).await;
    t.tell(Method::POST, "/whitelist-addresses", token, Some(address("treasury")), 200).await;
    t.tell(Method::POST, "/whitelist-addresses", token, Some(address("other")), 409).await;
    t.tell(Method::GET, "/whitelist-addresses", token, None, 200).await;
    let link = |title: &str| {
        json!({
            "clientLinkId": "tea-2026", "title": title, "displayCurrency": "EUR", "displayAmount": "12.50", "stock": 40,
            "slug": "green-tea", "redirectUrl": "https://shop.example/thanks",
        })
    };
    let sold = t.tell(Method::POST, "/api/v1/sale-links", token, Some(link("Green tea, 100 g")), 201).await;
    t.tell(Method::POST, "/api/v1/sale-links", token, Some(link("Green tea, 100 g")), 200).await;
    t.tell(Method::POST, "/api/v1/sale-links", token, Some(link("Green tea, 200 g")), 409).await;
    t.tell(Method::GET, "/api/v1/sale-links", token, None, 200).await;
    let sold = format!("/api/v1/sale-links/{}", sold["linkId"].as_str().unwrap());
    t.tell(Method::GET, &sold, token, None, 200).await;
    t.tell(Method::POST, &format!("{sold}/withdraw"), token, None, 200).await;
    let counter = json!({"title": "Market stall", "displayCurrency": "EUR", "maxAmount": "500"});
    let counter = t.tell(Method::POST, "/api/v1/counters", token, Some(counter), 201).await;
    t.tell(Method::GET, "/api/v1/counters", token, None, 200).await;
    let secret = counter["url"].as_str().unwrap().split_once('#').unwrap().1;
    t.names.0.push((secret.to_owned(), COUNTER_SECRET.to_owned()));
    t.examples["createCounter"]["201"]["url"] = json!(format!("http://pay.test/counter#{COUNTER_SECRET}"));
    t.tell(Method::GET, "/api/v1/counter", Some(secret), None, 200).await;
    let sale = |amount: &str| json!({"saleNumber": SALE_NUMBER, "displayAmount": amount, "description": "Two teas", "locale": "en-US"});
    let made = t.tell(Method::POST, "/api/v1/counter/sales", Some(secret), Some(sale("12.50")), 201).await;
    t.tell(Method::POST, "/api/v1/counter/sales", Some(secret), Some(sale("12.50")), 200).await;
    t.tell(Method::POST, "/api/v1/counter/sales", Some(secret), Some(sale("13.50")), 409).await;
    let made = format!("/api/v1/counter/sales/{}", made["paymentId"].as_str().unwrap());
    t.tell(Method::GET, &made, Some(secret), None, 200).await;
    t.tell(Method::POST, &format!("{made}/cancel"), Some(secret), None, 200).await;
    let counter = format!("/api/v1/counters/{}", counter["counterId"].as_str().unwrap());
    t.tell(Method::POST, &format!("{counter}/withdraw"), token, None, 200).await;
    t.tell(Method::GET, &format!("/api/v1/businesses/{business}"), token, None, 200).await;
    let new = json!({
        "name": "Kettle Outlet", "allowedOrigins": ["https://outlet.example"], "depositReceivedCallbackUrl": inbox.url,
        "dailyWithdrawalLimit": "5000",
    });
    let made = t.tell(Method::POST, "/api/v1/businesses", key, Some(new), 201).await;
    for (secret, name) in [("token", BUSINESS_TOKEN), ("callbackSecret", CALLBACK_SECRET)] {
        t.names.0.push((made[secret].as_str().unwrap().to_owned(), name.to_owned()));
    }
    let (token_name, secret_name) = (json!(BUSINESS_TOKEN), json!(CALLBACK_SECRET));
    t.examples["createBusiness"]["201"]["token"] = token_name.clone();
    t.examples["createBusiness"]["201"]["callbackSecret"] = secret_name.clone();
    let outlet = format!("/api/v1/businesses/{}", made["business"]["id"].as_str().unwrap());
    t.tell(Method::GET, "/api/v1/businesses?limit=1", key, None, 200).await;
    t.tell(Method::PATCH, &outlet, key, Some(json!({"addedOrigins": ["https://kettle.example"]})), 200).await;
    t.tell(Method::PATCH, &outlet, key, Some(json!({"allowedOrigins": ["*"], "supportUrl": "help"})), 422)
        .await;
    let event = json!({"event": "depositReceived"});
    t.tell(Method::POST, &format!("{outlet}/test-callback"), key, Some(event), 200).await;
    t.tell(Method::POST, &format!("{outlet}/rotate-token"), key, Some(json!({"overlapHours": 1})), 200).await;
    t.tell(Method::POST, &format!("{outlet}/rotate-secret"), key, Some(json!({"overlapHours": 24})), 200)
        .await;
    t.examples["rotateToken"]["200"]["token"] = token_name;
    t.examples["rotateSecret"]["200"]["callbackSecret"] = secret_name;
    let validation = "/api/v1/currency/XRP/network/XRP/address/rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY";
    t.tell(Method::GET, &format!("{validation}/valid"), None, None, 200).await;
    t.tell(Method::GET, &format!("{validation}/destinationTag/12345/valid"), None, None, 200).await;
    let asked = json!({"currency": "BTC", "network": "BTC", "address": BTC});
    t.tell(Method::POST, "/api/v1/addresses/validate", None, Some(asked), 200).await;
    t.tell(Method::GET, "/api/v1/currencies", None, None, 200).await;
    t.tell(Method::GET, "/api/v1/rates?from=BTC,ETH&to=EUR,USD", None, None, 200).await;
    t.tell(Method::GET, "/api/v1/fees/withdraw/BTC", None, None, 200).await;
    t.tell(Method::GET, "/healthz", None, None, 200).await;
    t.tell(Method::GET, "/readyz", None, None, 200).await;
    t.tell(Method::POST, "/sandbox/reorgs", None, Some(json!({"network": "BTC", "depth": 1})), 200).await;
    let dropped = json!({"transactionId": sent["transactionId"]});
    t.tell(Method::POST, "/sandbox/drops", None, Some(dropped.clone()), 200).await;
    t.tell(Method::POST, "/sandbox/reverts", None, Some(dropped), 200).await;
    let sender = json!({"network": "ETH", "address": ETH});
    t.tell(Method::POST, "/sandbox/flags", None, Some(sender), 200).await;
    t.tell(Method::POST, "/sandbox/clock", None, Some(json!({"advanceSeconds": 60})), 200).await;
    t.tell(Method::POST, "/sandbox/fees", None, Some(json!({"network": "ETH", "fee": "0.0004"})), 200).await;
    let rate = json!({"from": "BTC", "to": "EUR", "rate": "61000.5"});
    t.tell(Method::POST, "/sandbox/rates", None, Some(rate), 200).await;

    let text = serde_json::to_string_pretty(&teller.examples).unwrap() + "\n";
    let text = text.replace(&inbox.url, "https://shop.example/hooks");
    assert_same_as_file("examples.json", &text);
}
