//! The gateway of a rehearsal: real, but for its chains and its clock.

use std::sync::Arc;
use std::time::Duration;

use checkout_chain_http::client::{builder, read_body, reason, web_roots};
use checkout_domain::access::rate_limits::RateLimits;
use checkout_domain::access::scope::Scopes;
use checkout_domain::access::token::{self, Caller, TokenHash, from_random};
use checkout_domain::business::settings::Settings;
use checkout_domain::callback::State;
use checkout_domain::callback::signature::new_secret;
use checkout_domain::ids::BusinessId;
use checkout_domain::ports::random_bytes;
use checkout_gateway::adapters::http_sender::{HttpSender, Reach};
use checkout_gateway::adapters::os_random::OsRandom;
use checkout_gateway::adapters::rule_screening::RuleScreening;
use checkout_gateway::http;
use checkout_gateway::http::server::Caps;
use checkout_gateway::service::App;
use checkout_gateway::service::app::Policy;
use checkout_gateway::service::businesses::create_business;
use checkout_gateway::service::callbacks::deliver_callbacks::CallbackDispatcher;
use checkout_gateway::service::transfers::screen_deposits;
use checkout_simulator::world::advance_clock;
use checkout_simulator::{Sandbox, World};
use checkout_storage::Database;
use reqwest::{Client, Method};
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use super::wire::Wire;

const TIMEOUT: Duration = Duration::from_secs(20);
const MAX_ANSWER: usize = 1 << 20;

/// The shop's access to the gateway.
#[derive(Clone, Debug)]
pub struct Credentials {
    pub token: String,
    pub secret: String,
}

impl Credentials {
    /// A missing value is random.
    pub fn new(given: Option<String>, secret: Option<String>) -> Self {
        Self {
            token: given.unwrap_or_else(|| from_random(token::BUSINESS, random_bytes(&OsRandom))),
            secret: secret.unwrap_or_else(|| new_secret(random_bytes(&OsRandom))),
        }
    }
}

pub(super) struct Stage {
    pub(super) world: World,
    pub(super) business: BusinessId,
    pub(super) wire: Arc<Wire>,
    dispatcher: CallbackDispatcher,
    client: Client,
    token: String,
    server: JoinHandle<()>,
}

impl Drop for Stage {
    fn drop(&mut self) {
        self.server.abort();
    }
}

impl Stage {
    pub(super) async fn open(
        receiver: &str,
        database: &Database,
        listener: TcpListener,
        credentials: &Credentials,
    ) -> Result<Self, String> {
        let address =
            listener.local_addr().map_err(|error| format!("The listener has no address: {error}."))?;
        // The shops of developers answer at any address.
        let wire = Arc::new(Wire::new(Arc::new(HttpSender::new(Reach::Anywhere))));
        let limits = RateLimits::standard(false);
        let policy = Policy { sandbox: true, limits, ..Policy::default() };
        let sandbox = Sandbox::new(database);
        let app =
            sandbox.app(policy, RuleScreening::new(&[]), Vec::new(), format!("http://{address}")).await?;
        let app = Arc::new(App { webhooks: Arc::clone(&wire) as _, ..app });
        let business = business(&app, receiver, credentials).await?;
        let router = http::router(Arc::clone(&app), http::Extra::default());
        let caps = Caps::of(&app.policy.limits);
        let server = tokio::spawn(http::server::serve(listener, router, caps, std::future::pending()));
        let client = builder(web_roots(), TIMEOUT).build().map_err(|error| reason(&error))?;
        Ok(Self {
            dispatcher: CallbackDispatcher::new(Arc::clone(&app)),
            world: World { app, sandbox },
            business,
            wire,
            client,
            token: credentials.token.clone(),
            server,
        })
    }

    pub(super) fn app(&self) -> &App {
        &self.world.app
    }

    /// A request to the gateway, as the merchant's back end sends it.
    pub(super) async fn call(&self, method: Method, path: &str, body: &Value) -> Result<Value, String> {
        let url = format!("{}/api/v1/{path}", self.app().public_url);
        let mut request = self.client.request(method, url).bearer_auth(&self.token);
        if !body.is_null() {
            request = request.header("content-type", "application/json").body(body.to_string());
        }
        let response = request.send().await.map_err(|error| reason(&error))?;
        let status = response.status();
        let bytes = read_body(response, MAX_ANSWER).await.map_err(|error| error.to_string())?;
        if !status.is_success() {
            return Err(format!("the gateway answered {status}: {}", String::from_utf8_lossy(&bytes)));
        }
        serde_json::from_slice(&bytes).map_err(|error| error.to_string())
    }

    /// Sends the callbacks that are due. Returns how many there were of this story.
    pub(super) async fn dispatch(&mut self) -> Result<usize, String> {
        screen_deposits::run(&self.world.app).await.map_err(|error| error.to_string())?;
        self.dispatcher.begin_due().await.map_err(|error| error.to_string())?;
        self.dispatcher.finish().await;
        Ok(self.wire.sent())
    }

    /// Advances the clock to the next attempt of a callback about this payment.
    pub(super) async fn wait_for_retry(&self, payment: &str) -> Result<(), String> {
        let app = self.app();
        let pending = app.store.callbacks(Some(self.business), Some(State::Pending), 1_000).await;
        let pending = pending.map_err(|error| error.to_string())?;
        let own = pending.iter().filter(|callback| callback.body.contains(payment));
        let due = own.filter_map(|callback| callback.due_at).min().ok_or("no callback is sent again")?;
        self.advance(due.saturating_sub(app.clock.now())).await
    }

    pub(super) async fn advance(&self, seconds: u64) -> Result<(), String> {
        advance_clock(&self.world, seconds).await.map_err(|error| error.to_string())?;
        Ok(())
    }
}

async fn business(app: &App, receiver: &str, credentials: &Credentials) -> Result<BusinessId, String> {
    let settings = Settings {
        name: Some("Rehearsal".to_owned()),
        deposit_callback: Some(receiver.to_owned()),
        ..Settings::default()
    };
    let (id, now) = (BusinessId(app.new_id()), app.clock.now());
    let (mut business, _) = create_business::build(settings, id, now, app.random.as_ref());
    business.callback_secret.clone_from(&credentials.secret);
    let stored = async {
        let mut tx = app.store.begin().await?;
        tx.put_business(&business).await?;
        let token = TokenHash::of(&credentials.token);
        tx.put_credential(&token, Caller::Business(id), Scopes::EVERYTHING, now).await?;
        tx.commit().await
    };
    stored.await.map_err(|error| error.to_string())?;
    Ok(id)
}
