//! A hundred equal requests for a withdrawal at once.

use serde_json::Value;

use crate::gateway::Gateway;

/// The moments of a kill: the bytes are stored and not sent; they are sent, and that is not stored.
pub(crate) const KILLS: [&str; 2] = ["broadcast.before/1", "broadcast.after/1"];

/// Sends the requests to a gateway that dies of one of them.
pub(crate) fn to_a_dying_gateway(gateway: Gateway, body: &Value) {
    for (status, answer) in send(&gateway, body).into_iter().flatten() {
        assert!(status == 200 || status == 201, "{status} {answer}");
    }
    assert_eq!(gateway.died_of(), Some(9));
}

/// Every request is answered with the same withdrawal.
pub(crate) fn to_the_next_gateway(gateway: &Gateway, body: &Value) {
    let answers = send(gateway, body);
    let id = &answers[0].as_ref().unwrap().1["withdrawId"];
    for answer in &answers {
        let (status, answer) = answer.as_ref().unwrap();
        assert!((*status == 200 || *status == 201) && answer["withdrawId"] == *id, "{status} {answer}");
    }
}

fn send(gateway: &Gateway, body: &Value) -> Vec<Option<(u16, Value)>> {
    std::thread::scope(|scope| {
        let requests: Vec<_> =
            (0..100).map(|_| scope.spawn(|| gateway.try_call("POST", "/api/v1/withdrawals", body))).collect();
        requests.into_iter().map(|request| request.join().unwrap()).collect()
    })
}
