//! The checkout page: read through its hooks, used by clicks.

use std::time::{Duration, Instant};

use checkout_test_support::patience;
use fantoccini::Locator;
use fantoccini::error::CmdError;

use super::browser::Browser;
use super::engine::Engine;
use super::qr;
use super::snapshot::{self, Snapshot};
use super::wait::LOOK;

#[derive(Clone, Copy)]
pub(crate) struct Page<'a> {
    pub(crate) browser: &'a Browser,
}

impl Page<'_> {
    pub(crate) async fn open(&self, url: &str) {
        self.browser.goto(url).await;
    }

    pub(crate) async fn reload(&self) {
        self.browser.reload().await;
    }

    /// Takes a snapshot of the page; `None` while it is being replaced.
    pub(crate) async fn look(&self) -> Option<Snapshot> {
        self.try_look().await.ok()
    }

    /// Fails while the page is being replaced; in Firefox, the script then answers `null`.
    async fn try_look(&self) -> Result<Snapshot, String> {
        let answer = self.browser.client.execute(snapshot::SCRIPT, vec![]).await;
        // WebKitGTK's errors have no message.
        let answer = answer.map_err(|error| format!("{error:?}"))?;
        let page: Option<_> = serde_json::from_value(answer).expect("the snapshot script and its type agree");
        page.ok_or_else(|| "no document".to_owned())
    }

    /// Waits until the condition holds.
    pub(crate) async fn until(&self, what: &str, holds: impl Fn(&Snapshot) -> bool) -> Snapshot {
        self.within(patience(), what, holds).await
    }

    pub(crate) async fn until_screen(&self, screen: &str) -> Snapshot {
        self.until(&format!("shows the screen {screen:?}"), |page| page.is(screen)).await
    }

    /// Waits until the script runs on the page that asks for a payment: the server's page has no buttons that copy.
    pub(crate) async fn until_alive(&self) -> Snapshot {
        self.until("is alive", |page| page.is("pay") && page.shown("copy-amount").is_some()).await
    }

    /// Waits with a time limit.
    #[track_caller]
    pub(crate) fn within(
        &self,
        timeout: Duration,
        what: &str,
        holds: impl Fn(&Snapshot) -> bool,
    ) -> impl Future<Output = Snapshot> {
        let caller = std::panic::Location::caller();
        async move {
            let deadline = Instant::now() + timeout;
            loop {
                let page = match self.try_look().await {
                    Ok(page) if holds(&page) => return page,
                    page => page,
                };
                assert!(
                    Instant::now() < deadline,
                    "After {timeout:?} the page does not do this: it {what} (awaited at {caller}).\nIt is {page:#?}"
                );
                self.browser.next_change().await;
            }
        }
    }

    /// Waits for a third of the usual time.
    async fn soon(&self, holds: impl Fn(&Snapshot) -> bool) -> Option<Snapshot> {
        let deadline = Instant::now() + patience() / 3;
        while Instant::now() < deadline {
            if let Some(page) = self.look().await.filter(|page| holds(page)) {
                return Some(page);
            }
            self.browser.next_change().await;
        }
        None
    }

    /// Clicks a part as soon as it is clickable.
    pub(crate) async fn click(&self, part: &str) {
        self.click_on(&format!("[data-part={part}]")).await;
    }

    /// Writes into a field instead of what is there.
    pub(crate) async fn write(&self, part: &str, text: &str) {
        let selector = format!("input[data-part={part}]");
        let deadline = Instant::now() + patience();
        // The next document may take the place of the field.
        while let Err(error) = self.try_write(&selector, text).await {
            assert!(Instant::now() < deadline, "{selector} takes no text: {error}");
            tokio::time::sleep(LOOK).await;
        }
    }

    async fn try_write(&self, selector: &str, text: &str) -> Result<(), CmdError> {
        let field = self.browser.client.wait().for_element(Locator::Css(selector)).await?;
        field.clear().await?;
        field.send_keys(text).await
    }

    /// Clicks the option of a part.
    pub(crate) async fn pick(&self, part: &str, value: &str) {
        self.click_on(&format!("[data-part={part}][data-value={value}]")).await;
    }

    /// Chooses a currency and network.
    pub(crate) async fn choose(&self, currency: &str, network: &str) -> Snapshot {
        self.until_screen("choose").await;
        // A currency with one network offers no choice.
        let reacts = |page: &Snapshot| page.is("pay") || page.offers("network", network);
        self.press("currency", currency, reacts).await;
        if !self.until("offers the network, or asks for the payment", reacts).await.is("pay") {
            self.press("network", network, |page| page.is("pay")).await;
        }
        let pay = self.until_screen("pay").await;
        if pay.shown("tag-noted").is_none() || pay.shown("address").is_some() {
            return pay;
        }
        self.note_tag().await
    }

    /// Takes note of the tag, which is a step of its own before the address. A page without a script forgets it when it reloads, and
    /// one that gives its module up has no such step.
    pub(crate) async fn note_tag(&self) -> Snapshot {
        let deadline = Instant::now() + patience();
        loop {
            let page = self.look().await;
            if let Some(page) = page.filter(|page| page.shown("address").is_some()) {
                return page;
            }
            let clicked = self.try_click("[data-part=tag-noted]").await;
            assert!(Instant::now() < deadline, "the page does not show the address: {clicked:?}");
            self.browser.next_change().await;
        }
    }

    /// Clicks a part that leads to another screen or page. A page without a script reloads by itself, and a click on a
    /// page that is being replaced is lost.
    pub(crate) async fn follow(&self, part: &str, what: &str, leads: impl Fn(&Snapshot) -> bool) -> Snapshot {
        self.click(part).await;
        self.again(&format!("[data-part={part}]"), &leads).await;
        self.until(what, leads).await
    }

    /// Clicks the option of a part that the page reacts to.
    async fn press(&self, part: &str, value: &str, reacts: impl Fn(&Snapshot) -> bool) {
        self.pick(part, value).await;
        // On a busy machine a click of WebKitGTK's driver is lost now and then; `take_over` tests that the page loses none.
        if self.browser.engine == Engine::WebKit {
            self.again(&format!("[data-part={part}][data-value={value}]"), reacts).await;
        }
    }

    /// Clicks once or twice more when the page has not reacted soon. The first click may still arrive late and take the
    /// element away, or the second one undo it.
    async fn again(&self, selector: &str, reacts: impl Fn(&Snapshot) -> bool) {
        for _ in 0..2 {
            if self.soon(&reacts).await.is_some() {
                return;
            }
            let _late = self.try_click(selector).await;
        }
    }

    pub(crate) async fn click_on(&self, selector: &str) {
        let deadline = Instant::now() + patience();
        loop {
            let clicked = self.try_click(selector).await;
            let Err(error) = clicked else { return };
            let page = self.look().await;
            assert!(
                Instant::now() < deadline,
                "{selector} cannot be clicked: {error}\nThe page is {page:#?}"
            );
            tokio::time::sleep(LOOK).await;
        }
    }

    async fn try_click(&self, selector: &str) -> Result<(), String> {
        let find = async |css: &str| {
            let found = self.browser.client.find_all(Locator::Css(css)).await;
            found.map_err(|error| error.to_string())
        };
        if !find(".settling").await?.is_empty() {
            return Err("the screen has just changed".to_owned());
        }
        let found = find(selector).await?;
        for element in found {
            let is = |answer: Result<bool, _>| answer.unwrap_or(false);
            if is(element.is_displayed().await) && is(element.is_enabled().await) {
                return element.click().await.map_err(|e| e.to_string());
            }
        }
        Err("nothing of that name is visible and enabled".to_owned())
    }

    /// Scans the QR code on the screen, and compares it with the page's data.
    pub(crate) async fn scan(&self) -> String {
        let page = self.until("shows a QR code", |page| page.value("qr").is_some()).await;
        let code = qr::scan(self.browser, page.value("qr")).await;
        assert_eq!(Some(code.text.as_str()), page.value("qr"), "the QR code's pixels and its data-value");
        code.text
    }

    /// Clicks a copy button and returns the clipboard. Leaves frames.
    pub(crate) async fn copy(&self, part: &str) -> String {
        let label = |page: &Snapshot| page.shown(part).map(|button| button.text.clone());
        let before = self.until("has the copy button", |page| label(page).is_some()).await;
        self.click(part).await;
        self.until("shows that it is copied", |page| label(page) != label(&before)).await;
        self.browser.clipboard().await
    }
}
