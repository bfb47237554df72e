//! The payer asks for money back: what the page of the payment says, and the form that the server draws.

use checkout_widget::connection::Pace;
use checkout_widget::page_url::PageUrl;
use checkout_widget::present::{self, NotAsked, TypedClaim};
use checkout_widget::render::draw_claim;
use checkout_wire::checkout_view::CheckoutView;
use checkout_wire::claim_refund::{ClaimStatus, RefundClaim};
use checkout_wire::{DepositStatus, Payment, PaymentStatus};

use crate::payments::{deposit, pending, view, with};
use crate::player::{Player, page_url};

const ETH: &str = "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB";
const BTC: &str = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq";
const XRP: &str = "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY";

fn claim(currency: &str, network: &str, status: ClaimStatus) -> RefundClaim {
    RefundClaim {
        claim_id: "c-1".into(),
        deposit_id: None,
        status: status.into(),
        currency: currency.into(),
        network: network.into(),
        amount: "0.5".into(),
        fee: "0.001".into(),
        sender: None,
        address: None,
        memo_type: None,
        reason: None,
        transaction_id: None,
    }
}

fn overpaid() -> Payment {
    with(pending(), PaymentStatus::Overpaid, vec![deposit("0.01", "BTC", DepositStatus::Confirmed)])
}

fn claims(claims: Vec<RefundClaim>) -> CheckoutView {
    CheckoutView { claims, version: 10, ..view(overpaid()) }
}

/// Rows: where the money came from, and whether the form asks about it.
#[test]
fn the_form_asks_whether_the_money_came_from_the_payers_own_wallet() {
    for (sender, is_asked) in [(Some(BTC), true), (None, false)] {
        let shown =
            RefundClaim { sender: sender.map(str::to_owned), ..claim("BTC", "BTC", ClaimStatus::Open) };
        let typed = TypedClaim { id: "c-1".to_owned(), ..TypedClaim::default() };
        let page = draw_claim(page_url(), Box::new(claims(vec![shown])), &typed, 0).expect("a form").main;
        assert_eq!(page.contains("Is it your own wallet, not an exchange?"), is_asked, "{page}");
        assert_eq!(page.contains("data-part=\"claim-own\""), is_asked, "{page}");
        let sent = format!("name=\"to\" value=\"{BTC}\"");
        assert_eq!(page.contains(&sent), is_asked, "the press sends the address: {page}");
    }
}

/// The form after what was typed was sent with this button.
fn sent(pair: (&str, &str), address: &str, tag: &str, review: bool) -> String {
    let typed = TypedClaim {
        id: "c-1".to_owned(),
        address: address.to_owned(),
        tag: tag.to_owned(),
        review,
        refusal: None,
    };
    drawn(pair, &typed).expect("it can be asked for")
}

/// The page looks often while the money is on its way.
#[test]
fn the_page_follows_a_claim() {
    let check = |status, expected| {
        let player = Player::open_view(page_url(), claims(vec![claim("ETH", "ETH", status)]));
        assert_eq!(player.page.state.pace(), expected, "{status:?}");
    };
    for status in [ClaimStatus::Asked, ClaimStatus::Approved, ClaimStatus::Sent] {
        check(status, Pace::Calm);
    }
    for status in [ClaimStatus::Open, ClaimStatus::Confirmed, ClaimStatus::Refused, ClaimStatus::Failed] {
        check(status, Pace::Settled);
    }
}

fn drawn((currency, network): (&str, &str), typed: &TypedClaim) -> Option<String> {
    let view = Box::new(claims(vec![claim(currency, network, ClaimStatus::Open)]));
    let drawing = draw_claim(page_url(), view, typed, 1_800_000_000_000)?;
    assert_eq!(drawing.data, None, "the script of the page does not follow it");
    Some(drawing.main)
}

fn feedback(pair: (&str, &str), address: &str, tag: &str) -> String {
    let page = sent(pair, address, tag, false);
    let told = page.split("id=\"claim-feedback\"").nth(1).and_then(|rest| rest.split("</div>").next());
    told.expect("the form has it").to_owned()
}

#[test]
fn what_can_be_asked_for_stands_on_the_page_and_the_page_stays() {
    let check = |framed| {
        let url = PageUrl { framed, ..page_url() };
        let player = Player::open_view(url, claims(vec![claim("ETH", "ETH", ClaimStatus::Open)]));
        let present::Body::Done(done) = player.model().body else { panic!("not paid") };
        assert_eq!(done.claims[0].text, "You can get 0.5\u{a0}ETH back, on Ethereum.");
        let open = done.claims[0].open.clone().expect("a link");
        assert_eq!((open.link.label.as_str(), open.framed), ("Get it back", framed));
        assert!(open.link.href.ends_with("&claim=c-1"), "{}", open.link.href);
        assert_eq!(done.excess_note, None, "the claim says it");
        assert!(!player.model().announcement.contains("return"));
    };
    check(false);
    check(true);
}

#[test]
fn each_mistake_that_would_cost_the_money_is_told_and_ends_at_the_form() {
    let check = |pair, address: &str, tag: &str, expected: &str| {
        let told = feedback(pair, address, tag);
        assert!(
            told.contains(expected) && told.contains("<span>") != expected.is_empty(),
            "{address} {tag}: {told}"
        );
        let page = sent(pair, address, tag, true);
        let is_valid = expected.starts_with("This is a valid");
        assert_eq!(page.contains("data-screen=\"claim-review\""), is_valid, "{address}");
        assert_eq!(page.contains("name=\"ask\""), is_valid, "{address}");
    };
    let (eth, btc, xrp) = (("ETH", "ETH"), ("BTC", "BTC"), ("XRP", "XRP"));
    check(eth, "", "", "");
    check(eth, ETH, "", "This is a valid address on Ethereum");
    check(eth, &format!("  {ETH} "), "", "This is a valid address");
    check(eth, &ETH[..40], "", "This address has a mistake");
    check(eth, BTC, "", "This is not an address on Ethereum");
    check(btc, ETH, "", "This is not an address on Bitcoin");
    check(btc, &pending().wallet_address.unwrap(), "", "This is the address that you paid to");
    check(eth, "0xdAC17F958D2ee523a2206206994597C13D831ec7", "", "This address belongs to a contract");
    check(btc, "KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn", "", "This looks like a private key");
    check(xrp, XRP, "", "This is a valid address");
    check(xrp, XRP, "7", "This is a valid address");
    check(xrp, XRP, "seven", "Destination tag: this is not valid");
    check(xrp, &format!("{XRP}?dt=7"), "8", "Destination tag");
}

/// The place of one wrong letter; what was meant is offered where it is sure, in one press.
#[test]
fn a_mistyped_address_shows_where_and_offers_the_right_one() {
    let told = feedback(("BTC", "BTC"), &BTC.replacen("qar0", "qar9", 1), "");
    assert!(told.contains("This address has a mistake at the marked place."), "{told}");
    assert!(told.contains("<mark>9</mark>"), "{told}");
    assert!(!told.contains("suggestion"), "a checksum only says that it is wrong: {told}");
    let told = feedback(("BTC", "BTC"), &BTC.replacen("qar0", "qAr0", 1), "");
    assert!(told.contains(&format!("Use {BTC}")), "{told}");
    assert!(told.contains(&format!("name=\"to\" value=\"{BTC}\"")), "the button sends it: {told}");
}

/// The fields after a press of the suggestion; both empty if there is none.
fn pressed(pair: (&str, &str), address: &str, tag: &str) -> (String, String) {
    let told = feedback(pair, address, tag);
    let value = |name: &str| {
        let rest = told.split(&format!("name=\"{name}\" value=\"")).nth(1).unwrap_or_default();
        rest.split('"').next().unwrap_or_default().to_owned()
    };
    let (address, tag) = (value("to"), value("tag"));
    if !address.is_empty() {
        assert!(told.contains(&format!("Use {address}")) || told.contains(&format!("Use {tag}<")), "{told}");
        assert!(
            tag.is_empty() || told.contains(&format!("{tag}</button>")),
            "the button shows the tag: {told}"
        );
        assert!(feedback(pair, &address, &tag).contains("This is a valid address"), "{address} {tag}");
    }
    (address, tag)
}

#[test]
fn one_press_takes_the_address_with_its_tag_or_there_is_none() {
    const XLM: &str = "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ";
    let check = |pair, address: &str, tag: &str, expected: (&str, &str)| {
        let found = pressed(pair, address, tag);
        assert_eq!((found.0.as_str(), found.1.as_str()), expected, "{address} {tag}");
    };
    let (xrp, xlm, none) = (("XRP", "XRP"), ("XLM", "XLM"), ("", ""));
    for text in
        ["{}?tag=495", "ripple:{}?dt=495", "xrpl:{}?destinationTag=495&amount=3", "{}&dt=495", "{};dt=495"]
    {
        check(xrp, &text.replace("{}", XRP), "", (XRP, "495"));
        check(xrp, &text.replace("{}", XRP), "495", (XRP, "495"));
        check(xrp, &text.replace("{}", XRP), "7", none);
    }
    check(xrp, &format!("ripple:{XRP}"), "7", (XRP, "7"));
    check(xrp, &format!("ripple:{XRP}"), "", (XRP, ""));
    check(xrp, &format!("{XRP}?dt=007"), "", (XRP, "7"));
    check(xrp, XRP, "007", (XRP, "7"));
    check(xlm, &format!("stellar:{XLM}?memo=7"), "", (XLM, "7"));
    check(xlm, &format!("{XLM}?memo=hello&memo_type=MEMO_TEXT"), "", (XLM, "hello"));
    // The form has no type of a memo, and these digits would be an id.
    check(xlm, &format!("{XLM}?memo=7&memo_type=MEMO_TEXT"), "", none);
    for text in ["{}?dt=495&dt=7", "{}:495", "{} 495", "{}?memo=7", "{}?to=5"] {
        check(xrp, &text.replace("{}", XRP), "", none);
        let told = feedback(xrp, &text.replace("{}", XRP), "");
        assert!(told.contains("Destination tag: enter it in its own field."), "{text}: {told}");
    }
    for text in ["base:{}", "{}@56", "avax:{}"] {
        check(("ETH", "ETH"), &text.replace("{}", ETH), "", none);
        let told = feedback(("ETH", "ETH"), &text.replace("{}", ETH), "");
        assert!(told.contains("This is not an address on Ethereum"), "{text}: {told}");
    }
    check(("ETH", "ETH"), &format!("ethereum:{ETH}@1"), "", (ETH, ""));
}

#[test]
fn the_summary_has_what_is_asked_for_and_sends_it() {
    let page = sent(("XRP", "XRP"), XRP, "7", true);
    for expected in
        ["You receive", "0.5\u{a0}XRP", "XRP Ledger", XRP, "name=\"tag\" value=\"7\"", "name=\"ask\""]
    {
        assert!(page.contains(expected), "{expected}: {page}");
    }
    assert!(page.contains(&format!("name=\"to\" value=\"{XRP}\"")), "{page}");
    let action = format!("action=\"{}/claim?", page_url().path);
    assert_eq!(page.matches(&action).count(), 1, "{page}");
}

#[test]
fn a_refused_claim_says_so_and_keeps_what_was_typed() {
    let check = |refusal, expected: &str| {
        let typed = TypedClaim {
            id: "c-1".to_owned(),
            address: ETH.to_owned(),
            tag: String::new(),
            review: true,
            refusal: Some(refusal),
        };
        let page = drawn(("ETH", "ETH"), &typed).expect("it can be asked for");
        assert!(page.contains(expected) && page.contains(ETH), "{page}");
    };
    check(NotAsked::NotNow, "cannot be refunded");
    check(NotAsked::NotReached, "could not reach");
}

/// Somebody else with the link was first, or the link is wrong.
#[test]
fn what_cannot_be_asked_for_has_no_form() {
    let check = |id: &str, status, has_form: bool| {
        let view = Box::new(claims(vec![claim("ETH", "ETH", status)]));
        let typed = TypedClaim { id: id.to_owned(), ..TypedClaim::default() };
        assert_eq!(draw_claim(page_url(), view, &typed, 0).is_some(), has_form, "{id} {status:?}");
    };
    check("c-1", ClaimStatus::Open, true);
    check("other", ClaimStatus::Open, false);
    check("", ClaimStatus::Open, false);
    for status in [ClaimStatus::Asked, ClaimStatus::Sent, ClaimStatus::Confirmed, ClaimStatus::Refused] {
        check("c-1", status, false);
    }
}

#[test]
fn what_was_typed_is_text() {
    let page = sent(("ETH", "ETH"), "\"><script>alert(1)</script>", "\"><img src=x>", true);
    assert!(!page.contains("<script") && !page.contains("<img"), "{page}");
}

#[test]
fn each_state_has_its_words() {
    let check = |status, expected: &str| {
        let shown = RefundClaim {
            reason: (status == ClaimStatus::Refused).then(|| "Write to us.".to_owned()),
            ..claim("ETH", "ETH", status)
        };
        let player = Player::open_view(page_url(), claims(vec![shown]));
        let present::Body::Done(done) = player.model().body else { panic!("not paid") };
        assert!(done.claims[0].text.contains(expected), "{}", done.claims[0].text);
        assert_eq!(done.claims[0].facts.len(), usize::from(status == ClaimStatus::Refused));
    };
    check(ClaimStatus::Asked, "still has to approve");
    check(ClaimStatus::Approved, "will be sent");
    check(ClaimStatus::Sent, "The network is confirming");
    check(ClaimStatus::Confirmed, "has been sent back");
    check(ClaimStatus::Refused, "did not approve");
    check(ClaimStatus::Failed, "could not be sent");
}
