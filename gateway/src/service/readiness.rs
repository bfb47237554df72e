//! Readiness of the gateway: its store is writable, and no background task is in a panicked state.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::ports::Stored;
use crate::service::App;

/// Key of the setting that is written as a probe.
const PROBE: &str = "readiness_probe";

/// The store is probed at most this often, however often readiness is requested.
const FRESH: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub enum NotReady {
    /// The store cannot be written: it is unreachable, or its disk is full.
    Store,
    /// Background tasks that panicked and have not succeeded since.
    Background(Vec<String>),
}

/// The result of the last probe of the store.
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
    let sound = if let Some(sound) = app.last_look.fresh() {
        sound
    } else {
        let written = write(app).await;
        if let Err(error) = &written {
            tracing::error!(%error, "the store cannot be written");
        }
        app.last_look.keep(written.is_ok());
        written.is_ok()
    };
    if !sound {
        return Err(NotReady::Store);
    }
    let ill = app.health.ill();
    if ill.is_empty() { Ok(()) } else { Err(NotReady::Background(ill)) }
}

/// Writes and commits one setting.
async fn write(app: &App) -> Stored<()> {
    let mut tx = app.store.begin().await?;
    tx.put_setting(PROBE, &app.clock.now().to_string()).await?;
    tx.commit().await
}
