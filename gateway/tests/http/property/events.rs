//! Typed events: numbered without a gap, never the same twice, and the last ones say what is stored.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::World;
use crate::fixture::Look as _;

/// The events of each payment and each withdrawal.
async fn stories(world: &World) -> Result<BTreeMap<String, Vec<Value>>, String> {
    let question = "SELECT subject, body FROM callbacks WHERE sequence > 0 ORDER BY subject, sequence";
    let mut stories: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for row in world.database.texts(question).await {
        let [subject, body] = [0, 1].map(|column| row[column].clone().unwrap());
        let event: Value = serde_json::from_str(&body).unwrap();
        let story = stories.entry(subject).or_default();
        if event["sequence"] != story.len() + 1 {
            return Err(format!("after {} events: {event:#}", story.len()));
        }
        story.push(event);
    }
    Ok(stories)
}

/// Compares them with the rows of payments and deposits.
pub(super) async fn check(world: &World) -> Result<(), String> {
    let stories = stories(world).await?;
    for row in world.database.texts("SELECT id, status FROM payments").await {
        let [id, status] = [0, 1].map(|column| row[column].clone().unwrap());
        let story = stories.get(&id).map_or(&[][..], Vec::as_slice);
        let told = story.iter().filter(|event| event["type"] == "payment.status");
        let mut told: Vec<&str> = told.map(|event| event["data"]["status"].as_str().unwrap()).collect();
        told.insert(0, "NEW");
        if told.windows(2).any(|pair| pair[0] == pair[1]) || told.last() != Some(&status.as_str()) {
            return Err(format!("payment {id} is {status}, and was told to be {told:?}"));
        }
    }
    for row in world.database.texts("SELECT id, payment, state, screening FROM deposits").await {
        let [id, payment, state, screening] = [0, 1, 2, 3].map(|column| row[column].clone().unwrap());
        let story = stories.get(&payment).map_or(&[][..], Vec::as_slice);
        let told = story.iter().filter(|event| event["data"]["id"] == id.as_str());
        let told: Vec<&str> = told.map(|event| event["type"].as_str().unwrap()).collect();
        let allowed: &[&str] = match (state.as_str(), screening.as_str()) {
            ("VANISHED", _) | (_, "REFUSED") => &["deposit.reversed"],
            (_, "FLAGGED") => &["deposit.held"],
            // A decision that is not applied yet, also after a refusal.
            (_, "RELEASING" | "REFUSING") => &["deposit.held", "deposit.reversed"],
            ("CONFIRMED", "PASSED" | "RELEASED") => &["deposit.confirmed", "deposit.final"],
            _ => &["deposit.seen", "deposit.reversed"],
        };
        let again = told.windows(2).any(|pair| pair[0] == pair[1] && pair[0] != "deposit.reversed");
        if again || !told.last().is_some_and(|last| allowed.contains(last)) {
            return Err(format!("deposit {id} is {state} and {screening}, and was told: {told:?}"));
        }
    }
    Ok(())
}

/// Compares the last event of each refund and each withdrawal with the API.
pub(super) async fn check_payouts(world: &World) -> Result<(), String> {
    let stories = stories(world).await?;
    for (path, id, fields) in [
        ("/api/v1/refunds", "refundId", ["status", "waitingFor", "amount", "transactionId"]),
        (
            "/api/v1/withdrawals",
            "withdrawId",
            ["status", "estimatedWithdrawAmount", "withdrawFee", "transactionId"],
        ),
    ] {
        let listed = world.get(&format!("{path}?limit=100"), &world.token).await.json;
        for one in listed.as_array().unwrap() {
            let is_it = |event: &&Value| event["data"][id] == one[id] && event["data"].get(id).is_some();
            let last = stories.values().flatten().rfind(is_it);
            let Some(last) = last else { return Err(format!("no event tells of {one:#}")) };
            if fields.iter().any(|field| last["data"][field] != one[field]) {
                return Err(format!("the last event does not tell it as it is: {last:#}\n{one:#}"));
            }
        }
    }
    Ok(())
}
