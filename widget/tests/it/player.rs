//! Feeds events to the state machine and stores its effects.

use checkout_widget::effect::{Call, Effect};
use checkout_widget::event::{Act, Answer, Body, Event, Reply, What};
use checkout_widget::host::HostEvent;
use checkout_widget::page::Page;
use checkout_widget::page_data::{Found, LanguageData, PageData};
use checkout_widget::page_url::PageUrl;
use checkout_widget::present::{Format, ViewModel, present};
use checkout_widget::step;
use checkout_widget::words::{PluralForm, Translation, find};
use checkout_wire::Payment;
use checkout_wire::checkout_view::CheckoutView;
use checkout_wire::update_payment::UpdatedPayment;

use crate::payments::{ID, START, view};

/// Formats unlike any locale, so that a test recognises formatted values.
pub(crate) struct Plain;

impl Format for Plain {
    fn money(&self, amount: &str, currency: &str) -> String {
        format!("{currency}:{amount}")
    }

    fn time(&self, unix_seconds: u64) -> String {
        format!("@{unix_seconds}")
    }

    fn until(&self, unix_seconds: u64, now: u64) -> String {
        let today = if unix_seconds / 86_400 == now / 86_400 { "today" } else { "" };
        today.to_owned() + &self.time(unix_seconds)
    }

    fn plural(&self, count: u64) -> PluralForm {
        if count == 1 { PluralForm::One } else { PluralForm::Other }
    }
}

pub(crate) struct Player {
    pub(crate) page: Page,
    /// The version of the last payment.
    pub(crate) version: u64,
    /// Milliseconds since the page was opened.
    pub(crate) now: u64,
    /// The effects of the last event.
    pub(crate) effects: Vec<Effect>,
    /// The gateway's clock is this much ahead of the page's, in milliseconds.
    pub(crate) offset: u64,
    /// Whether the browser paints each change at once.
    pub(crate) paints: bool,
}

pub(crate) fn page_url() -> PageUrl {
    PageUrl {
        path: format!("/checkout/{ID}"),
        query: "?sessionToken=abc&theme=LIGHT&locale=en-US".into(),
        fragment: String::new(),
        framed: false,
        secure: true,
        origin: "https://pay.example".into(),
        can_share: true,
    }
}

/// The answer to a poll.
pub(crate) fn body_of(version: u64, payment: Payment) -> Body {
    Body::View(Box::new(CheckoutView { version, ..view(payment) }))
}

/// The answer to a choice, with the rate of 60,386.41 per coin.
pub(crate) fn chosen(payment_info: Payment) -> Body {
    Body::Chosen(Box::new(UpdatedPayment { payment_info, rate: Some("60386.41".into()) }))
}

impl Player {
    /// A page that was just opened, 20 seconds after the payment was created.
    pub(crate) fn start_at(url: PageUrl) -> Self {
        let mut player = Self {
            page: Page::new(7),
            version: 10,
            now: 0,
            effects: Vec::new(),
            offset: (START + 20) * 1_000,
            paints: true,
        };
        player.play(What::Started { url, given: None });
        player
    }

    /// A page rendered by the server from this view, 900 milliseconds after it was opened.
    pub(crate) fn given(url: PageUrl, view: CheckoutView) -> Self {
        let offset = (START + 20) * 1_000;
        let mut player =
            Self { page: Page::new(7), version: 10, now: 900, effects: Vec::new(), offset, paints: true };
        let given = PageData {
            server_time: offset + 600,
            found: Found::View(Box::new(view)),
            language: LanguageData::of(find(&[]), true),
        };
        player.play(What::Started { url, given: Some(Box::new(given)) });
        player
    }

    /// A page that shows this payment.
    pub(crate) fn open(payment: Payment) -> Self {
        Self::open_view(page_url(), view(payment))
    }

    pub(crate) fn open_view(url: PageUrl, view: CheckoutView) -> Self {
        let mut player = Self::start_at(url);
        player.now += 100;
        player.answer(200, Body::View(Box::new(view)));
        player
    }

    pub(crate) fn play(&mut self, what: What) {
        let page = std::mem::replace(&mut self.page, Page::new(1));
        (self.page, self.effects) = step(page, Event { at: self.now, what });
        if self.paints && self.effects.contains(&Effect::ReportPaint) {
            let own = std::mem::take(&mut self.effects);
            self.play(What::Painted);
            // The new timer replaces the old one.
            self.effects.extend(own.into_iter().filter(|effect| !matches!(effect, Effect::Wake { .. })));
        }
    }

    /// The payer sees the screen before acting.
    pub(crate) fn act(&mut self, act: Act) {
        self.now = self.now.max(self.page.shared.settles_at);
        self.act_at_once(act);
    }

    /// The payer acts on what has just appeared.
    pub(crate) fn act_at_once(&mut self, act: Act) {
        self.play(What::Did { act, pressed: self.now });
    }

    /// Answers the call in flight.
    pub(crate) fn answer(&mut self, status: u16, body: Body) {
        self.reply(Reply { body, ..self.bare(status) });
    }

    pub(crate) fn bare(&self, status: u16) -> Reply {
        Reply {
            status,
            server_time: Some(self.now + self.offset),
            etag: None,
            retry_after: None,
            request_id: Some("req-1".into()),
            body: Body::Empty,
        }
    }

    pub(crate) fn reply(&mut self, reply: Reply) {
        let call = self.page.shared.connection.in_flight.expect("a call is in flight").id;
        self.play(What::Answered { call, answer: Answer::Reply(Box::new(reply)) });
    }

    /// Makes the call in flight fail.
    pub(crate) fn lose(&mut self) {
        let call = self.page.shared.connection.in_flight.expect("a call is in flight").id;
        self.play(What::Answered { call, answer: Answer::None });
    }

    /// Lets the timer fire after this time.
    pub(crate) fn wait(&mut self, millis: u64) {
        self.now += millis;
        self.play(What::Woke { wall: 1_000_000 + self.now });
    }

    /// Follows the machine's timers until it makes a call.
    pub(crate) fn wait_for_call(&mut self) -> Call {
        for _ in 0..10_000 {
            if let Some(call) = self.call() {
                return call.clone();
            }
            self.wait(self.wake());
        }
        panic!("the page makes no call");
    }

    /// Answers the next poll with this payment.
    pub(crate) fn watch(&mut self, payment: Payment) {
        self.watch_view(view(payment));
    }

    /// Answers the next poll with this view.
    pub(crate) fn watch_view(&mut self, view: CheckoutView) {
        if self.page.shared.connection.in_flight.is_none() {
            self.wait_for_call();
        }
        self.see_view(view);
    }

    /// Answers the poll in flight with this payment, with its own version.
    pub(crate) fn see(&mut self, payment: Payment) {
        self.see_view(view(payment));
    }

    fn see_view(&mut self, view: CheckoutView) {
        self.version += 1;
        self.answer(200, Body::View(Box::new(CheckoutView { version: self.version, ..view })));
    }

    pub(crate) fn see_version(&mut self, version: u64, payment: Payment) {
        self.answer(200, body_of(version, payment));
    }

    pub(crate) fn call(&self) -> Option<&Call> {
        self.effects.iter().find_map(|effect| match effect {
            Effect::Call(call) => Some(call),
            _ => None,
        })
    }

    pub(crate) fn wake(&self) -> u64 {
        let wake = |effect: &Effect| match effect {
            Effect::Wake { after } => Some(*after),
            _ => None,
        };
        self.effects.iter().find_map(wake).expect("every step schedules a wake")
    }

    pub(crate) fn told(&self) -> Vec<HostEvent> {
        let told = |effect: &Effect| match effect {
            Effect::TellHost { event, .. } => Some(event.clone()),
            _ => None,
        };
        self.effects.iter().filter_map(told).collect()
    }

    pub(crate) fn model(&self) -> ViewModel {
        present(&self.page, &find(&[]).language(), &Plain)
    }

    /// As rendered by the server.
    pub(crate) fn model_in(&self, translation: &'static Translation) -> ViewModel {
        present(&self.page, &translation.language(), translation)
    }

    pub(crate) fn screen(&self) -> &'static str {
        self.model().screen
    }
}
