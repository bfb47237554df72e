use crate::support::gateway::order;
use crate::support::stage::journey;

#[test]
fn a_wrong_session_token_shows_a_problem() {
    journey(async |stage| {
        stage.browser.expect_in_console("the server responded with a status of 404");
        stage.browser.expect_in_console("the server responded with a status of 401");
        let page = stage.page();
        let created = stage.gateway.create(&order());
        let (url, token) =
            created.payment_url.split_once("sessionToken=").expect("the link holds a session token");
        let token = token.split('&').next().unwrap_or_default();
        let other = stage.gateway.create(&order());
        let theirs = other.payment_url.split_once("sessionToken=").expect("as above").1.split('&').next();
        for wrong in ["", "wrong", &token[1..], theirs.unwrap_or_default()] {
            page.open(&format!("{url}sessionToken={wrong}&theme=LIGHT&locale=en-US")).await;
            let problem = page.until_screen("problem").await;
            assert!(
                problem.text.split_whitespace().count() > 5,
                "the page explains what to do: {}",
                problem.text
            );
            assert!(!problem.text.contains("25.00"), "nothing of the payment is shown: {}", problem.text);
            // Opens a new document next time instead of changing the fragment.
            page.open("about:blank").await;
        }
    });
}
