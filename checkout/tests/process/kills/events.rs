//! Typed events after all kills: none is missing, none is doubled, and the last ones say what is stored.

use std::collections::BTreeMap;

use serde_json::Value;

use super::books::Books;
use checkout_test_nodes::Inbox;

/// Returns how many there are.
pub(super) fn check(books: &Books, inbox: &Inbox) -> u64 {
    let mut stories: BTreeMap<String, BTreeMap<u64, Value>> = BTreeMap::new();
    let mut count = 0;
    for bodies in inbox.by_id().into_values() {
        let event: Value = serde_json::from_str(&bodies[0]).unwrap();
        if event.get("type").is_none() {
            continue;
        }
        count += 1;
        let data = &event["data"];
        let subject = data.get("paymentId").unwrap_or(&data["withdrawId"]).as_str().unwrap().to_owned();
        let sequence = event["sequence"].as_u64().unwrap();
        let before = stories.entry(subject).or_default().insert(sequence, event);
        assert!(before.is_none(), "two events have one number: {before:?}");
    }
    for (subject, story) in &stories {
        let numbers = story.keys().copied();
        assert!(numbers.eq(1..=story.len() as u64), "{subject} has events {:?}", story.keys());
    }
    let last = |subject: &str, is_it: &dyn Fn(&Value) -> bool| {
        stories.get(subject).and_then(|story| story.values().rfind(|event| is_it(event)))
    };
    for row in &books.payments {
        let (id, status) = (row[0].as_str(), row[2].as_str());
        let told = last(id, &|event| event["type"] == "payment.status");
        let told = told.map_or("NEW", |event| event["data"]["status"].as_str().unwrap());
        assert_eq!(told, status, "payment {id}: {:?}", types(&stories, id));
    }
    for row in &books.deposits {
        let (id, is_refused) = (row[0].as_str(), row[4] == "REFUSED");
        let is_it = |event: &Value| event["data"]["id"] == id;
        let payment = stories.iter().find(|(_, story)| story.values().any(is_it));
        let (payment, _) = payment.unwrap_or_else(|| panic!("deposit {id} has no event"));
        let told = last(payment, &is_it).map(|event| event["type"].as_str().unwrap());
        let expected = if is_refused { "deposit.reversed" } else { "deposit.final" };
        assert_eq!(told, Some(expected), "deposit {id}: {:?}", types(&stories, payment));
    }
    for row in &books.withdrawals {
        let told = types(&stories, &row[0]);
        let is_once = |event: &str| told.iter().filter(|told| **told == event).count() == 1;
        assert_eq!(told.first(), Some(&"withdrawal.created"), "{told:?}");
        assert!(is_once("withdrawal.created") && told.contains(&"withdrawal.sent"), "{told:?}");
        assert_eq!(told.last(), Some(&"withdrawal.confirmed"), "{told:?}");
    }
    count
}

fn types<'a>(stories: &'a BTreeMap<String, BTreeMap<u64, Value>>, subject: &str) -> Vec<&'a str> {
    let story = stories.get(subject).into_iter().flat_map(BTreeMap::values);
    story.map(|event| event["type"].as_str().unwrap()).collect()
}
