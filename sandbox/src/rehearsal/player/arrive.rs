//! Requests that the rehearsal sends itself.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use checkout_chain_http::client::{builder, reason, web_roots};
use checkout_domain::callback::Outcome;
use hyper::body::{Body, Bytes, Frame};
use tokio::task::JoinSet;
use tokio::time::{Sleep, sleep};

use super::Player;
use crate::rehearsal::forgery::Forgery;
use crate::rehearsal::messages::Message;

/// Between two bytes of a slow request.
const DRIP: Duration = Duration::from_millis(50);

/// So many requests stay unfinished.
const SLOW_REQUESTS: usize = 4;

/// Their bodies are as long as those of callbacks.
const SLOW_LENGTH: &str = "1500";

/// How long they do so before the callback comes.
const HEAD_START: Duration = Duration::from_millis(300);

const LONG: Duration = Duration::from_mins(2);

impl Player {
    /// The requests that are held back, in the order of their events. Callbacks are sent at the same time.
    pub(super) fn taken(&self) -> Vec<Message> {
        let mut messages = self.stage.wire.on_their_way();
        messages.sort_by(|one, other| one.id().cmp(other.id()));
        messages
    }

    pub(super) async fn arrive(&mut self, messages: Vec<Message>) {
        for message in messages {
            let posted = message.post(self.stage.wire.sender.as_ref(), &self.url).await;
            self.judge(&posted.outcome);
        }
    }

    pub(super) async fn arrive_at_once(&mut self, times: usize) {
        let mut requests = JoinSet::new();
        for message in self.taken().into_iter().flat_map(|message| vec![message; times]) {
            let (sender, url) = (std::sync::Arc::clone(&self.stage.wire.sender), self.url.clone());
            requests.spawn(async move { message.post(sender.as_ref(), &url).await });
        }
        for posted in requests.join_all().await {
            self.judge(&posted.outcome);
        }
    }

    pub(super) async fn arrive_beside_slow(&mut self) -> Result<(), String> {
        let client = builder(web_roots(), LONG).build().map_err(|error| reason(&error))?;
        let mut slow = JoinSet::new();
        for _ in 0..SLOW_REQUESTS {
            let request = client.post(&self.url).header("content-type", "application/json");
            let request = request.header("content-length", SLOW_LENGTH);
            slow.spawn(request.body(reqwest::Body::wrap(Drip::new())).send());
        }
        sleep(HEAD_START).await;
        self.arrive(self.taken()).await;
        slow.shutdown().await;
        Ok(())
    }

    /// A receiver refuses what the gateway did not send; it may also close the connection.
    pub(super) async fn forge(&mut self, forgery: Forgery) -> Result<(), String> {
        let genuine = self.taken().pop().ok_or("no callback was taken")?;
        let forged = forgery.message(&genuine, &self.secret);
        let posted = forged.post(self.stage.wire.sender.as_ref(), &self.url).await;
        let words = forgery.words();
        match posted.outcome {
            Outcome::Answered { status } if posted_is_accepted(status) => {
                self.objections
                    .push(format!("a request {words} was answered with {status}; refuse it with 401"));
            }
            Outcome::Unanswered { reason } if reason.starts_with("no answer in") => {
                self.objections.push(format!("a request {words} was not answered: {reason}"));
            }
            Outcome::Answered { .. } | Outcome::Unanswered { .. } => {}
        }
        Ok(())
    }
}

fn posted_is_accepted(status: u16) -> bool {
    (200..300).contains(&status)
}

/// A body of which a byte comes now and then.
struct Drip(Pin<Box<Sleep>>);

impl Drip {
    fn new() -> Self {
        Self(Box::pin(sleep(DRIP)))
    }
}

impl Body for Drip {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        match self.0.as_mut().poll(context) {
            Poll::Pending => Poll::Pending,
            Poll::Ready(()) => {
                self.0 = Box::pin(sleep(DRIP));
                Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(b" ")))))
            }
        }
    }
}
