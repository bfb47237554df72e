//! Whether the gateway can do its work: it writes to its store, and nothing that it does by itself is at fault.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use checkout_core::Network;

use crate::ports::Stored;
use crate::service::App;

/// The setting that is written.
const PROBE: &str = "readiness_probe";

/// The store is asked no more often, however often we are.
const FRESH: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub enum NotReady {
    /// It cannot be written: it is gone, or its disk is full.
    Store,
    /// What panicked, and was not done since.
    Background(Vec<String>),
    /// Nothing can be paid on any network: why, for each.
    Networks(Vec<(Network, String)>),
}

/// What came of the last look at the store.
#[derive(Debug, Default)]
pub struct LastLook(Mutex<Option<(Instant, bool)>>);

impl LastLook {
    fn fresh(&self) -> Option<bool> {
        let last = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        last.filter(|(at, _)| at.elapsed() < FRESH).map(|(_, sound)| sound)
    }

    fn keep(&self, sound: bool) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), sound));
    }
}

pub async fn check(app: &App) -> Result<(), NotReady> {
    let sound = if let Some(sound) = app.state.last_look.fresh() {
        sound
    } else {
        let written = write(app).await;
        if let Err(error) = &written {
            tracing::error!(%error, "the store cannot be written");
        }
        app.state.last_look.keep(written.is_ok());
        written.is_ok()
    };
    if !sound {
        return Err(NotReady::Store);
    }
    let ill = app.state.health.ill();
    if !ill.is_empty() {
        return Err(NotReady::Background(ill));
    }
    if app.chains.keys().any(|network| app.takes(*network)) {
        return Ok(());
    }
    Err(NotReady::Networks(unavailable(app)))
}

/// The networks that cannot be paid on at present, and why.
pub fn unavailable(app: &App) -> Vec<(Network, String)> {
    app.chains.keys().filter_map(|network| Some((*network, app.state.networks.fault(*network)?))).collect()
}

/// A change that changes nothing else, all the way to the disk.
async fn write(app: &App) -> Stored<()> {
    let mut tx = app.store.begin().await?;
    tx.put_setting(PROBE, &app.clock.now().to_string()).await?;
    tx.commit().await
}
