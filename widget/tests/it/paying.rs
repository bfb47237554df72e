//! The amounts and addresses shown to the payer, and what is never shown.

use checkout_core::Currency;
use checkout_widget::effect::Effect;
use checkout_widget::event::{Act, Body, What};
use checkout_widget::page_url::PageUrl;
use checkout_widget::present::{self, Done, Pay, Span};
use checkout_widget::render::render;
use checkout_widget::screen::Field;
use checkout_wire::Word;
use checkout_wire::payment::{
    Deposit, DepositStatus, Payment, PaymentStatus, RateType, RefundStatus, RefundWait,
};

use checkout_wire::checkout_view::CheckoutView;

use crate::payments::{
    BTC, END, ID, TRX, XRP, deposit, expired, new, overpaid, paid, partial, pending, pending_xrp, quoted,
    seen, view, with,
};
use crate::player::{Player, page_url};

fn pay(player: &Player) -> Pay {
    match player.model().body {
        present::Body::Pay(pay) => *pay,
        other => panic!("nothing to pay: {other:?}"),
    }
}

fn done(player: &Player) -> Done {
    match player.model().body {
        present::Body::Done(done) => done,
        other => panic!("not done: {other:?}"),
    }
}

/// All texts, attributes and drawings of the page.
fn everything(player: &Player) -> String {
    render(player.model())
}

#[test]
fn asset_and_network_are_in_one_sentence() {
    let pay = pay(&Player::open(quoted("USDT", "TRX", TRX, "268.523401")));
    assert_eq!(pay.title, "Send only USDT on TRON (TRC-20)");
    let facts: Vec<_> = pay.send_only.iter().filter(|span| !matches!(span, Span::Text(_))).collect();
    assert_eq!(
        facts,
        [&Span::Asset { code: "USDT" }, &Span::Network { code: "TRX", name: "TRON (TRC-20)".into() }]
    );
}

#[test]
fn copies_are_byte_for_byte_the_gateways_values() {
    let check = |payment: Payment, field, expected: &str| {
        let mut player = Player::open(payment);
        player.act(Act::Copy(field));
        let copied = Effect::Copy { field, text: expected.into() };
        assert!(player.effects.contains(&copied), "{:?}", player.effects);
    };
    check(pending(), Field::Amount, "0.00412345");
    for payment in [new(), pending(), seen(), expired(), paid()] {
        check(payment, Field::Reference, "order-1");
    }
    check(pending(), Field::Address, BTC);
    check(pending_xrp(), Field::Tag, "104729");
    check(paid(), Field::Transaction, "f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16");
    check(partial(), Field::Amount, "0.00312345");
    check(quoted("BTC", "BTC", BTC, "0.0000009"), Field::Amount, "0.0000009");
    check(
        quoted("ETH", "ETH", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0.123456789012345678"),
        Field::Amount,
        "0.123456789012345678",
    );
}

#[test]
fn the_result_of_a_copy_is_shown() {
    let mut player = Player::open(pending());
    player.play(What::Copied { field: Field::Address, done: true });
    let model = player.model();
    assert_eq!(model.announcement, "Address copied");
    assert_eq!((pay(&player).address.copy.done, pay(&player).amount.copy.done), (Some(true), None));
    player.wait(2_600);
    assert_eq!(pay(&player).address.copy.done, None);
    player.play(What::Copied { field: Field::Amount, done: false });
    assert!(pay(&player).copy_failed.is_some_and(|text| text.contains("Select")));
}

#[test]
fn the_transaction_of_a_receipt_can_be_copied() {
    let mut player = Player::open(paid());
    let copy = |player: &Player| done(player).rows[4].copy.clone().expect("a button");
    assert_eq!((copy(&player).label.as_str(), copy(&player).done), ("Copy transaction", None));
    player.play(What::Copied { field: Field::Transaction, done: true });
    assert_eq!(player.model().announcement, "Transaction copied");
    assert_eq!(copy(&player).done, Some(true));
    player.wait(2_600);
    assert_eq!(copy(&player).done, None);
}

#[test]
fn the_page_says_what_is_checked_and_by_whom() {
    for (origin, who) in [
        ("https://pay.example", "pay.example"),
        ("https://pay.example:8443", "pay.example"),
        ("http://127.0.0.1:19200", "Kettle & Leaf"),
        ("http://[::1]:9200", "Kettle & Leaf"),
        ("http://localhost:9200", "Kettle & Leaf"),
    ] {
        let url = PageUrl { origin: origin.into(), ..page_url() };
        let address = pay(&Player::open_view(url, view(pending_xrp()))).address;
        assert_eq!(address.checked, format!("Address checked by {who}"), "{origin}");
    }
}

#[test]
fn after_a_part_the_page_waits_for_the_rest_and_lists_what_arrived() {
    let check = |payment: Payment, status: &str, amounts: &[&str]| {
        let pay = pay(&Player::open(payment));
        assert_eq!(pay.status.text, status);
        assert_eq!(pay.deposits.iter().map(|line| &*line.amount).collect::<Vec<_>>(), amounts);
    };
    check(pending(), "Waiting for your transfer", &[]);
    check(partial(), "Waiting for the rest", &["0.001\u{a0}BTC"]);
}

#[test]
fn how_long_a_transfer_takes_is_said_once() {
    let check = |view: CheckoutView, text: &str, note: Option<&str>| {
        let present::Body::Seen(seen) = Player::open_view(page_url(), view).model().body else {
            panic!("not seen")
        };
        assert_eq!((&*seen.text, seen.steps[1].note.as_deref()), (text, note));
    };
    check(
        view(seen()),
        "0.00412345\u{a0}BTC is on its way. The Bitcoin network now has to confirm it.",
        Some("Usually takes about 10 minutes."),
    );
    let [on_bitcoin, elsewhere] = [("a", "BTC"), ("b", "ETH")].map(|(id, currency)| Deposit {
        id: id.into(),
        ..deposit("0.00412345", currency, DepositStatus::Unconfirmed)
    });
    let mut both = view(with(pending(), PaymentStatus::Awaiting, vec![on_bitcoin, elsewhere]));
    both.transfers[1].network = "ETH".into();
    check(
        both,
        "0.00412345\u{a0}BTC is on its way. Its network now has to confirm it, which can take a few minutes.",
        None,
    );
}

#[test]
fn a_long_order_is_shortened_in_its_middle() {
    let payment = Payment { client_payment_id: "order-number-".repeat(4).into(), ..pending() };
    let header = Player::open(payment).model().header.expect("a payment");
    assert_eq!(header.order, "Reference order-number…-number-");
    assert_eq!(header.whole_order, ["Reference ", &"order-number-".repeat(4)].concat());
}

#[test]
fn a_tag_is_prominent_and_in_the_code() {
    let pay = pay(&Player::open(pending_xrp()));
    let tag = pay.tag.expect("a tag");
    assert_eq!((tag.value.as_str(), tag.label, tag.required), ("104729", "Destination tag", "Required"));
    assert!(tag.warning.contains("lost"));
    assert!(pay.qr.payload.contains("104729"), "{}", pay.qr.payload);
}

#[test]
fn the_code_switches_between_amount_and_address_only() {
    let mut player = Player::open(pending());
    let full = pay(&player).qr;
    assert_eq!((full.mode, full.switch.is_some()), ("amount", true));
    assert!(full.payload.contains("0.00412345"), "{}", full.payload);
    player.act(Act::SwitchQr);
    let plain = pay(&player).qr;
    assert_eq!(plain.mode, "address");
    assert!(!plain.payload.contains("0.00412345"), "{}", plain.payload);
    player.act(Act::SwitchQr);
    assert_eq!(pay(&player).qr, full);

    let tron = pay(&Player::open(quoted("USDT", "TRX", TRX, "268.523401"))).qr;
    assert_eq!((tron.payload.as_str(), tron.mode, tron.switch), (TRX, "address", None));
}

#[test]
fn a_code_opens_the_same_payment_on_another_device() {
    let mut player = Player::open(pending());
    let code = pay(&player).qr;
    player.act(Act::HandOver);
    let other = pay(&player).qr;
    let expected = format!("https://pay.example/checkout/{ID}?sessionToken=abc&theme=LIGHT&locale=en-US");
    assert_eq!((other.payload, other.mode, other.switch), (expected, "page", None));
    assert!(other.hint.is_some() && other.hand_over != code.hand_over);
    player.act(Act::HandOver);
    assert_eq!(pay(&player).qr, code);
}

#[test]
fn a_rest_that_wallets_may_not_send_is_told_with_the_ways_on() {
    let check = |arrived: &str, expected: bool| {
        let deposit = deposit(arrived, "BTC", DepositStatus::Confirmed);
        let payment = with(pending(), PaymentStatus::Awaiting, vec![deposit]);
        let told = pay(&Player::open(payment)).small_rest;
        assert_eq!(told.is_some(), expected, "{arrived}: {told:?}");
        assert!(told.is_none_or(|told| told.contains("Kettle & Leaf")));
    };
    // 0.00412345 is expected, and 0.0005 is the least that is sensible to send.
    check("0.00362346", true);
    check("0.00362345", false);
    check("0.001", false);
    assert_eq!(pay(&Player::open(pending())).small_rest, None);
}

/// 0.00412345 BTC cost 249 €, so that a cent is 17 satoshi.
#[test]
fn an_excess_below_a_cent_is_not_told() {
    let check = |arrived: &str, told: bool| {
        let deposit = deposit(arrived, "BTC", DepositStatus::Confirmed);
        let done = done(&Player::open(with(pending(), PaymentStatus::Overpaid, vec![deposit])));
        let title = if told { "Paid – you sent too much" } else { "Payment complete" };
        assert_eq!((done.title, done.over, done.excess_note.is_some()), (title, told, told), "{arrived}");
    };
    check("0.00412361", false);
    check("0.00412362", true);
    check("0.00512345", true);
}

#[test]
fn a_receipt_is_shared_where_the_browser_can() {
    let mut player = Player::open(paid());
    assert_eq!(done(&player).share, Some("Share receipt"));
    player.act(Act::Share);
    let shared = player.effects.iter().find_map(|effect| match effect {
        Effect::Share { title, text } => Some((title.as_str(), text.as_str())),
        _ => None,
    });
    let transaction = paid().deposits[0].transaction_id.clone();
    let text = format!("order-1\n249.00 EUR\n0.00412345 BTC {transaction}");
    assert_eq!(shared, Some(("Kettle & Leaf", text.as_str())));
    let url = PageUrl { can_share: false, ..page_url() };
    assert_eq!(done(&Player::open_view(url, view(paid()))).share, None);
}

/// Each of these alone must hide the whole payment.
#[test]
fn an_address_that_fails_a_check_is_never_shown() {
    let typo = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5";
    let cases = [
        quoted("BTC", "BTC", typo, "0.00412345"),
        quoted("BTC", "BTC", TRX, "0.00412345"),
        quoted("BTC", "BTC", "", "0.00412345"),
        quoted("USDT", "ETH", TRX, "268.5"),
        quoted("XRP", "XRP", XRP, "412.345678"),
        Payment { destination_tag: Some("4294967296".into()), ..pending_xrp() },
        Payment { destination_tag: Some("1 ".into()), ..pending_xrp() },
        Payment { destination_tag: Some("1".into()), ..pending() },
        quoted("BTC", "TRX", TRX, "1"),
        quoted("SHIB", "SHIB", "D7Y55r6Yoc1G8EECxkQ6SuSjTgGJJ7M6yD", "1"),
        quoted("BTC", "BTC", BTC, "1e-3"),
        quoted("BTC", "BTC", BTC, "0.004123456"),
        quoted("BTC", "BTC", BTC, "0"),
        Payment { expected_deposit_amount: None, ..pending() },
        Payment { deposit_currency: None, ..pending() },
        Payment { expected_network: None, ..quoted("USDT", "TRX", TRX, "268.5") },
        // A token's own contract.
        quoted("USDT", "TRX", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", "268.5"),
        quoted("ETH", "ETH", "0xdac17f958d2ee523a2206206994597c13d831ec7", "0.1"),
    ];
    for payment in cases {
        let address = payment.wallet_address.clone().unwrap();
        // At the start, and on a page that showed a valid address before.
        let mut later = Player::open(pending());
        later.watch(payment.clone());
        for player in [Player::open(payment), later] {
            assert_eq!(player.screen(), "problem", "{address}");
            let all = everything(&player);
            assert!(address.is_empty() || !all.contains(&address), "{address}");
            assert!(!all.contains(BTC), "the previous address is still shown");
        }
    }
    let only_one_network = Payment { expected_network: None, ..pending() };
    assert_eq!(Player::open(only_one_network).screen(), "pay");
}

#[test]
fn the_countdown_follows_the_gateway() {
    let player = Player::open(pending());
    let countdown = player.model().header.and_then(|header| header.countdown).expect("a countdown");
    assert_eq!((countdown.seconds, countdown.text.as_str()), (Some(15 * 60 - 21), "14:39"));
    assert_eq!((countdown.label, countdown.urgent), ("Rate held for", false));
    let floating = Payment { rate_type: RateType::Floating.into(), ..pending() };
    let countdown = Player::open(floating).model().header.and_then(|header| header.countdown);
    assert_eq!(countdown.expect("a countdown").label, "Time left");
}

#[test]
fn the_price_the_rate_and_its_end_are_shown() {
    let check = |payment: Payment, expected: &str| {
        let price = payment.expected_display_amount.clone().expect("a price");
        let worth = pay(&Player::open(payment)).worth.expect("a rate");
        assert_eq!(worth, format!("EUR:{} · {expected}", &*price));
    };
    check(pending(), &format!("1\u{a0}BTC = EUR:60386.33, held until today@{END}"));
    let days = Payment { expiration_minutes: 3 * 24 * 60, ..pending() };
    let end = END + (3 * 24 * 60 - 15) * 60;
    check(days, &format!("1\u{a0}BTC = EUR:60386.33, held until @{end}"));
    let floating = Payment { rate_type: RateType::Floating.into(), ..pending() };
    check(floating, "1\u{a0}BTC = EUR:60386.33. The rate when your transfer arrives counts.");
}

#[test]
fn help_is_on_every_screen_except_successful_ones() {
    let check = |payment: Payment, expected: bool| {
        let support_url = Some("https://shop.example/help?order={reference}".into());
        let player = Player::open_view(page_url(), CheckoutView { support_url, ..view(payment) });
        let all = everything(&player);
        let link = all.contains("https://shop.example/help?order=order-1");
        assert_eq!(link, expected, "{}", player.screen());
        assert_eq!(all.matches(">Reference ").count(), 1, "one reference: {all}");
    };
    check(pending(), false);
    check(paid(), false);
    check(partial(), true);
    check(expired(), true);
    check(overpaid(None), true);
    check(quoted("BTC", "BTC", TRX, "0.00412345"), true);
}

#[test]
fn every_status_has_its_screen() {
    let check = |payment: Payment, screen| {
        let status = payment.status.as_str().to_owned();
        let player = Player::open(payment);
        assert_eq!(player.screen(), screen);
        assert!(everything(&player).contains(&status) || screen == "choose", "{screen} shows its status");
    };
    check(crate::payments::new(), "choose");
    check(pending(), "pay");
    check(pending_xrp(), "pay");
    check(seen(), "seen");
    check(partial(), "partial");
    check(paid(), "paid");
    check(overpaid(Some(RefundStatus::Pending)), "overpaid");
    check(expired(), "expired");
    // A deposit that this page cannot count: no further payment may be requested.
    for (amount, currency) in [("0.1", "ETH"), ("1.23456789e-7", "BTC")] {
        let odd = deposit(amount, currency, DepositStatus::Unconfirmed);
        check(with(pending(), PaymentStatus::Awaiting, vec![odd]), "seen");
    }
}

#[test]
fn an_unknown_status_is_derived_from_the_facts() {
    let held = |deposits| with(pending(), Word::Other("ON_HOLD".into()), deposits);
    assert_eq!(Player::open(held(vec![])).screen(), "pay");
    let all = deposit("0.00412345", "BTC", DepositStatus::Confirmed);
    assert_eq!(Player::open(held(vec![all])).screen(), "paid");
}

#[test]
fn a_partial_payment_shows_the_exact_rest() {
    let player = Player::open(partial());
    let pay = pay(&player);
    assert_eq!((pay.amount.part, pay.amount.value.as_str()), ("remaining", "0.00312345"));
    assert!(pay.qr.payload.contains("0.00312345"), "a new code: {}", pay.qr.payload);
    let arrived = pay.arrived.expect("what arrived").text;
    assert!(arrived.contains("0.001\u{a0}BTC") && arrived.contains("0.00412345\u{a0}BTC"), "{arrived}");
    assert_eq!(pay.change_currency, None);
}

#[test]
fn paid_is_a_receipt() {
    let done = done(&Player::open(paid()));
    assert_eq!((done.text.as_str(), done.price.as_deref()), ("Paid to Kettle & Leaf", Some("EUR:249.00")));
    let rows: Vec<_> = done.rows.iter().map(|row| (row.label, row.value.as_str())).collect();
    assert_eq!(rows[0], ("Received", "0.00412345\u{a0}BTC"));
    assert_eq!(rows[1], ("Value", "EUR:249.00"));
    assert_eq!(rows[2], ("Network", "Bitcoin"));
    assert!(rows[4].1.starts_with("f4184fc5") && done.rows[4].copy.is_some());
    let explorer = done.explorer.expect("a link").href;
    assert!(explorer.starts_with("https://mempool.space/tx/f4184fc5"), "{explorer}");
    assert!(!done.over && done.deposits.is_empty());
}

#[test]
fn an_overpayment_shows_the_treatment_of_the_excess() {
    let check = |payment: Payment, words: &str| {
        let done = done(&Player::open(payment));
        assert!(done.over && done.text.contains("0.001\u{a0}BTC more"), "{}", done.text);
        let refund = done.deposits.iter().find_map(|deposit| deposit.refund.as_ref());
        let told = refund.map(|refund| refund.text.clone()).or(done.excess_note).expect("a text is shown");
        assert!(told.contains(words), "{told}");
    };
    check(overpaid(Some(RefundStatus::Pending)), "will be sent back");
    check(overpaid(Some(RefundStatus::Confirmed)), "has been sent back");
    check(overpaid(Some(RefundStatus::NonRefundable)), "cannot be sent back");
    check(overpaid(None), "not settled yet");
    // No automatic refund is promised where there is none.
    for wait in [RefundWait::Address, RefundWait::Approval] {
        let mut waiting = overpaid(Some(RefundStatus::Pending));
        waiting.deposits[0].refund.as_mut().unwrap().waiting_for = Some(wait.into());
        check(waiting.clone(), "cannot be sent back automatically. Kettle & Leaf can tell you");
        let line = done(&Player::open(waiting)).deposits[0].refund.clone().unwrap();
        assert!(line.facts.is_empty(), "neither fee nor address are certain: {:?}", line.facts);
    }
    let mut processed = overpaid(None);
    processed.overpayment_policy = Some(checkout_wire::payment::OverpaymentPolicy::Process.into());
    check(processed, "credited to Kettle & Leaf");
}

#[test]
fn an_expired_payment_can_be_renewed() {
    let present::Body::Expired(plain) = Player::open(expired()).model().body else { panic!("expired") };
    assert!(plain.renew.is_some() && plain.status.text.contains("Already sent"));
    let part = deposit("0.001", "BTC", DepositStatus::Confirmed);
    let part = with(pending(), PaymentStatus::Expired, vec![part]);
    let present::Body::Expired(part) = Player::open(part).model().body else { panic!("expired") };
    assert!(part.renew.is_none() && part.text.contains("0.001\u{a0}BTC"), "the merchant decides");
}

/// There was neither a rate nor an address.
#[test]
fn a_payment_that_expired_before_the_choice_offers_the_choice() {
    let unchosen = with(crate::payments::new(), PaymentStatus::Expired, Vec::new());
    let mut player = Player::open(unchosen);
    let present::Body::Expired(expired) = player.model().body else { panic!("expired") };
    assert_eq!(expired.title, "The time to pay has ended");
    assert_eq!(expired.renew, Some("Choose a currency"));
    let page = everything(&player);
    for wrong in ["rate has expired", "new rate", "Already sent"] {
        assert!(!page.contains(wrong), "{page}");
    }
    player.act(Act::Renew);
    assert_eq!(player.screen(), "choose");
}

/// The roles and attributes that screen readers, keyboards and test programs use.
#[test]
fn every_page_has_its_roles_names_and_hooks() {
    let mut copying = Player::open(pending_xrp());
    copying.play(What::Copied { field: Field::Tag, done: false });
    let mut networks = Player::open(crate::payments::new());
    networks.act(Act::ChooseCurrency(Currency::Usdt));
    let mut refused = Player::open(expired());
    refused.act(Act::Renew);
    refused.answer(409, Body::Empty);
    let players = vec![
        Player::open(crate::payments::new()),
        networks,
        Player::open(pending()),
        copying,
        Player::open(seen()),
        Player::open(partial()),
        Player::open(crate::payments::returning(paid())),
        Player::open(overpaid(Some(RefundStatus::Confirmed))),
        refused,
        Player::start_at(checkout_widget::page_url::PageUrl::default()),
    ];
    for player in players {
        check_names(&render(player.model()));
    }
}

fn check_names(page: &str) {
    let dom = tl::parse(page, tl::ParserOptions::default()).expect("HTML");
    let mut headings = 0;
    for element in dom.nodes().iter().filter_map(tl::Node::as_tag) {
        let attribute = |name: &str| {
            let value = element.attributes().get(name).flatten();
            value.map(|value| value.as_utf8_str().into_owned())
        };
        let tag = element.name().as_utf8_str();
        headings += usize::from(tag == "h1");
        match &*tag {
            "button" | "a" => {
                let visible = element.inner_text(dom.parser()).trim().to_owned();
                let name = attribute("aria-label").unwrap_or_else(|| visible.clone());
                assert!(!name.trim().is_empty(), "{element:?} has no name");
                assert!(
                    name.to_ascii_lowercase().contains(&visible.to_ascii_lowercase()),
                    "{name:?} does not contain {visible:?}"
                );
            }
            "h1" => assert_eq!(attribute("tabindex").as_deref(), Some("-1"), "the focus goes there"),
            _ => {}
        }
        if attribute("role").as_deref() == Some("img") {
            assert!(attribute("aria-label").is_some_and(|name| !name.is_empty()));
        }
        assert_eq!(attribute("style"), None, "the policy forbids it");
    }
    assert_eq!(headings, 1, "{page}");
}
