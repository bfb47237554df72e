use std::collections::BTreeSet;

use checkout_domain::business::Business;
use checkout_domain::callback::schedule::Next;
use checkout_domain::callback::{Callback, Ended, Kind, Lane, Outcome, State};
use checkout_domain::ids::BusinessId;
use checkout_domain::ports::Store as _;
use checkout_domain::ports::callbacks::Resent;
use checkout_domain::ports::callbacks::{BegunAttempt, CallbackStore as _, EndedAttempt};
use uuid::Uuid;

use super::stage::{NOW, Stage, at_once};
use crate::Database;

const DEPOSIT: Kind = Kind::new("DEPOSIT");
const WITHDRAWAL: Kind = Kind::new("WITHDRAWAL");

fn endpoint<'a>(business: &'a Business, kind: &Kind) -> Option<&'a str> {
    if *kind == DEPOSIT {
        business.deposit_callback.as_deref()
    } else {
        business.withdrawal_callback.as_deref()
    }
}

fn callback(business: BusinessId, kind: Kind, due_at: u64) -> Callback {
    Callback {
        id: Uuid::now_v7(),
        business,
        kind,
        subject: Uuid::new_v4(),
        sequence: 0,
        body: "{\"a\": 1.000000000000000000001}".to_owned(),
        created_at: NOW,
        state: State::Pending,
        attempts: 0,
        failures: 0,
        due_at: Some(due_at),
    }
}

async fn put(stage: &Stage, callback: &Callback) {
    let mut tx = stage.begin().await;
    tx.put_callback(callback).await.unwrap();
    tx.commit().await.unwrap();
}

async fn read(stage: &Stage, id: Uuid) -> Callback {
    stage.store.callback(id).await.unwrap().unwrap().0
}

async fn begin(stage: &Stage, business: BusinessId, now: u64, limit: u32) -> Vec<BegunAttempt> {
    let mut tx = stage.begin().await;
    let attempts =
        tx.begin_attempts(business, Lane::Callbacks, now, now + 30, limit, endpoint).await.unwrap();
    tx.commit().await.unwrap();
    attempts
}

async fn end(stage: &Stage, id: Uuid, number: u32, outcome: Outcome, next: Next) {
    let mut tx = stage.begin().await;
    let ended = Ended { millis: 5, outcome };
    tx.end_attempts(&[EndedAttempt { callback: id, number, ended, next }]).await.unwrap();
    tx.commit().await.unwrap();
}

pub(super) async fn enqueued_once(stage: &Stage) {
    let first = callback(stage.business.id, DEPOSIT, NOW);
    put(stage, &first).await;
    put(stage, &Callback { id: Uuid::now_v7(), body: "other".to_owned(), ..first.clone() }).await;
    assert_eq!(read(stage, first.id).await, first);
    put(stage, &Callback { id: Uuid::now_v7(), kind: WITHDRAWAL, ..first.clone() }).await;
    assert_eq!(stage.store.count("SELECT COUNT(*) FROM callbacks").await, 2);
    assert!(stage.store.callback(Uuid::nil()).await.unwrap().is_none());
}

pub(super) async fn held(stage: &Stage) {
    let first = callback(stage.business.id, DEPOSIT, NOW);
    put(stage, &first).await;
    let hold = async |subject| {
        let mut tx = stage.begin().await;
        let held = tx.hold_callback(&DEPOSIT, subject).await.unwrap();
        tx.commit().await.unwrap();
        held
    };
    assert_eq!(hold(Uuid::nil()).await, None);
    assert_eq!(hold(first.subject).await, Some(State::Held));
    assert!(begin(stage, first.business, NOW, 9).await.is_empty());
    put(
        stage,
        &Callback { id: Uuid::now_v7(), body: "other".to_owned(), due_at: Some(NOW + 3), ..first.clone() },
    )
    .await;
    let due = Callback { body: "other".to_owned(), due_at: Some(NOW + 3), ..first.clone() };
    assert_eq!(read(stage, first.id).await, due, "due again, with its own id and what is true now");
    assert_eq!(begin(stage, first.business, NOW + 3, 9).await.len(), 1);
    end(stage, first.id, 1, Outcome::Answered { status: 204 }, Next::Delivered).await;
    assert_eq!(hold(first.subject).await, Some(State::Delivered));
}

/// An attempt keeps its callback until its lease ends. A success always counts, a failure only if it is the last attempt.
pub(super) async fn attempts(stage: &Stage) {
    let first = callback(stage.business.id, DEPOSIT, NOW);
    let business = first.business;
    put(stage, &first).await;
    assert!(begin(stage, business, NOW - 1, 9).await.is_empty());
    let begun = begin(stage, business, NOW, 9).await;
    assert_eq!((begun.len(), begun[0].number, begun[0].callback.attempts), (1, 1, 1));
    assert_eq!(begun[0].url, stage.business.deposit_callback);
    assert_eq!(begun[0].secrets, std::slice::from_ref(&stage.business.callback_secret));
    assert!(begin(stage, business, NOW + 29, 9).await.is_empty());
    assert_eq!(begin(stage, business, NOW + 30, 9).await[0].number, 2, "the process that started it is gone");
    let lost = Outcome::Unanswered { reason: "lost".to_owned() };
    end(stage, first.id, 1, lost.clone(), Next::Retry(NOW + 90)).await;
    assert_eq!(read(stage, first.id).await.failures, 0, "a later attempt was started");
    end(stage, first.id, 2, Outcome::Answered { status: 500 }, Next::Retry(NOW + 90)).await;
    let read_again = read(stage, first.id).await;
    assert_eq!((read_again.failures, read_again.due_at), (1, Some(NOW + 90)));
    begin(stage, business, NOW + 90, 9).await;
    end(stage, first.id, 3, lost.clone(), Next::GivenUp).await;
    assert_eq!(read(stage, first.id).await.state, State::Failed);
    let resend = async |id| {
        let mut tx = stage.begin().await;
        let found = tx.resend_callback(id, NOW + 100).await.unwrap();
        tx.commit().await.unwrap();
        found
    };
    assert_eq!((resend(first.id).await, resend(Uuid::nil()).await), (Resent::Due, Resent::NoCallback));
    begin(stage, business, NOW + 100, 9).await;
    end(stage, first.id, 4, Outcome::Answered { status: 200 }, Next::Delivered).await;
    let (told, attempts) = stage.store.callback(first.id).await.unwrap().unwrap();
    assert_eq!((told.state, told.due_at, told.attempts), (State::Delivered, None, 4));
    let outcomes: Vec<_> = attempts.into_iter().map(|attempt| attempt.ended.unwrap().outcome).collect();
    let status = |status| Outcome::Answered { status };
    assert_eq!(outcomes, [lost.clone(), status(500), lost, status(200)]);
}

/// Eight dispatchers share a hundred callbacks: each attempt is claimed by one of them.
pub(super) async fn claimed_once(stage: &Stage) {
    let business = stage.business.id;
    let mut tx = stage.begin().await;
    for _ in 0..100 {
        tx.put_callback(&callback(business, DEPOSIT, NOW)).await.unwrap();
    }
    tx.commit().await.unwrap();
    let begun = at_once(8, |_| {
        let store = stage.store.clone();
        async move {
            let mut begun = Vec::new();
            loop {
                let mut tx = store.begin().await.unwrap();
                let attempts =
                    tx.begin_attempts(business, Lane::Callbacks, NOW, NOW + 30, 7, endpoint).await.unwrap();
                tx.commit().await.unwrap();
                // Other tasks may have locked all due callbacks: stop only when none is due.
                if attempts.is_empty() && store.due_businesses(Lane::Callbacks, NOW).await.unwrap().is_empty()
                {
                    return begun;
                }
                begun.extend(attempts.into_iter().map(|begun| (begun.callback.id, begun.number)));
            }
        }
    });
    let begun = begun.await.concat();
    assert_eq!(begun.len(), 100);
    assert_eq!(begun.iter().collect::<BTreeSet<_>>().len(), 100);
    assert!(begun.iter().all(|(_, number)| *number == 1));
}

pub(super) async fn listed(stage: &Stage) {
    let (business, other) = (stage.business.id, stage.other.id);
    let due = [
        callback(business, DEPOSIT, NOW + 5),
        callback(other, WITHDRAWAL, NOW + 2),
        callback(business, WITHDRAWAL, NOW + 9),
    ];
    for callback in &due {
        put(stage, callback).await;
    }
    let businesses = async |now| {
        stage.store.due_businesses(Lane::Callbacks, now).await.unwrap().into_iter().collect::<BTreeSet<_>>()
    };
    assert_eq!(businesses(NOW + 1).await, BTreeSet::new());
    assert_eq!(businesses(NOW + 2).await, BTreeSet::from([other]));
    assert_eq!(businesses(NOW + 5).await, BTreeSet::from([business, other]));
    let backlog = stage.store.backlog(NOW + 6).await.unwrap();
    assert_eq!((backlog.pending, backlog.due_since), (3, Some(NOW + 2)));
    assert_eq!(stage.store.backlog(NOW).await.unwrap().due_since, None);
    let list = async |business, state, limit| {
        let listed = stage.store.callbacks(business, state, limit).await.unwrap();
        listed
            .iter()
            .map(|found| due.iter().position(|known| known.id == found.id).unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(list(None, None, 9).await, [2, 1, 0]);
    assert_eq!(list(Some(business), Some(State::Pending), 1).await, [2]);
    assert_eq!(list(Some(other), Some(State::Failed), 9).await, [] as [usize; 0]);
    let first: Vec<Uuid> =
        begin(stage, business, NOW + 9, 1).await.iter().map(|begun| begun.callback.id).collect();
    assert_eq!(first, [due[0].id], "oldest first");
}

/// Events of one subject are numbered, and wait for a lane of their own.
pub(super) async fn lanes(stage: &Stage) {
    let business = stage.business.id;
    let own = callback(business, DEPOSIT, NOW);
    put(stage, &own).await;
    let kind = Kind::new("payment.status");
    let event = |sequence| Callback {
        id: Uuid::now_v7(),
        kind: kind.clone(),
        sequence,
        ..callback(business, DEPOSIT, NOW)
    };
    let mut tx = stage.begin().await;
    tx.collect();
    assert_eq!(tx.next_sequence(own.subject).await.unwrap(), 1, "it has no event");
    let mut events = Vec::new();
    for sequence in 1..=3 {
        assert_eq!(tx.next_sequence(own.subject).await.unwrap(), sequence);
        let event = Callback { subject: own.subject, ..event(sequence) };
        tx.put_callback(&event).await.unwrap();
        events.push(event.id);
    }
    tx.commit().await.unwrap();
    let mut tx = stage.begin().await;
    assert_eq!(tx.next_sequence(own.subject).await.unwrap(), 4);
    tx.put_callback(&Callback { subject: own.subject, ..event(2) }).await.unwrap();
    tx.commit().await.unwrap();
    let due = async |lane| stage.store.due_businesses(lane, NOW).await.unwrap();
    assert_eq!((due(Lane::Callbacks).await, due(Lane::Events).await), (vec![business], vec![business]));
    let begin = async |lane, limit| {
        let mut tx = stage.begin().await;
        let begun = tx.begin_attempts(business, lane, NOW, NOW + 30, limit, endpoint).await.unwrap();
        tx.commit().await.unwrap();
        begun.iter().map(|begun| begun.callback.id).collect::<BTreeSet<_>>()
    };
    assert_eq!(begin(Lane::Events, 2).await.len(), 2);
    assert_eq!(begin(Lane::Callbacks, 9).await, BTreeSet::from([own.id]));
    assert!(due(Lane::Callbacks).await.is_empty());
    assert_eq!(begin(Lane::Events, 9).await.len(), 1, "each number is stored once");
    assert_eq!(stage.store.backlog(NOW + 40).await.unwrap().pending, 4);
    for id in events {
        assert_eq!(read(stage, id).await.attempts, 1);
    }
}

pub(super) async fn secrets(stage: &Stage) {
    let business = stage.business.id;
    let rotate = async |business, secret: &str, until| {
        let mut tx = stage.begin().await;
        let found = tx.rotate_secret(business, secret, until).await.unwrap();
        tx.commit().await.unwrap();
        found
    };
    assert!(rotate(business, "two", NOW + 10).await && rotate(business, "three", NOW + 20).await);
    assert!(!rotate(BusinessId(Uuid::nil()), "two", NOW).await);
    put(stage, &callback(business, WITHDRAWAL, NOW)).await;
    let begun = begin(stage, business, NOW, 9).await;
    let first = stage.business.callback_secret.as_str();
    assert_eq!(
        (begun[0].url.as_deref(), begun[0].secrets.as_slice()),
        (None, &["three", "two", first].map(str::to_owned)[..])
    );
    assert_eq!(begin(stage, business, NOW + 30, 9).await[0].secrets, ["three"]);
}

/// The secrets that the next callback of the stage's business is signed by.
pub(super) async fn secrets_of(store: &Database, stage: &Stage) -> BTreeSet<String> {
    let business = stage.business.id;
    put(stage, &callback(business, WITHDRAWAL, NOW)).await;
    let mut tx = store.begin().await.unwrap();
    let begun = tx.begin_attempts(business, Lane::Callbacks, NOW, NOW + 30, 9, endpoint).await.unwrap();
    tx.commit().await.unwrap();
    begun[0].secrets.iter().cloned().collect()
}

/// The clock is set back by an hour: waiting times stay the same, and due callbacks stay due.
pub(super) async fn clock_set_back(stage: &Stage) {
    let business = stage.business.id;
    let waiting = callback(business, DEPOSIT, NOW);
    let due = callback(business, DEPOSIT, NOW);
    put(stage, &waiting).await;
    begin(stage, business, NOW, 9).await;
    end(stage, waiting.id, 1, Outcome::Answered { status: 500 }, Next::Retry(NOW + 300)).await;
    put(stage, &due).await;
    let earlier = NOW - 3_600;
    let moved = async || {
        let mut tx = stage.begin().await;
        let moved = tx.move_callbacks_back(earlier).await.unwrap();
        tx.commit().await.unwrap();
        moved
    };
    assert_eq!(moved().await, 2);
    assert_eq!(read(stage, waiting.id).await.due_at, Some(earlier + 300));
    assert_eq!(read(stage, due.id).await.due_at, Some(earlier));
    assert_eq!(moved().await, 0, "once");
    assert_eq!(begin(stage, business, earlier, 9).await.len(), 1);
}
