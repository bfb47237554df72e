//! The shop's pages and their headers.

use axum::body::Body;
use axum::http::{HeaderValue, Response, StatusCode, Uri, header};
use checkout_wire::{Payment, PaymentStatus, Word};

use super::client::GatewayError;
use super::forms::Form;
use super::kit::Kit;
use super::orders::Order;
use super::products::PRODUCTS;
use super::template::fill;

const FRONT: &str = include_str!("../../../www/shop/front.html");
const ORDER: &str = include_str!("../../../www/shop/order.html");
const THANKS: &str = include_str!("../../../www/shop/thanks.html");
const NOTICE: &str = include_str!("../../../www/shop/notice.html");

pub(super) fn front() -> Response<Body> {
    let [kettle, tea] = &PRODUCTS;
    let values = [
        ("kettle-name", kettle.name),
        ("kettle-price", kettle.price),
        ("kettle-slug", kettle.slug),
        ("tea-name", tea.name),
        ("tea-price", tea.price),
        ("tea-slug", tea.slug),
    ];
    page(StatusCode::OK, &fill(FRONT, &values), "")
}

/// Loads the script and the frame from the gateway's public origin.
pub(super) fn order(order: &Order, form: &Form, forms: &[Form]) -> Response<Body> {
    let Some(gateway) = origin(&order.payment_url) else {
        return not_started(&GatewayError::Unreadable("its payment address is not a URL".to_owned()));
    };
    let template =
        ORDER.replace("<!-- forms -->\n", &form.links(forms)).replace("<!-- form -->\n", form.markup());
    let values = [
        ("number", order.number.as_str()),
        ("product", order.product.name),
        ("price", order.product.price),
        ("gateway", &gateway),
        ("payment-id", &order.payment_id),
        ("payment-url", &order.payment_url),
        ("own-url", &Kit::link(&order.payment_id, &order.payment_url)),
        ("form", form.name),
        ("meaning", form.meaning),
        ("silent", form.silent),
        ("code", &form.code(&gateway)),
    ];
    page(StatusCode::OK, &fill(&template, &values), &gateway)
}

pub(super) fn thanks(order: &Order, payment: &Payment) -> Response<Body> {
    let (title, text) = describe(&payment.status);
    let paid = matches!(payment.status.known(), Some(PaymentStatus::Deposited | PaymentStatus::Overpaid));
    let payment_page = format!("/orders/{}", order.id);
    let (next, next_text) =
        if paid { ("/", "Back to the shop") } else { (payment_page.as_str(), "Back to the payment") };
    let values = [
        ("title", title),
        ("text", text),
        ("status", payment.status.as_str()),
        ("number", &order.number),
        ("product", order.product.name),
        ("price", order.product.price),
        ("next", next),
        ("next-text", next_text),
    ];
    let mut response = page(StatusCode::OK, &fill(THANKS, &values), "");
    if payment.status == PaymentStatus::Awaiting {
        response.headers_mut().insert(header::REFRESH, HeaderValue::from_static("5"));
    }
    response
}

/// The shop's message for a payment status. Only the gateway's status can mark it as paid.
fn describe(status: &Word<PaymentStatus>) -> (&'static str, &'static str) {
    match status.known() {
        Some(PaymentStatus::Deposited) => ("Thank you, it is paid.", "We are packing your order now."),
        Some(PaymentStatus::Overpaid) => (
            "Thank you, it is paid.",
            "You sent a little more than the price. We are packing your order now; the rest is handled by our payment service.",
        ),
        Some(PaymentStatus::Awaiting) => (
            "Your payment is on its way.",
            "The network has seen it. We pack your order as soon as it is confirmed; this page looks again by itself.",
        ),
        Some(PaymentStatus::Expired) => (
            "The time to pay has passed.",
            "Nothing was received. If you have sent something already, go back to the payment: it is still being watched.",
        ),
        Some(PaymentStatus::New | PaymentStatus::Pending) | None => {
            ("It is not paid yet.", "Your order is kept for you. You can go back to the payment at any time.")
        }
    }
}

/// The page for a payment that the gateway did not create.
pub(super) fn not_started(error: &GatewayError) -> Response<Body> {
    let (title, text) =
        ("The payment could not be started.", "Nothing was charged. Please try again in a moment.");
    notice(StatusCode::BAD_GATEWAY, title, text, &error.to_string(), ("/", "Back to the shop"))
}

/// The page for a payment status that could not be read.
pub(super) fn not_known(order: &Order, error: &GatewayError) -> Response<Body> {
    let title = "We cannot see your payment right now.";
    let text = "Nothing is lost: what you have sent is kept with your order. Please look again in a moment.";
    let again = format!("/thanks?order={}", order.id);
    notice(StatusCode::BAD_GATEWAY, title, text, &error.to_string(), (&again, "Look again"))
}

pub(super) fn not_found() -> Response<Body> {
    let text = "Orders of this shop are forgotten when it restarts.";
    notice(StatusCode::NOT_FOUND, "We do not have this page.", text, "", ("/", "Back to the shop"))
}

/// `next` is the URL and the text of the page's link.
fn notice(status: StatusCode, title: &str, text: &str, detail: &str, next: (&str, &str)) -> Response<Body> {
    let values =
        [("title", title), ("text", text), ("detail", detail), ("next", next.0), ("next-text", next.1)];
    page(status, &fill(NOTICE, &values), "")
}

/// Returns `scheme://host[:port]` of a URL.
fn origin(url: &str) -> Option<String> {
    let uri: Uri = url.parse().ok()?;
    let origin = format!("{}://{}", uri.scheme_str()?, uri.authority()?);
    checkout_gateway::site::sanitized_origins(&[origin]).pop()
}

/// `gateway` is an origin; empty if the page does not embed the checkout.
fn page(status: StatusCode, html: &str, gateway: &str) -> Response<Body> {
    let frames = if gateway.is_empty() { "'none'" } else { gateway };
    let policy = format!(
        "default-src 'none'; script-src 'self' {gateway}; style-src 'self'; img-src 'self' data:; \
         frame-src {frames}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    );
    let mut response = Response::new(Body::from(html.to_owned()));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    let policy = HeaderValue::try_from(policy).expect("the policy and a sanitized origin are visible ASCII");
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    for (name, value) in [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CACHE_CONTROL, "no-store"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_gateways_status_marks_an_order_paid() {
        for word in PaymentStatus::KNOWN.iter().chain(&["SOMETHING_NEW"]) {
            let status = PaymentStatus::known(word).map_or(Word::Other((*word).to_owned()), Word::Known);
            let paid = describe(&status).0.contains("it is paid.");
            assert_eq!(paid, matches!(*word, "DEPOSITED" | "OVERPAID"), "{word}");
        }
    }

    #[test]
    fn origins_of_payment_addresses() {
        let check = |url: &str, expected: Option<&str>| assert_eq!(origin(url).as_deref(), expected, "{url}");
        check("http://127.0.0.1:8080/checkout/1?sessionToken=a", Some("http://127.0.0.1:8080"));
        check("https://Pay.example/checkout/1", Some("https://pay.example"));
        check("https://user:pw@pay.example/", None);
        check("/checkout/1", None);
        check("", None);
    }
}
