//! A payer asks for the receipt by e-mail.

use std::sync::Arc;

use async_trait::async_trait;
use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use checkout_domain::mail::Mails;
use checkout_domain::ports::mail::{Letter, Mailer, NotTaken};
use checkout_domain::ports::page::{
    Drawing, PageForm, PageRenderer, PageRequest, ReceiptAnswer, ReceiptText, WalletRequest,
};
use checkout_gateway::service::App;
use checkout_gateway::service::mail::{Mail, send_mails};
use checkout_storage::query;
use checkout_wire::checkout_view::CheckoutView;
use checkout_wire::wallet_page::WalletPage;
use parking_lot::Mutex;
use serde_json::json;
use uuid::Uuid;

use super::World;
use crate::fixture::Look as _;

/// A mail server: what it got, and what it says next.
#[derive(Default)]
pub(super) struct Post {
    letters: Mutex<Vec<Letter>>,
    refusals: Mutex<Vec<NotTaken>>,
    /// The ids of all that it was given.
    pub(super) ids: Mutex<Vec<Uuid>>,
    /// How the addresses begin of whom it does not know.
    pub(super) unknown: Mutex<Option<&'static str>>,
}

#[async_trait]
impl Mailer for Post {
    async fn send(&self, letter: &Letter) -> Result<(), NotTaken> {
        self.ids.lock().push(letter.id);
        if self.unknown.lock().is_some_and(|unknown| letter.to.contains(unknown)) {
            return Err(NotTaken { words: "550 unknown".to_owned(), is_final: true });
        }
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

pub(super) struct Stage {
    pub(super) world: World,
    pub(super) post: Arc<Post>,
    page: Arc<Page>,
}

impl Stage {
    pub(super) async fn new() -> Self {
        Self::of(World::new().await, &["ada@kettle.example"])
    }

    pub(super) fn of(mut world: World, notices_to: &[&str]) -> Self {
        let (post, page) = (Arc::<Post>::default(), Arc::<Page>::default());
        world.router = Router::new();
        let app = Arc::get_mut(&mut world.app).unwrap();
        app.page = Arc::<Page>::clone(&page);
        app.mail = Some(Mail {
            mailer: Arc::<Post>::clone(&post),
            notices_to: notices_to.iter().map(ToString::to_string).collect(),
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

    pub(super) fn refuse(&self, words: &str, is_final: bool) {
        self.post.refusals.lock().push(NotTaken { words: words.to_owned(), is_final });
    }

    /// Mails that wait, and those that were given up.
    pub(super) async fn backlog(&self) -> (u64, u64) {
        let backlog = self.world.app.store.mail_backlog(self.world.app.clock.now()).await.unwrap();
        (backlog.pending, backlog.given_up)
    }

    pub(super) async fn send(&self) -> Vec<Letter> {
        self.send_of(&self.world.app).await
    }

    pub(super) async fn send_of(&self, app: &App) -> Vec<Letter> {
        send_mails::run(app).await.unwrap();
        std::mem::take(&mut self.post.letters.lock())
    }

    pub(super) async fn apply(&self, statement: &'static str) {
        self.world.database.apply(query(statement)).await.unwrap();
    }
}

#[tokio::test]
async fn a_receipt_goes_once_to_an_address() {
    let stage = Stage::new().await;
    let (id, session) = stage.paid("order-1").await;
    assert_eq!(stage.ask(&id, &session, "Anna+tea@SHOP.example").await, Some(ReceiptAnswer::Queued));
    let [letter] = stage.send().await.try_into().unwrap();
    assert_eq!(letter.to, "Anna+tea@shop.example");
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
    let mut app = App::clone(&stage.world.app);
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
    stage.ask(&id, &session, "anna@shop.example").await;
    stage.refuse("421 busy", false);
    assert_eq!(stage.send().await, []);
    assert_eq!((stage.backlog().await, stage.send().await.len()), ((1, 0), 0), "not before it is due");
    stage.world.advance(6).await;
    assert_eq!(stage.send().await.len(), 1);
    assert_eq!(stage.backlog().await, (0, 0));
    stage.ask(&id, &session, "eva@shop.example").await;
    stage.refuse("550 <eva@shop.example> is unknown", true);
    assert_eq!(stage.send().await, []);
    assert_eq!(stage.backlog().await, (0, 1));
    // Ten attempts, as of a webhook.
    stage.ask(&id, &session, "tom@shop.example").await;
    for attempt in 1..=10 {
        assert_eq!(stage.backlog().await, (1, 1), "{attempt}");
        stage.refuse("451 later", false);
        assert_eq!(stage.send().await, []);
        stage.world.advance(27 * 3_600).await;
    }
    assert_eq!(stage.backlog().await, (0, 2));
}

#[tokio::test]
async fn a_receipt_that_was_given_up_is_asked_for_again() {
    let stage = Stage::new().await;
    let (id, session) = stage.paid("order-1").await;
    for name in ["a", "b", "c", "d"] {
        let email = format!("{name}@shop.example");
        assert_eq!(stage.ask(&id, &session, &email).await, Some(ReceiptAnswer::Queued), "{email}");
        stage.refuse("550 5.1.1 unknown", true);
        assert_eq!(stage.send().await, []);
    }
    assert_eq!(stage.backlog().await, (0, 4));
    for _ in 0..2 {
        assert_eq!(stage.ask(&id, &session, "a@shop.example").await, Some(ReceiptAnswer::Queued));
    }
    assert_eq!((stage.send().await.len(), stage.backlog().await), (1, (0, 3)));
    for (name, answer) in [
        ("b", ReceiptAnswer::Queued),
        ("e", ReceiptAnswer::Queued),
        ("c", ReceiptAnswer::Enough),
        ("f", ReceiptAnswer::Enough),
    ] {
        assert_eq!(stage.ask(&id, &session, &format!("{name}@shop.example")).await, Some(answer), "{name}");
    }
    assert_eq!(stage.send().await.len(), 2);
}

/// What keeps it from being written may pass.
#[tokio::test]
async fn a_receipt_that_cannot_be_read_is_tried_again() {
    let stage = Stage::new().await;
    let (id, session) = stage.paid("order-1").await;
    stage.ask(&id, &session, "anna@shop.example").await;
    stage.apply("UPDATE payments SET status = 'OF_ANOTHER_VERSION'").await;
    assert_eq!((stage.send().await.len(), stage.backlog().await), (0, (1, 0)));
    stage.apply("UPDATE payments SET status = 'DEPOSITED'").await;
    stage.world.advance(6).await;
    assert_eq!((stage.send().await.len(), stage.backlog().await), (1, (0, 0)));
}

/// Whoever begins it again sends it as the same mail.
#[tokio::test]
async fn a_mail_of_a_gateway_that_died_is_sent_by_another_one() {
    let stage = Stage::new().await;
    let (id, session) = stage.paid("order-1").await;
    stage.ask(&id, &session, "anna@shop.example").await;
    let (mut tx, now) = (stage.world.app.store.begin().await.unwrap(), stage.world.app.clock.now());
    let [died] = tx.begin_mails(Mails::Receipts, now, now + 120, 8).await.unwrap().try_into().unwrap();
    tx.commit().await.unwrap();
    assert_eq!(stage.send().await, []);
    stage.world.advance(120).await;
    let [letter] = stage.send().await.try_into().unwrap();
    assert_eq!((letter.id, &*letter.to), (died.id, "anna@shop.example"));
}

#[tokio::test]
async fn addresses_do_not_stay_where_mail_is_switched_off() {
    let stage = Stage::new().await;
    let (id, session) = stage.paid("order-1").await;
    stage.ask(&id, &session, "anna@shop.example").await;
    let world = stage.world.with_app(|app| app.mail = None);
    for (seconds, expected) in [(86_300, (1, 0)), (200, (0, 1))] {
        world.advance(seconds).await;
        send_mails::run(&world.app).await.unwrap();
        let backlog = world.app.store.mail_backlog(world.app.clock.now()).await.unwrap();
        assert_eq!((backlog.pending, backlog.given_up), expected);
    }
    assert_eq!(world.database.texts("SELECT recipient FROM mails").await, [[None]]);
}
