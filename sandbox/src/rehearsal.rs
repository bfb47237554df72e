//! A rehearsal: plays stories against a merchant's webhook receiver and grades what it did.
//!
//! The gateway of a rehearsal is real: only its chains and its clock are simulated. What the network between the gateway and the
//! receiver does, a story decides.

mod forgery;
mod grade;
mod messages;
mod player;
mod report;
mod shop;
mod stage;
mod stories;
mod wire;

use std::time::Duration;

use checkout_storage::Database;
use tokio::net::TcpListener;

pub use self::grade::{Grade, Graded};
pub use self::report::{Report, entry, line, summary};
pub use self::shop::{PLACEHOLDER, PaidWhen, ShopUrls};
pub use self::stage::Credentials;
pub use self::stories::{GUIDE, STORIES, Story};

use self::player::Player;
use self::shop::Shop;
use self::stage::Stage;

#[derive(Clone, Debug)]
pub struct RehearsalSettings {
    /// The receiver of webhooks.
    pub url: String,
    pub shop: ShopUrls,
    /// How long a shop may take to believe that an order is paid.
    pub patience: Duration,
}

pub struct Rehearsal {
    player: Player,
}

impl Rehearsal {
    /// Starts the gateway on the listener. The database is new. Errors are sentences for users.
    pub async fn open(
        settings: RehearsalSettings,
        database: &Database,
        listener: TcpListener,
        credentials: &Credentials,
    ) -> Result<Self, String> {
        let shop = Shop::new(settings.shop, settings.patience)?;
        let stage = Stage::open(&settings.url, database, listener, credentials).await?;
        Ok(Self { player: Player::new(stage, shop, settings.url, credentials.secret.clone()) })
    }

    /// The URL of the gateway.
    pub fn gateway_url(&self) -> &str {
        self.player.gateway_url()
    }

    /// Plays one story to its end.
    pub async fn play(&mut self, story: &'static Story) -> Graded {
        self.player.play(story).await
    }
}
