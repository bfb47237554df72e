//! A browser session with its own profile. A journey has a tab of its own, with its screen and network state.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use checkout_test_support::patience;
use fantoccini::error::CmdError;
use fantoccini::key::Key;
use fantoccini::wd::{TimeoutConfiguration, WebDriverCompatibleCommand, WindowHandle};
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tempfile::TempDir;
use url::{ParseError, Url};

use super::console::Console;
use super::driver::Driver;
use super::engine::Engine;
use super::merchant::Merchant;
use super::wait::{LOOK, eventually};

/// Screen size and pixel ratio.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Viewport {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) phone: bool,
}

pub(crate) const PHONE: Viewport = Viewport { width: 360, height: 800, phone: true };
pub(crate) const DESKTOP: Viewport = Viewport { width: 1280, height: 800, phone: false };

/// The payer's system preferences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scheme {
    Light,
    Dark,
}

impl Scheme {
    pub(crate) const BOTH: [Self; 2] = [Self::Light, Self::Dark];

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

/// After this, an answer of WebKitGTK's driver is lost.
const ANSWER: Duration = Duration::from_secs(3);

/// As high as a whole screen of the checkout, where a picture shows only what is in the window.
const WINDOW: (u32, u32) = (1280, 1700);

pub(crate) struct Browser {
    pub(crate) client: Client,
    pub(crate) engine: Engine,
    pub(crate) console: RefCell<Console>,
    scripts_run: Cell<bool>,
    driver: Arc<Driver>,
    _profile: TempDir,
}

impl Browser {
    pub(crate) async fn start() -> Self {
        Self::start_with(json!({})).await
    }

    /// Its driver does not wait for pages, so that it can be used while one of them loads for ever.
    pub(crate) async fn start_impatient() -> Self {
        Self::start_with(json!({"pageLoadStrategy": "none"})).await
    }

    async fn start_with(more: Value) -> Self {
        let engine = Engine::current();
        let profile = TempDir::with_prefix("checkout-browser-").expect("the temporary folder is writable");
        let (driver, client) = connect(engine, &profile, more).await;
        // axe takes its time over a long page on a busy machine.
        let timeouts = TimeoutConfiguration::new(Some(patience() * 4), Some(patience()), None);
        client.update_timeouts(timeouts).await.expect("a driver has a time limit for scripts");
        let console = RefCell::new(Console::default());
        let scripts_run = Cell::new(true);
        let browser = Self { client, engine, console, scripts_run, driver, _profile: profile };
        browser.resize().await.expect("a window has a size");
        browser
    }

    async fn resize(&self) -> Result<(), CmdError> {
        match self.engine {
            Engine::Chromium => self.view(DESKTOP).await,
            Engine::Firefox | Engine::WebKit => self.client.set_window_rect(0, 0, WINDOW.0, WINDOW.1).await?,
        }
        Ok(())
    }

    /// Leaves only a new tab, for the next journey. What a page stores belongs to its origin, whose port is a journey's own.
    pub(crate) async fn renew(&self) -> Result<(), CmdError> {
        let old = self.client.windows().await?;
        let tab = self.client.new_window(true).await?.handle;
        for window in old {
            self.client.switch_to_window(window).await?;
            self.client.close_window().await?;
        }
        self.client.switch_to_window(tab).await?;
        self.scripts_run.set(true);
        // Closed pages may have complained about their stopped gateway.
        self.read_console().await;
        self.console.take();
        self.resize().await
    }

    /// Reads the console for the last time: errors about a stopped gateway are expected.
    pub(crate) async fn seal_console(&self) {
        self.read_console().await;
        self.console.borrow_mut().seal();
    }

    pub(crate) async fn goto(&self, url: &str) {
        let gone = self.to_another_page(self.client.goto(url)).await;
        gone.unwrap_or_else(|error| panic!("the browser cannot open {url}: {error}"));
    }

    pub(crate) async fn reload(&self) {
        self.to_another_page(self.client.refresh()).await.expect("the page reloads");
    }

    /// Waits until the page's script runs.
    pub(crate) async fn until_live(&self) {
        let live = "return document.documentElement.dataset.live === 'yes'";
        eventually("the page is live", async || self.run(live, vec![]).await == json!(true)).await;
    }

    /// Goes back in the history.
    pub(crate) async fn back(&self) {
        self.to_another_page(self.client.back()).await.expect("there is a page to go back to");
    }

    /// Waits until the next page is read.
    async fn to_another_page(
        &self,
        going: impl Future<Output = Result<(), CmdError>>,
    ) -> Result<(), CmdError> {
        // A page from the history was left earlier.
        static LEFT: AtomicU32 = AtomicU32::new(1);
        let left = vec![json!(LEFT.fetch_add(1, Ordering::Relaxed))];
        let _ = self.client.execute("window.left = arguments[0]", left.clone()).await;
        going.await?;
        let is_read = "return window.left !== arguments[0] && document.readyState !== 'loading'";
        let deadline = Instant::now() + patience();
        while self.ask(is_read, &left).await != Some(json!(true)) {
            assert!(Instant::now() < deadline, "the next page is not there after {:?}", patience());
            tokio::time::sleep(LOOK).await;
        }
        Ok(())
    }

    /// Runs a function body while pages change. WebKitGTK's driver never answers a script that it gets at the moment in
    /// which a page returns from the history: there it is asked without the client, which would wait for ever.
    async fn ask(&self, script: &str, arguments: &[Value]) -> Option<Value> {
        if self.engine != Engine::WebKit {
            return self.client.execute(script, arguments.to_vec()).await.ok();
        }
        let session = self.client.session_id().await.ok()??;
        let url = format!("{}/session/{session}/execute/sync", self.driver.url);
        let request = ureq::post(url).config().timeout_global(Some(ANSWER)).build();
        let answer = request.send(json!({"script": script, "args": arguments}).to_string());
        let text = answer.ok()?.body_mut().read_to_string().ok()?;
        serde_json::from_str::<Value>(&text).ok()?.get("value").cloned()
    }

    /// Waits for the next change of the document, or a moment. Only Chromium's driver answers when the document is replaced.
    pub(crate) async fn next_change(&self) {
        let can_tell = self.engine == Engine::Chromium && self.scripts_run.get();
        if !can_tell || self.client.execute_async(include_str!("next_change.js"), vec![]).await.is_err() {
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Runs a function body in the page's current frame.
    pub(crate) async fn run(&self, script: &str, arguments: Vec<Value>) -> Value {
        let answer = self.client.execute(script, arguments).await;
        answer.unwrap_or_else(|error| panic!("a script failed: {error}\n{script}"))
    }

    /// Directs commands to the page itself, not to a frame in it.
    pub(crate) async fn top(&self) {
        let left = self.client.issue_cmd(Post { path: "frame", body: json!({"id": null}) }).await;
        left.unwrap_or_else(|error| panic!("the frame cannot be left: {error}"));
    }

    /// Opens a URL in a new tab and switches to it.
    pub(crate) async fn tab(&self, url: &str) -> WindowHandle {
        let tab = self.client.new_window(true).await.expect("a tab opens").handle;
        self.switch(&tab).await;
        self.goto(url).await;
        tab
    }

    pub(crate) async fn switch(&self, tab: &WindowHandle) {
        self.client.switch_to_window(tab.clone()).await.expect("the tab is open");
    }

    /// Sends a DevTools protocol command, which only Chromium has: for the tests in `devtools/`.
    pub(crate) async fn devtools(&self, command: &str, parameters: Value) -> Value {
        assert_eq!(self.engine, Engine::Chromium, "{command} is for Chromium");
        let body = json!({"cmd": command, "params": parameters});
        let answer = self.client.issue_cmd(Post { path: "goog/cdp/execute", body }).await;
        answer.unwrap_or_else(|error| panic!("{command} failed: {error}"))
    }

    pub(crate) async fn view(&self, viewport: Viewport) {
        let Viewport { width, height, phone } = viewport;
        let metrics = json!({
            "width": width, "height": height, "mobile": phone,
            "deviceScaleFactor": if phone { 2 } else { 1 },
        });
        self.devtools("Emulation.setDeviceMetricsOverride", metrics).await;
        // The pointer is a finger.
        self.devtools("Emulation.setTouchEmulationEnabled", json!({"enabled": phone})).await;
    }

    /// `prefers-color-scheme`.
    pub(crate) async fn prefer(&self, scheme: Scheme) {
        let features = json!([{"name": "prefers-color-scheme", "value": scheme.word()}]);
        self.devtools("Emulation.setEmulatedMedia", json!({"features": features})).await;
    }

    /// Switches the network off or on.
    pub(crate) async fn offline(&self, offline: bool) {
        self.devtools("Network.enable", json!({})).await;
        let conditions =
            json!({"offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1});
        self.devtools("Network.emulateNetworkConditions", conditions).await;
    }

    /// Enables or disables scripts.
    pub(crate) async fn script(&self, runs: bool) {
        self.scripts_run.set(runs);
        self.devtools("Emulation.setScriptExecutionDisabled", json!({"value": !runs})).await;
    }

    /// Runs a script in every new document, before its own scripts.
    pub(crate) async fn before_every_page(&self, script: &str) {
        self.devtools("Page.addScriptToEvaluateOnNewDocument", json!({"source": script})).await;
    }

    /// Shifts the device's clock in every new document.
    pub(crate) async fn shift_clock(&self, hours: i32) {
        let script = include_str!("shifted_clock.js").replace("HOURS", &hours.to_string());
        self.before_every_page(&script).await;
    }

    /// Pastes the clipboard in another tab; afterwards commands go to the page itself.
    pub(crate) async fn clipboard(&self) -> String {
        let elsewhere = Merchant::open("<title>elsewhere</title><textarea></textarea>", &[]);
        let here = self.client.window().await.expect("a tab is open");
        self.tab(&elsewhere.origin).await;
        let field = self.client.find(Locator::Css("textarea")).await.expect("the page has a field");
        let paste = format!("{}v{}", char::from(Key::Control), char::from(Key::Null));
        field.send_keys(&paste).await.expect("a field takes keys");
        let text = self.run("return document.querySelector('textarea').value", vec![]).await;
        self.client.close_window().await.expect("a tab can be closed");
        self.switch(&here).await;
        text.as_str().expect("a field has a text").to_owned()
    }

    /// Expects a console error that this journey causes.
    pub(crate) fn expect_in_console(&self, part: &'static str) {
        self.console.borrow_mut().expect(part);
    }

    /// Collects new console entries, in Chromium only.
    pub(crate) async fn read_console(&self) {
        if self.engine != Engine::Chromium {
            return;
        }
        let read = Post { path: "se/log", body: json!({"type": "browser"}) };
        if let Ok(entries) = self.client.issue_cmd(read).await {
            self.console.borrow_mut().add(&entries);
        }
    }

    pub(crate) async fn close(self) {
        let _ = self.client.close().await;
    }
}

/// A busy machine can lose the connection between WebKitGTK's driver and its browser at the start: both start again.
async fn connect(engine: Engine, profile: &TempDir, more: Value) -> (Arc<Driver>, Client) {
    let capabilities = engine.capabilities(&profile.path().to_string_lossy());
    let (Value::Object(mut capabilities), Value::Object(more)) = (capabilities, more) else {
        unreachable!("capabilities are an object")
    };
    capabilities.extend(more);
    let mut tries = 3;
    loop {
        let driver = Driver::of(engine, profile.path());
        let mut builder = ClientBuilder::new(HttpConnector::new());
        let connected = builder.capabilities(capabilities.clone()).connect(&driver.url);
        match tokio::time::timeout(patience(), connected).await {
            Ok(Ok(client)) => return (driver, client),
            answer if tries == 0 => panic!("{engine:?} does not start: {answer:?}"),
            _ => tries -= 1,
        }
    }
}

#[derive(Debug)]
struct Post {
    path: &'static str,
    body: Value,
}

impl WebDriverCompatibleCommand for Post {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.path))
    }

    fn method_and_body(&self, _url: &Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(self.body.to_string()))
    }
}
