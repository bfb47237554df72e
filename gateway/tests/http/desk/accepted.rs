//! A manager at the desk accepts what has arrived of a payment.

use axum::http::Method;
use checkout_domain::access::operator::Role;
use serde_json::json;

use super::Desk;

#[tokio::test]
async fn a_manager_accepts_a_part_and_a_viewer_does_not() {
    let desk = Desk::new().await;
    let (id, _) = desk.world.quoted(json!({}), "BTC", "BTC").await;
    desk.world.pay(&id, "0.001").await;
    desk.world.mine("BTC").await;
    let path = format!("/api/v1/payments/{id}/accept");
    let url = format!("/desk/gateway{path}");
    for (name, role, expected) in
        [("viktor", Role::Viewer, (403, "AWAITING")), ("maria", Role::Manager, (200, "DEPOSITED"))]
    {
        let session = desk.signed_in(name, role).await;
        let answer = desk.call(Some(&session), Method::POST, &url, None).await;
        let status = desk.world.payment(&id).await["status"].clone();
        assert_eq!((answer.status.as_u16(), status.as_str().unwrap()), expected, "{name}: {}", answer.json);
    }
    let noted = ("maria".to_owned(), format!("POST {path}"), "200".to_owned());
    assert!(desk.audit().await.contains(&noted));
}
