//! A payer asks for the receipt by e-mail, and operators are told what waits for a person.

use std::sync::Arc;

use async_trait::async_trait;
use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use checkout_domain::ports::mail::{Letter, Mailer, NotTaken};
use checkout_domain::ports::page::{
    Drawing, PageForm, PageRenderer, PageRequest, ReceiptAnswer, ReceiptText, WalletRequest,
};
use checkout_gateway::service::mail::{Mail, notices, send_mails};
use checkout_wire::checkout_view::CheckoutView;
use checkout_wire::wallet_page::WalletPage;
use parking_lot::Mutex;
use serde_json::json;

use super::World;
use super::flagged::BITCOIN;

/// A mail server: what it got, and what it says next.
#[derive(Default)]
struct Post {
    letters: Mutex<Vec<Letter>>,
    refusals: Mutex<Vec<NotTaken>>,
}

#[async_trait]
impl Mailer for Post {
    async fn send(&self, letter: &Letter) -> Result<(), NotTaken> {
        if let Some(refusal) = self.refusals.lock().pop() {
            return Err(refusal);
        }
        self.letters.lock().push(letter.clone());
        Ok(())
    }
}

/// Keeps what the form would say. The text of a receipt is the payment's id and language.
#[derive(Default)]
struct Page(Mutex<Vec<Option<ReceiptAnswer>>>);

impl PageRenderer for Page {
    fn draw(&self, request: PageRequest) -> Drawing {
        if let Some(PageForm::Receipt(typed)) = request.form {
            self.0.lock().push(typed.answer);
        }
        Drawing::default()
    }

    fn wallet(&self, _: WalletRequest) -> WalletPage {
        WalletPage::default()
    }

    fn receipt(&self, view: Box<CheckoutView>, locale: &str, _: u64) -> Option<ReceiptText> {
        let (subject, text) = (locale.to_owned(), view.payment.payment_id.to_string());
        Some(ReceiptText { subject, text, html: String::new() })
    }

    fn qr_code(&self, _: &str) -> String {
        String::new()
    }
}

struct Stage {
    world: World,
    post: Arc<Post>,
    page: Arc<Page>,
}

impl Stage {
    async fn new() -> Self {
        let mut world = World::new().await;
        let (post, page) = (Arc::<Post>::default(), Arc::<Page>::default());
        world.router = Router::new();
        let app = Arc::get_mut(&mut world.app).unwrap();
        app.page = Arc::<Page>::clone(&page);
        app.mail = Some(Mail {
            mailer: Arc::<Post>::clone(&post),
            notices_to: vec!["ada@kettle.example".to_owned()],
            desk_url: Some("https://desk.example".to_owned()),
        });
        world.router = crate::router(&world.app, &world.simulated);
        Self { world, post, page }
    }

    /// A paid payment, and its session token.
    async fn paid(&self, order: &str) -> (String, String) {
        let (id, session) = self.world.quoted(json!({"clientPaymentId": order}), "BTC", "BTC").await;
        let amount = self.world.payment(&id).await["expectedDepositAmount"].as_str().unwrap().to_owned();
        self.world.pay(&id, &amount).await;
        self.world.mine("BTC").await;
        assert_eq!(self.world.payment(&id).await["status"], "DEPOSITED");
        (id, session)
    }

    /// What the form says.
    async fn ask(&self, id: &str, session: &str, email: &str) -> Option<ReceiptAnswer> {
        let path = format!("/checkout/{id}/receipt?sessionToken={session}&locale=de-DE");
        let body = format!("email={}", email.replace('+', "%2B"));
        let answer = self.world.send(Request::post(path).body(Body::from(body)).unwrap()).await;
        assert_eq!(answer.status, StatusCode::OK);
        self.page.0.lock().pop().unwrap()
    }

    async fn send(&self) -> Vec<Letter> {
        send_mails::run(&self.world.app).await.unwrap();
        std::mem::take(&mut self.post.letters.lock())
    }
}

#[tokio::test]
async fn a_receipt_goes_once_to_an_address() {
    let stage = Stage::new().await;
    let (id, session) = stage.paid("order-1").await;
    assert_eq!(stage.ask(&id, &session, "Anna+tea@SHOP.example").await, Some(ReceiptAnswer::Queued));
    let [letter] = stage.send().await.try_into().unwrap();
    assert_eq!(letter.to, ["Anna+tea@shop.example"]);
    assert_eq!((&*letter.subject, &*letter.text), ("de-DE", &*id));
    assert!(!format!("{letter:?}").contains(&session));
    assert_eq!(stage.ask(&id, &session, "Anna+tea@shop.example").await, Some(ReceiptAnswer::Queued));
    assert_eq!(stage.send().await, []);
}

#[tokio::test]
async fn what_the_form_says() {
    let stage = Stage::new().await;
    let (id, session) = stage.paid("order-1").await;
    let check = async |email: &str, expected| {
        assert_eq!(stage.ask(&id, &session, email).await, Some(expected), "{email}");
    };
    for wrong in ["", "anna", "anna@shop.example%0d%0aBcc:eva@shop.example", "a@b.example,c@d.example"] {
        check(wrong, ReceiptAnswer::NoAddress).await;
    }
    for number in 0..3 {
        check(&format!("{number}@shop.example"), ReceiptAnswer::Queued).await;
    }
    check("fourth@shop.example", ReceiptAnswer::Enough).await;
    check("0@shop.example", ReceiptAnswer::Queued).await;
    assert_eq!(stage.send().await.len(), 3);
}

/// Also at once, a payment has three.
#[tokio::test]
async fn fifty_addresses_at_once() {
    let stage = Stage::new().await;
    let (id, session) = stage.paid("order-1").await;
    let asked = (0..50).map(|number| {
        let path = format!("/checkout/{id}/receipt?sessionToken={session}");
        stage
            .world
            .send(Request::post(path).body(Body::from(format!("email={number}@shop.example"))).unwrap())
    });
    futures::future::join_all(asked).await;
    assert_eq!(stage.send().await.len(), 3);
}

#[tokio::test]
async fn only_who_paid_gets_a_receipt() {
    let stage = Stage::new().await;
    let (paid, session) = stage.paid("order-1").await;
    let (open, of_open) = stage.world.quoted(json!({"clientPaymentId": "order-2"}), "BTC", "BTC").await;
    let email = "anna@shop.example";
    assert_eq!(stage.ask(&open, &of_open, email).await, None, "it is not paid");
    assert_eq!(stage.ask(&paid, &of_open, email).await, None, "the token of another payment");
    assert_eq!(stage.ask(&paid, "x.y", email).await, None);
    assert_eq!(stage.send().await, []);
    let mut app = checkout_gateway::service::App::clone(&stage.world.app);
    app.mail = None;
    let id = paid.parse().unwrap();
    let asked = checkout_gateway::service::mail::request_receipt::request(&app, id, email, String::new());
    assert_eq!(asked.await.unwrap(), None, "a gateway without mail");
    assert_eq!(stage.ask(&paid, &session, email).await, Some(ReceiptAnswer::Queued));
}

#[tokio::test]
async fn a_refused_mail_is_sent_again_or_given_up() {
    let stage = Stage::new().await;
    let (id, session) = stage.paid("order-1").await;
    let refuse = |words: &str, is_final| {
        stage.post.refusals.lock().push(NotTaken { words: words.to_owned(), is_final });
    };
    let backlog = async || {
        let backlog = stage.world.app.store.mail_backlog(stage.world.app.clock.now()).await.unwrap();
        (backlog.pending, backlog.given_up)
    };
    stage.ask(&id, &session, "anna@shop.example").await;
    refuse("421 busy", false);
    assert_eq!(stage.send().await, []);
    assert_eq!((backlog().await, stage.send().await.len()), ((1, 0), 0), "not before it is due");
    stage.world.advance(6).await;
    assert_eq!(stage.send().await.len(), 1);
    assert_eq!(backlog().await, (0, 0));
    stage.ask(&id, &session, "eva@shop.example").await;
    refuse("550 <eva@shop.example> is unknown", true);
    assert_eq!(stage.send().await, []);
    assert_eq!(backlog().await, (0, 1));
    // Ten attempts, as of a webhook.
    stage.ask(&id, &session, "tom@shop.example").await;
    for attempt in 1..=10 {
        assert_eq!(backlog().await, (1, 1), "{attempt}");
        refuse("451 later", false);
        assert_eq!(stage.send().await, []);
        stage.world.advance(27 * 3_600).await;
    }
    assert_eq!(backlog().await, (0, 2));
}

#[tokio::test]
async fn a_thing_that_waits_is_told_once_and_with_others() {
    let stage = Stage::new().await;
    let write = async || notices::write(&stage.world.app).await.unwrap();
    write().await;
    assert_eq!(stage.send().await, []);
    stage.world.flag("BTC", BITCOIN, true).await;
    for order in ["order-1", "order-2"] {
        let (id, _) = stage.world.quoted(json!({"clientPaymentId": order}), "BTC", "BTC").await;
        stage.world.pay_from(&id, "0.001", BITCOIN).await;
    }
    stage.world.mine("BTC").await;
    write().await;
    write().await;
    let [letter] = stage.send().await.try_into().unwrap();
    assert_eq!(letter.to, ["ada@kettle.example"]);
    assert_eq!(letter.subject, "Checkout: 2 things wait for a person");
    for part in ["for order order-1 is held (SENDER)", "order-2", "https://desk.example/#/deposits"] {
        assert!(letter.text.contains(part) && letter.html.contains(part), "{part}: {}", letter.text);
    }
    write().await;
    assert_eq!(stage.send().await, []);
}
