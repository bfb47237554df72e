//! The queue of mails.

use checkout_domain::callback::schedule::Next;
use checkout_domain::ids::PaymentId;
use checkout_domain::mail::{BegunMail, Content, MailBacklog, Mails, NewMail};
use checkout_domain::ports::Store as _;
use checkout_domain::ports::mail::MailStore as _;
use uuid::Uuid;

use super::stage::{NOW, Stage, at_once};
use crate::query;

const TO: &str = "anna@shop.example";

fn receipt(payment: PaymentId, cause: &str) -> NewMail {
    let content = Content::Receipt { payment, to: TO.to_owned(), locale: "de-DE".to_owned() };
    NewMail { id: Uuid::now_v7(), cause: cause.to_owned(), content, created_at: NOW }
}

fn notice(cause: &str) -> NewMail {
    let content = Content::Notice { to: TO.to_owned(), text: format!("{cause} waits") };
    NewMail { id: Uuid::now_v7(), cause: cause.to_owned(), content, created_at: NOW }
}

async fn put(stage: &Stage, mail: &NewMail) -> bool {
    let mut tx = stage.begin().await;
    let added = tx.put_mail(mail).await.unwrap();
    tx.commit().await.unwrap();
    added
}

async fn begin(stage: &Stage, mails: Mails<'_>, now: u64, limit: u32) -> Vec<BegunMail> {
    let mut tx = stage.begin().await;
    let begun = tx.begin_mails(mails, now, now + 60, limit).await.unwrap();
    tx.commit().await.unwrap();
    begun
}

async fn end(stage: &Stage, mail: &BegunMail, next: Next, words: &str) {
    let mut tx = stage.begin().await;
    tx.end_mail(mail, next, words).await.unwrap();
    tx.commit().await.unwrap();
}

pub(super) async fn sent_once_each(stage: &Stage) {
    let payment = stage.stored("one").await.id;
    let added = at_once(20, |number| {
        let (store, mail) = (stage.store.clone(), receipt(payment, &format!("cause {}", number % 2)));
        async move {
            let mut tx = store.begin().await.unwrap();
            let added = tx.put_mail(&mail).await.unwrap();
            tx.commit().await.unwrap();
            added
        }
    });
    assert_eq!(added.await.into_iter().filter(|added| *added).count(), 2);
    assert!(put(stage, &notice("deposit/1")).await);
    assert!(!put(stage, &notice("deposit/1")).await);
    let mut tx = stage.begin().await;
    assert_eq!(tx.count_receipts(payment).await.unwrap(), 2);
    drop(tx);
    let backlog = stage.store.mail_backlog(NOW).await.unwrap();
    assert_eq!(backlog, MailBacklog { pending: 3, given_up: 0, due_since: Some(NOW) });
    assert_eq!(stage.store.mail_backlog(NOW - 1).await.unwrap().due_since, None);
    // Each is begun by one of several.
    let begun = at_once(10, |_| {
        let store = stage.store.clone();
        async move {
            let mut tx = store.begin().await.unwrap();
            let begun = tx.begin_mails(Mails::Receipts, NOW, NOW + 60, 1).await.unwrap();
            tx.commit().await.unwrap();
            begun
        }
    });
    assert_eq!(begun.await.into_iter().flatten().count(), 2);
    assert_eq!(begin(stage, Mails::NoticesTo("eva@shop.example"), NOW, 10).await, []);
    let [notice] = begin(stage, Mails::NoticesTo(TO), NOW, 10).await.try_into().unwrap();
    assert_eq!(notice.content, Content::Notice { to: TO.to_owned(), text: "deposit/1 waits".to_owned() });
}

pub(super) async fn erased(stage: &Stage) {
    let payment = stage.stored("one").await.id;
    let kept = async |id: Uuid| {
        let row = query("SELECT recipient, words, state FROM mails WHERE id = $1").bind(id);
        let row = row.fetch_one(&stage.store.readers).await.unwrap();
        ["recipient", "words", "state"].map(|column| row.optional_text(column).unwrap().unwrap_or_default())
    };
    for (cause, next, words, expected) in [
        ("a", Next::Delivered, "", ["", "", "DELIVERED"]),
        ("b", Next::Retry(NOW + 5), "421 busy", [TO, "421 busy", "PENDING"]),
        ("c", Next::GivenUp, "550 unknown", ["", "550 unknown", "GIVEN_UP"]),
    ] {
        assert!(put(stage, &receipt(payment, cause)).await);
        let [mail] = begin(stage, Mails::Receipts, NOW, 10).await.try_into().unwrap();
        end(stage, &mail, next, words).await;
        assert_eq!(kept(mail.id).await, expected, "{cause}");
    }
    assert!(!put(stage, &receipt(payment, "a")).await, "it was sent");
    let count = async || stage.begin().await.count_receipts(payment).await.unwrap();
    assert_eq!(count().await, 2);
    assert!(put(stage, &receipt(payment, "c")).await, "it was given up");
    assert_eq!(count().await, 3);
    let [c] = begin(stage, Mails::Receipts, NOW, 10).await.try_into().unwrap();
    assert_eq!((c.failures, &c.content), (0, &receipt(payment, "c").content));
    end(stage, &c, Next::GivenUp, "550 unknown").await;
    assert!(put(stage, &notice("d")).await);
    let [d] = begin(stage, Mails::NoticesTo(TO), NOW, 10).await.try_into().unwrap();
    end(stage, &d, Next::GivenUp, "550 unknown").await;
    assert!(!put(stage, &notice("d")).await, "a notice is told once");
    let [again] = begin(stage, Mails::Receipts, NOW + 5, 10).await.try_into().unwrap();
    assert_eq!((again.failures, again.lease_end), (1, NOW + 65));
    for (since, expected) in [(NOW + 64, TO), (NOW + 65, "")] {
        let mut tx = stage.begin().await;
        tx.give_up_mails(since, "nobody sends mail").await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(kept(again.id).await[0], expected);
    }
    assert_eq!(stage.store.mail_backlog(NOW).await.unwrap().given_up, 3);
}

/// A process that died leaves its mail to another one, whose outcome counts; only a delivery that is told late still does.
pub(super) async fn leased(stage: &Stage) {
    let payment = stage.stored("one").await.id;
    assert!(put(stage, &receipt(payment, "a")).await);
    let [first] = begin(stage, Mails::Receipts, NOW, 10).await.try_into().unwrap();
    assert_eq!(begin(stage, Mails::Receipts, NOW + 59, 10).await, []);
    let [second] = begin(stage, Mails::Receipts, NOW + 60, 10).await.try_into().unwrap();
    end(stage, &first, Next::GivenUp, "late").await;
    assert_eq!(stage.store.mail_backlog(NOW).await.unwrap().pending, 1);
    end(stage, &first, Next::Delivered, "").await;
    end(stage, &second, Next::Retry(NOW + 70), "421 busy").await;
    let backlog = stage.store.mail_backlog(NOW + 100).await.unwrap();
    assert_eq!(backlog, MailBacklog::default());
}
