//! The gateway as a process, which journeys kill and restart.

use std::io::{BufRead, BufReader};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use checkout_test_support::{Leashed, patience};
use checkout_wire::Payment;
use checkout_wire::create_payment::{CreatePayment, CreatedPayment};
use checkout_wire::update_payment::UpdatedPayment;
use parking_lot::Mutex;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tempfile::TempDir;

use super::places;

/// In the gateway's folder.
const CONFIG: &str = "gateway.toml";

pub(crate) struct Gateway {
    pub(crate) ready: Ready,
    process: Leashed,
    folder: TempDir,
    log: Arc<Mutex<String>>,
    pub(crate) http: ureq::Agent,
}

/// The gateway's ready line.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Ready {
    pub(crate) base_url: String,
    /// Of the sandbox.
    #[serde(default)]
    pub(crate) business_token: String,
    /// Of the sandbox.
    #[serde(default)]
    pub(crate) shop_url: String,
    /// Of a gateway with a desk.
    #[serde(default)]
    pub(crate) desk_url: String,
}

/// The output of `checkout business create --json`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Business {
    pub(crate) token: String,
    pub(crate) callback_secret: String,
}

impl Gateway {
    /// Starts a sandbox with an empty database and a demo shop, on free ports, with this configuration file.
    pub(crate) fn start(config: &str) -> Self {
        let kit = places::kit_folder().display().to_string();
        Self::start_with(config, &["--sandbox", "--shop", "127.0.0.1:0", "--kit", &kit])
    }

    /// Starts a gateway on the real chains of this configuration file. It has no business.
    pub(crate) fn start_on_chains(config: &str) -> Self {
        Self::start_with(config, &[])
    }

    fn start_with(config: &str, more: &[&str]) -> Self {
        let folder = TempDir::with_prefix("checkout-gateway-").expect("the temporary folder is writable");
        std::fs::write(folder.path().join(CONFIG), config).expect("the temporary folder is writable");
        let log = Arc::new(Mutex::new(String::new()));
        let (process, ready) = launch(&folder, "127.0.0.1:0", more, &log);
        let config =
            ureq::Agent::config_builder().http_status_as_error(false).timeout_global(Some(patience()));
        let gateway = Self { ready, process, folder, log, http: config.build().into() };
        gateway.must_have_pages();
        gateway
    }

    /// `kill -9`.
    pub(crate) fn kill(&mut self) {
        self.process.end();
    }

    /// Restarts after [`kill`](Self::kill) or [`terminate`](Self::terminate) with the same ports and
    /// database.
    pub(crate) fn restart(&mut self) {
        let (listen, shop) = (authority(&self.ready.base_url), authority(&self.ready.shop_url));
        let (process, ready) = launch(&self.folder, &listen, &["--sandbox", "--shop", &shop], &self.log);
        assert_eq!(ready.base_url, self.ready.base_url, "the gateway restarted with another URL");
        (self.process, self.ready) = (process, ready);
    }

    /// Sends SIGTERM; returns the exit status.
    pub(crate) fn terminate(&mut self) -> ExitStatus {
        let pid = self.process.id().to_string();
        let sent = Command::new("kill").args(["-TERM", &pid]).status().expect("kill is on every Unix");
        assert!(sent.success(), "the gateway was running");
        let deadline = Instant::now() + patience();
        loop {
            if let Some(status) = self.process.try_wait().expect("a child can be waited for") {
                return status;
            }
            assert!(Instant::now() < deadline, "SIGTERM does not stop the gateway");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Runs `checkout business create` while the gateway runs. Returns the token and callback secret. Later
    /// calls use this business.
    pub(crate) fn become_business(&mut self, arguments: &[&str]) -> Business {
        self.become_business_named("Kettle & Co", arguments)
    }

    pub(crate) fn become_business_named(&mut self, name: &str, arguments: &[&str]) -> Business {
        let create = ["business", "create", "--sandbox", "--name", name];
        let business: Business = self.command(&[&create, arguments].concat());
        self.ready.business_token.clone_from(&business.token);
        business
    }

    /// A token of a business with one scope.
    pub(crate) fn token(&self, business: &str, scope: &str) -> String {
        let made: serde_json::Value =
            self.command(&["credential", "create", "--business", business, "--scope", scope]);
        made["token"].as_str().expect("a text").to_owned()
    }

    /// Runs the gateway's command line while the gateway runs. Returns the JSON that it prints.
    fn command<T: serde::de::DeserializeOwned>(&self, arguments: &[&str]) -> T {
        let output = Command::new(places::gateway())
            .args(arguments)
            .args(["--json", "--database"])
            .arg(database(&self.folder))
            .env("XDG_DATA_HOME", self.folder.path())
            .output()
            .expect("the gateway starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).expect("it prints JSON")
    }

    /// Runs `checkout operator add` while the gateway runs. Returns the password and the link of the codes.
    pub(crate) fn add_operator(&self, name: &str, role: &str) -> (String, String) {
        let made: serde_json::Value = self.command(&["operator", "add", name, "--role", role]);
        let text = |key: &str| made[key].as_str().expect("a text").to_owned();
        (text("password"), text("otpauth"))
    }

    /// `POST /api/v1/payments` with the business token.
    pub(crate) fn create(&self, order: &CreatePayment) -> CreatedPayment {
        self.post("/api/v1/payments", order)
    }

    /// `GET /api/v1/payments/{id}` with the business token.
    pub(crate) fn payment(&self, id: &str) -> Payment {
        self.get(&format!("/api/v1/payments/{id}"))
    }

    /// `PATCH /api/v1/payments/{id}` with the business token: the payer's choice of a currency.
    pub(crate) fn choose(&self, id: &str, currency: &str) -> Payment {
        let url = format!("{}/api/v1/payments/{id}", self.ready.base_url);
        let request = self.http.patch(&url).header("Authorization", self.bearer());
        let choice = serde_json::json!({"depositCurrency": currency});
        read::<UpdatedPayment>(&mut request.send_json(choice).expect("the gateway answers"), &url)
            .payment_info
    }

    /// GET with the business token.
    pub(crate) fn get<T: DeserializeOwned>(&self, path: &str) -> T {
        let url = format!("{}{path}", self.ready.base_url);
        let mut answer = self.authorized(self.http.get(&url)).call().expect("the gateway answers");
        read(&mut answer, &url)
    }

    /// Whether it has a rate of a cryptocurrency in euros.
    pub(crate) fn has_rate(&self, currency: &str) -> bool {
        let url = format!("{}/api/v1/rates?from={currency}&to=EUR", self.ready.base_url);
        self.http.get(&url).call().expect("the gateway answers").status().is_success()
    }

    /// The gateway's clock, in UNIX seconds.
    pub(crate) fn now(&self) -> u64 {
        let answer = self.http.get(format!("{}/api/v1/currencies", self.ready.base_url)).call();
        let answer = answer.expect("the gateway answers");
        let time = answer.headers().get("x-server-time").expect("every answer carries the time");
        time.to_str().ok().and_then(|text| text.parse::<u64>().ok()).expect("milliseconds") / 1_000
    }

    pub(crate) fn post<T: DeserializeOwned>(&self, path: &str, body: &impl serde::Serialize) -> T {
        let url = format!("{}{path}", self.ready.base_url);
        let request = self.http.post(&url).header("Authorization", self.bearer());
        let mut answer = request.send_json(body).expect("the gateway answers");
        read(&mut answer, &url)
    }

    fn authorized<B>(&self, request: ureq::RequestBuilder<B>) -> ureq::RequestBuilder<B> {
        request.header("Authorization", self.bearer())
    }

    fn bearer(&self) -> String {
        format!("Bearer {}", self.ready.business_token)
    }

    /// The gateway's log on standard error.
    pub(crate) fn log(&self) -> String {
        self.log.lock().clone()
    }

    fn must_have_pages(&self) {
        let answer = self.http.get(format!("{}/embed.js", self.ready.base_url)).call();
        let status = answer.expect("the gateway answers").status();
        assert!(
            status.is_success(),
            "{} was built without its pages (/embed.js answers {status}). `cargo xtask test e2e` builds it with \
             them and runs these tests.",
            places::gateway().display()
        );
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("--- the gateway\n{}", self.log());
        }
    }
}

/// A mug for 25 €: the default order of the journeys.
pub(crate) fn order() -> CreatePayment {
    static COUNT: AtomicU32 = AtomicU32::new(1);
    CreatePayment {
        business_id: None,
        client_payment_id: format!("order-{}", COUNT.fetch_add(1, Ordering::Relaxed)).into(),
        locale: "en-US".into(),
        kind: None,
        rate_type: None,
        display_currency: Some("EUR".into()),
        display_amount: Some("25.00".into()),
        deposit_currency: None,
        deposit_amount: None,
        network: None,
        expiration_minutes: None,
        redirect_url: None,
        description: None,
        metadata: None,
    }
}

fn launch(folder: &TempDir, listen: &str, more: &[&str], log: &Arc<Mutex<String>>) -> (Leashed, Ready) {
    let database = database(folder);
    let (path, config) = (places::gateway(), folder.path().join(CONFIG));
    let mut command = Command::new(&path);
    command
        .args(["serve", "--listen", listen, "--database", &database])
        .args(more)
        .arg("--config")
        .arg(config)
        .env("XDG_DATA_HOME", folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut process = Leashed::spawn(&mut command)
        .unwrap_or_else(|error| panic!("{} does not start: {error}", path.display()));
    keep_log(&mut process, log);
    let output = process.stdout.take().expect("its output is piped");
    let (said, hear) = mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            let _ = said.send(line);
        }
    });
    let fail = |process: &mut Leashed, why: &str| -> ! {
        process.end();
        panic!("{why}\n{}", log.lock())
    };
    let line = match hear.recv_timeout(patience()) {
        Ok(line) => line,
        Err(RecvTimeoutError::Timeout) => fail(&mut process, "The gateway is not ready in time. Its log:"),
        Err(RecvTimeoutError::Disconnected) => fail(&mut process, "The gateway ended at its start. Its log:"),
    };
    match serde_json::from_str(&line) {
        Ok(ready) => (process, ready),
        Err(error) => fail(&mut process, &format!("This is not a ready line ({error}): {line}")),
    }
}

fn database(folder: &TempDir) -> String {
    format!("sqlite:{}", folder.path().join("checkout.db").display())
}

fn keep_log(process: &mut Leashed, log: &Arc<Mutex<String>>) {
    let errors = process.stderr.take().expect("its errors are piped");
    let log = Arc::clone(log);
    std::thread::spawn(move || {
        for line in BufReader::new(errors).lines().map_while(Result::ok) {
            let mut log = log.lock();
            log.push_str(&line);
            log.push('\n');
        }
    });
}

fn read<T: DeserializeOwned>(answer: &mut http::Response<ureq::Body>, url: &str) -> T {
    let text = answer.body_mut().read_to_string().expect("the answer is text");
    let status = answer.status();
    assert!(status.is_success(), "{url} answers {status}: {text}");
    serde_json::from_str(&text)
        .unwrap_or_else(|error| panic!("{url} has an unexpected answer ({error}): {text}"))
}

/// `host:port` of an origin.
fn authority(url: &str) -> String {
    url.trim_start_matches("http://").trim_end_matches('/').to_owned()
}
