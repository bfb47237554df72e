//! The receipt by e-mail: the link on the page, the form, and the mail itself.

use checkout_widget::page_data::Found;
use checkout_widget::present::{Body, Requested};
use checkout_widget::render::{draw, draw_receipt, receipt};
use checkout_wire::Payment;
use checkout_wire::checkout_view::CheckoutView;

use crate::payments::{START, paid, pending, seen, view};
use crate::player::{Player, page_url};

const NOW: u64 = START * 1_000;

fn drawn(payment: Payment, typed: &str, answer: Option<Requested>) -> Option<String> {
    draw_receipt(page_url(), Box::new(view(payment)), (typed, answer), NOW).map(|drawing| drawing.main)
}

#[test]
fn the_link_is_on_the_receipt_of_a_gateway_with_mail() {
    let Body::Done(done) = Player::open(paid()).model().body else { panic!("it is paid") };
    let href = done.receipt.expect("a link").link.href;
    assert!(href.contains("receipt=1") && href.contains("sessionToken="), "{href}");
    for (payment, receipts, expected) in
        [(paid(), true, true), (paid(), false, false), (pending(), true, false)]
    {
        let drawing = draw(page_url(), Found::View(Box::new(view(payment))), receipts, NOW);
        assert_eq!(drawing.main.contains("data-part=\"receipt\""), expected);
        let data = drawing.data.expect("the page has its data");
        assert_eq!(data.contains("Receipt by e-mail"), receipts);
    }
}

#[test]
fn the_form_is_that_of_a_paid_payment() {
    assert!(drawn(pending(), "", None).is_none());
    assert!(drawn(seen(), "", None).is_none());
    let form = drawn(paid(), "", None).expect("a form");
    for part in ["name=\"email\"", "/receipt?sessionToken=", "erased once it is sent", "order-1"] {
        assert!(form.contains(part), "{part}: {form}");
    }
}

#[test]
fn every_answer_in_words() {
    let check = |answer, expected: &[&str]| {
        let form = drawn(paid(), "anna<b>@shop.example", Some(answer)).expect("a form");
        for part in expected.iter().chain(&["value=\"anna&lt;b&gt;@shop.example\""]) {
            assert!(form.contains(part), "{part}: {form}");
        }
    };
    check(Requested::Queued, &["on its way to anna&lt;b&gt;@shop.example", "told good"]);
    check(Requested::NoAddress, &["not a complete e-mail address", "aria-invalid"]);
    check(Requested::Enough, &["already sent to three addresses"]);
    check(Requested::NotNow, &["try again in a minute"]);
}

fn shop(payment: Payment) -> Box<CheckoutView> {
    Box::new(CheckoutView {
        merchant_name: "Kettle & <Co>".to_owned(),
        support_url: Some("https://shop.example/help?o={reference}".to_owned()),
        ..view(payment)
    })
}

#[test]
fn what_the_mail_says() {
    let mail = receipt(shop(paid()), "de-DE", NOW).expect("it is paid");
    assert_eq!(mail.subject, "Beleg von Kettle & <Co> für Referenz order-1");
    let transaction = &paid().deposits[0].transaction_id;
    for part in [
        "Kettle & <Co>",
        "order-1",
        "Preis: ",
        "BTC",
        "UTC",
        transaction,
        "https://shop.example/help?o=order-1",
    ] {
        assert!(mail.text.contains(part), "{part}: {}", mail.text);
    }
    for part in [
        "<html lang=\"de-DE\" dir=\"ltr\">",
        "Kettle &amp; &lt;Co&gt;",
        transaction,
        "<a href=\"https://shop.example/help?o=order-1\">",
    ] {
        assert!(mail.html.contains(part), "{part}: {}", mail.html);
    }
    let links = mail.html.matches("href=").count();
    assert_eq!(links, mail.text.matches("https://").count());
    for never in ["sessionToken", "<img", "<script", "src=", "url(", "<link", "/checkout/"] {
        assert!(!mail.html.contains(never) && !mail.text.contains(never), "{never}");
    }
    assert_eq!(receipt(shop(pending()), "de-DE", NOW), None);
    assert_eq!(receipt(shop(seen()), "de-DE", NOW), None);
}

#[test]
fn a_mail_in_each_language() {
    for (tag, dir) in [("ja-JP", "ltr"), ("ru-RU", "ltr"), ("en-XB", "rtl"), ("xx", "ltr")] {
        let mail = receipt(shop(paid()), tag, NOW).expect("it is paid");
        assert!(mail.html.contains(&format!("dir=\"{dir}\"")), "{tag}");
        assert!(!mail.text.contains('{'), "{tag}: {}", mail.text);
    }
}
