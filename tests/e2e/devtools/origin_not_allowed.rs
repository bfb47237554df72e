use crate::journeys::origin_not_allowed::refused;
use crate::support::stage::journey;

#[test]
fn the_console_has_the_command_that_allows_the_origin() {
    journey(async |stage| {
        let merchant = refused(stage, |_| Vec::new()).await;
        stage.browser.read_console().await;
        let command = format!("checkout business update ID --add-origin {}", merchant.origin);
        assert!(stage.browser.console.borrow().has(&command), "{:?}", stage.browser.console.borrow().lines());
    });
}
