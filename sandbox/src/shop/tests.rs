use std::sync::Mutex;

use axum::Json;
use axum::body::to_bytes;
use axum::http::{Method, Request, StatusCode, header};
use serde_json::{Value, json};
use tower::ServiceExt as _;

use super::*;

const TOKEN: &str = "business-token-that-stays-on-the-server";

/// A gateway with scripted answers over HTTP.
struct Scripted {
    url: String,
    asked: Arc<Mutex<Vec<(String, String, Value)>>>,
}

impl Scripted {
    async fn answering(status: u16, body: Value) -> Self {
        let asked = Arc::new(Mutex::new(Vec::new()));
        let book = Arc::clone(&asked);
        let status = StatusCode::from_u16(status).expect("a status");
        let answer = move |request: Request<Body>| async move {
            let (parts, sent) = request.into_parts();
            let sent = to_bytes(sent, 1 << 16).await.expect("a small body");
            let token = parts.headers[header::AUTHORIZATION].to_str().expect("ASCII").to_owned();
            let sent = serde_json::from_slice(&sent).unwrap_or(Value::Null);
            book.lock().expect("no panic").push((format!("{} {}", parts.method, parts.uri), token, sent));
            (status, Json(body))
        };
        Self { url: checkout_test_nodes::serve(Router::new().fallback(answer)).await, asked }
    }

    fn shop(&self) -> Router {
        shop(&self.url)
    }
}

fn shop(gateway_url: &str) -> Router {
    shop_with(gateway_url, None)
}

fn shop_with(gateway_url: &str, kit: Option<Kit>) -> Router {
    let settings = ShopSettings {
        gateway_url: gateway_url.to_owned(),
        business_token: TOKEN.to_owned(),
        shop_url: "http://shop.example/".to_owned(),
        kit,
    };
    checkout_gateway::site::fixture::install();
    router(settings).expect("sane settings")
}

struct Page {
    status: StatusCode,
    headers: HeaderMap,
    text: String,
}

async fn ask(shop: &Router, method: Method, path: &str) -> Page {
    let request = Request::builder().method(method).uri(path).body(Body::empty()).expect("a request");
    let response = shop.clone().oneshot(request).await.expect("the router cannot fail");
    let (parts, body) = response.into_parts();
    let bytes = to_bytes(body, 1 << 20).await.expect("a page");
    let text = String::from_utf8(bytes.to_vec()).expect("UTF-8");
    assert!(!text.contains(TOKEN) && !format!("{:?}", parts.headers).contains(TOKEN), "the token leaked");
    Page { status: parts.status, headers: parts.headers, text }
}

fn payment(status: &str) -> Value {
    json!({
        "paymentId": "0193-payment",
        "clientPaymentId": "order",
        "businessId": "b",
        "status": status,
        "type": "ONE_TIME",
        "rateType": "FIXED",
        "processorType": "BLOCKCHAIN",
        "locale": "en-US",
        "displayCurrency": "EUR",
        "actualDepositAmount": "0",
        "actualDisplayAmount": "0",
        "expirationMinutes": 30,
        "paymentInitiatedAt": 1,
        "deposits": [],
    })
}

fn created() -> Value {
    json!({
        "paymentInfo": payment("NEW"),
        "paymentUrl": "https://pay.example/checkout/0193-payment?sessionToken=s&theme=LIGHT&locale=en-US",
    })
}

/// Buys a kettle. Returns the order's URL.
async fn order_of(shop: &Router) -> String {
    let bought = ask(shop, Method::POST, "/buy/kettle").await;
    assert_eq!(bought.status, StatusCode::SEE_OTHER, "{}", bought.text);
    bought.headers[header::LOCATION].to_str().expect("ASCII").to_owned()
}

#[tokio::test]
async fn an_order_creates_a_payment_on_the_server() {
    let gateway = Scripted::answering(201, created()).await;
    let location = order_of(&gateway.shop()).await;
    let id = location.strip_prefix("/orders/").expect("an order");
    assert_eq!(id.len(), 32);

    let asked = gateway.asked.lock().expect("no panic").clone();
    let number = asked[0].2["clientPaymentId"].as_str().expect("a number").to_owned();
    assert!(number.len() == 8 && number.starts_with("KC-"), "{number}");
    let expected = json!({
        "clientPaymentId": number,
        "locale": "en-US",
        "type": "ONE_TIME",
        "displayCurrency": "EUR",
        "displayAmount": "64.00",
        "redirectUrl": format!("http://shop.example/thanks?order={id}"),
    });
    assert_eq!(asked, [("POST /api/v1/payments".to_owned(), format!("Bearer {TOKEN}"), expected)]);
}

#[tokio::test]
async fn the_order_page_embeds_the_checkout_of_the_gateway_s_public_origin() {
    let shop = Scripted::answering(201, created()).await.shop();
    let page = ask(&shop, Method::GET, &order_of(&shop).await).await;
    assert_eq!(page.status, StatusCode::OK);
    let url = "https://pay.example/checkout/0193-payment?sessionToken=s&#38;theme=AUTO&#38;locale=en-US";
    for part in [
        format!("<crypto-checkout payment-url=\"{url}\" mode=\"frame\">"),
        "<a href=\"?as=iframe\" data-part=\"form\"".to_owned(),
        "&#60;crypto-checkout payment-url=&#34;{paymentUrl}&#34; mode=&#34;frame&#34;&#62;".to_owned(),
        "<script type=\"module\" src=\"https://pay.example/embed.js\">".to_owned(),
        "€64.00".to_owned(),
        "data-part=\"shop-status\"".to_owned(),
    ] {
        assert!(page.text.contains(&part), "{part}\n{}", page.text);
    }
    assert_eq!(
        page.headers[header::CONTENT_SECURITY_POLICY],
        "default-src 'none'; script-src 'self' https://pay.example; style-src 'self'; img-src 'self' data:; \
         frame-src https://pay.example; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    );
    assert_eq!(page.headers[header::CACHE_CONTROL], "no-store");
    assert_eq!(page.headers[header::REFERRER_POLICY], "no-referrer");
}

#[tokio::test]
async fn each_form_is_on_its_own_page() {
    let shop = Scripted::answering(201, created()).await.shop();
    let order = order_of(&shop).await;
    let url = "https://pay.example/checkout/0193-payment?sessionToken=s&#38;theme=AUTO&#38;locale=en-US";
    for (form, markup) in [
        ("frame", format!("<crypto-checkout payment-url=\"{url}\" mode=\"frame\">")),
        ("modal", format!("<crypto-checkout payment-url=\"{url}\" mode=\"modal\">")),
        ("button", format!("<crypto-checkout payment-url=\"{url}\" mode=\"modal\" open-on=\"pay\">")),
        ("iframe", format!("<iframe class=\"checkout\" title=\"Checkout\" src=\"{url}\"")),
        ("link", format!("<a class=\"buy\" href=\"{url}\">")),
    ] {
        let page = ask(&shop, Method::GET, &format!("{order}?as={form}")).await;
        assert_eq!(page.status, StatusCode::OK, "{form}");
        assert!(page.text.contains(&markup), "{form}\n{}", page.text);
        assert!(page.text.contains(&format!("data-value=\"{form}\" aria-current=\"page\"")), "{form}");
        let loads_script =
            page.text.contains("<script type=\"module\" src=\"https://pay.example/embed.js\">");
        assert_eq!(loads_script, !matches!(form, "iframe" | "link"), "{form}");
    }
}

#[tokio::test]
async fn the_shop_serves_the_kit_as_its_own_page() {
    let folder = tempfile::tempdir().expect("the temporary folder is writable");
    assert!(Kit::read(folder.path(), "https://pay.example").is_none(), "an empty folder is no kit");
    assert!(Kit::read(&folder.path().join("none"), "https://pay.example").is_none());
    std::fs::create_dir(folder.path().join("assets")).expect("it is new");
    for (name, content) in
        [("index.html", "<title>Page</title>"), ("checkout.json", "{}"), ("assets/a.wasm", "module")]
    {
        std::fs::write(folder.path().join(name), content).expect("it can be written");
    }
    let kit = Kit::read(folder.path(), "https://pay.example").expect("there is a page");
    let gateway = Scripted::answering(200, created()).await;
    let shop = shop_with(&gateway.url, Some(kit));
    let order = order_of(&shop).await;
    let page = ask(&shop, Method::GET, &format!("{order}?as=kit")).await;
    let link = "href=\"/pay/?paymentId=0193-payment&#38;sessionToken=s&#38;theme=AUTO&#38;locale=en-US\"";
    assert!(page.text.contains(link), "{}", page.text);
    let settings = json!({"api": "https://pay.example", "theme": "AUTO", "sandbox": true}).to_string();
    for (path, kind, content) in [
        ("/pay/?paymentId=1&sessionToken=a", "text/html; charset=utf-8", "<title>Page</title>"),
        ("/pay/assets/a.wasm", "application/wasm", "module"),
        ("/pay/checkout.json", "application/json", &settings),
    ] {
        let file = ask(&shop, Method::GET, path).await;
        let found = (file.status, file.headers[header::CONTENT_TYPE].as_bytes(), file.text.as_str());
        assert_eq!(found, (StatusCode::OK, kind.as_bytes(), content), "{path}");
    }
    for path in ["/pay/none.js", "/pay/../tests.rs", "/pay/%2e%2e/tests.rs", "/pay/assets"] {
        assert_eq!(ask(&shop, Method::GET, path).await.status, StatusCode::NOT_FOUND, "{path}");
    }
}

#[tokio::test]
async fn without_a_kit_the_shop_does_not_offer_it() {
    let gateway = Scripted::answering(200, created()).await;
    let shop = gateway.shop();
    let order = order_of(&shop).await;
    let page = ask(&shop, Method::GET, &format!("{order}?as=kit")).await;
    assert_eq!(page.text.matches("data-part=\"form\"").count(), 5);
    assert!(
        page.text.contains("data-value=\"frame\" aria-current") && !page.text.contains("/pay/"),
        "{}",
        page.text
    );
    assert_eq!(ask(&shop, Method::GET, "/pay/").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_number_that_the_gateway_has_seen_is_not_used() {
    let problem = json!({"title": "The id is taken", "status": 409, "code": "client_payment_id_taken"});
    let gateway = Scripted::answering(409, problem).await;
    let page = ask(&gateway.shop(), Method::POST, "/buy/tea").await;
    assert_eq!(page.status, StatusCode::BAD_GATEWAY);
    let asked = gateway.asked.lock().expect("no panic");
    assert_eq!(u32::try_from(asked.len()), Ok(ATTEMPTS));
    let numbers: std::collections::BTreeSet<_> =
        asked.iter().map(|(_, _, body)| body["clientPaymentId"].to_string()).collect();
    assert!(numbers.len() > 1, "{numbers:?}");
}

#[tokio::test]
async fn the_thanks_page_shows_the_gateways_status() {
    // One scripted answer serves both requests: the created payment and the payment's status.
    for (status, title) in [
        ("DEPOSITED", "Thank you, it is paid."),
        ("OVERPAID", "Thank you, it is paid."),
        ("AWAITING", "Your payment is on its way."),
        ("PENDING", "It is not paid yet."),
        ("NEW", "It is not paid yet."),
        ("EXPIRED", "The time to pay has passed."),
    ] {
        let mut answer = payment(status);
        answer["paymentInfo"] = payment("NEW");
        answer["paymentUrl"] = created()["paymentUrl"].clone();
        let gateway = Scripted::answering(200, answer).await;
        let shop = gateway.shop();
        let order = order_of(&shop).await;
        let id = order.strip_prefix("/orders/").expect("an order");
        let page = ask(&shop, Method::GET, &format!("/thanks?order={id}&status=DEPOSITED")).await;
        assert_eq!(page.status, StatusCode::OK, "{status}");
        assert!(page.text.contains(&format!("<h1>{title}</h1>")), "{status}\n{}", page.text);
        assert!(page.text.contains(&format!("data-part=\"thanks\" data-value=\"{status}\"")), "{status}");
        assert_eq!(page.headers.contains_key(header::REFRESH), status == "AWAITING", "{status}");
        let asked = gateway.asked.lock().expect("no panic");
        assert_eq!(asked[1].0, "GET /api/v1/payments/0193-payment", "{status}");
        assert_eq!(asked[1].1, format!("Bearer {TOKEN}"), "{status}");
    }
}

#[tokio::test]
async fn a_refusal_by_the_gateway_is_shown() {
    let problem = json!({
        "type": "about:blank",
        "title": "Unprocessable <b>",
        "status": 422,
        "detail": "See errors",
        "code": "validation_failed",
        "requestId": "r",
        "errors": [{"pointer": "/displayAmount", "code": "too_small", "detail": "below the minimum"}],
    });
    for (status, answer, told) in [
        (422, problem, "Unprocessable &#60;b&#62; (See errors); /displayAmount below the minimum"),
        (503, json!("down"), "answered 503 Service Unavailable"),
        (201, json!({"paymentUrl": 1}), "answered what cannot be read"),
    ] {
        let page = ask(&Scripted::answering(status, answer).await.shop(), Method::POST, "/buy/tea").await;
        assert_eq!(page.status, StatusCode::BAD_GATEWAY, "{status}");
        assert!(page.text.contains(told), "{status}\n{}", page.text);
        assert!(page.text.contains("Nothing was charged."), "{status}");
    }
}

#[tokio::test]
async fn an_unreachable_gateway_is_reported() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let url = format!("http://{}", listener.local_addr().expect("bound"));
    drop(listener);
    let page = ask(&shop(&url), Method::POST, "/buy/kettle").await;
    assert_eq!(page.status, StatusCode::BAD_GATEWAY);
    assert!(page.text.contains("cannot be reached"), "{}", page.text);
}

#[tokio::test]
async fn an_unreadable_payment_is_shown_as_neither_paid_nor_lost() {
    let mut answer = payment("DEPOSITED");
    answer["status"] = json!(7);
    answer["paymentInfo"] = payment("NEW");
    answer["paymentUrl"] = created()["paymentUrl"].clone();
    let shop = Scripted::answering(200, answer).await.shop();
    let order = order_of(&shop).await;
    let id = order.strip_prefix("/orders/").expect("an order");
    let page = ask(&shop, Method::GET, &format!("/thanks?order={id}")).await;
    assert_eq!(page.status, StatusCode::BAD_GATEWAY);
    assert!(page.text.contains("We cannot see your payment right now."), "{}", page.text);
    assert!(page.text.contains(&format!("<a href=\"/thanks?order={id}\">Look again</a>")), "{}", page.text);
}

#[tokio::test]
async fn missing_pages_are_404() {
    let shop = shop("http://127.0.0.1:1");
    for (method, path) in [
        (Method::GET, "/orders/0"),
        (Method::GET, "/thanks"),
        (Method::GET, "/thanks?order=0"),
        (Method::POST, "/buy/teapot"),
        (Method::GET, "/shop/front.html"),
        (Method::GET, "/embed.js"),
    ] {
        let page = ask(&shop, method, path).await;
        assert_eq!(page.status, StatusCode::NOT_FOUND, "{path}");
        assert!(page.text.contains("We do not have this page."), "{path}");
    }
    assert_eq!(ask(&shop, Method::GET, "/buy/kettle").await.status, StatusCode::METHOD_NOT_ALLOWED);
    let front = ask(&shop, Method::GET, "/").await;
    assert_eq!(front.status, StatusCode::OK);
    assert_eq!(front.text.matches("data-part=\"buy\"").count(), 2);
    assert_eq!(ask(&shop, Method::GET, "/shop.css").await.status, StatusCode::OK);
}

#[test]
fn invalid_settings_are_refused_at_start() {
    for (gateway_url, token) in [("https://pay.example", "t"), ("pay", "t"), ("", "t"), ("http://x", "a\nb")]
    {
        let settings = ShopSettings {
            gateway_url: gateway_url.to_owned(),
            business_token: token.to_owned(),
            shop_url: "http://shop.example".to_owned(),
            kit: None,
        };
        assert!(router(settings).is_err(), "{gateway_url}");
    }
}
