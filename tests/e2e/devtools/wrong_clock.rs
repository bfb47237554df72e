use checkout_wire::rules;

use crate::support::gateway::order;
use crate::support::stage::journey;

#[test]
fn the_countdown_is_right_with_a_wrong_device_clock() {
    for hours in [3, -3] {
        journey(async |stage| {
            stage.browser.shift_clock(hours).await;
            let page = stage.page();
            let chosen = stage.open_and_choose(&order(), "BTC", "BTC").await;
            let pay = page.until("counts down", |page| page.countdown().is_some()).await;
            let left = pay.countdown().unwrap();
            let (kind, start, minutes) =
                (chosen.kind.known().unwrap(), chosen.payment_initiated_at, chosen.expiration_minutes);
            let end = rules::expires_at(kind, start.0, minutes).expect("a ONE_TIME payment expires");
            let truth = i64::try_from(end).unwrap() - i64::try_from(stage.gateway.now()).unwrap();
            assert!((truth - 3..=truth + 3).contains(&left), "{left} s are shown, {truth} s are left");

            let seconds = stage.browser.run("return Date.now() / 1000", vec![]).await.as_f64().unwrap();
            let shift = seconds - f64::from(u32::try_from(stage.gateway.now()).unwrap());
            assert!(
                (shift / 3600.0 - f64::from(hours)).abs() < 0.1,
                "the device is not {hours} h off: {shift} s"
            );

            // The gateway's clock ends the window, not the device's.
            stage.gateway.advance_clock(u64::try_from(truth).unwrap() + 1);
            page.until_screen("expired").await;
        });
    }
}
