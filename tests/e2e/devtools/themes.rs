use crate::journeys::themes::is_dark;
use crate::support::browser::Scheme;
use crate::support::gateway::order;
use crate::support::stage::journey;

#[test]
fn auto_follows_the_device_and_no_other_theme_does() {
    journey(async |stage| {
        let url = stage.gateway.create(&order()).payment_url;
        for scheme in Scheme::BOTH {
            stage.browser.prefer(scheme).await;
            let device = scheme == Scheme::Dark;
            for (theme, expected) in [("LIGHT", false), ("DARK", true), ("AUTO", device)] {
                assert_eq!(
                    is_dark(stage, &url, theme).await,
                    expected,
                    "{theme} on a {} device",
                    scheme.word()
                );
            }
        }
    });
}
