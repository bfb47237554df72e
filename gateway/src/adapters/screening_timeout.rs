//! A time limit for a screening.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use checkout_core::Network;
use checkout_domain::fail_point;
use checkout_domain::ports::screening::{Screened, Screening, ScreeningError};

/// Time limit of one answer.
pub const TIMEOUT: Duration = Duration::from_secs(5);

pub struct ScreeningTimeout {
    inner: Arc<dyn Screening>,
    timeout: Duration,
}

impl ScreeningTimeout {
    pub fn new(inner: Arc<dyn Screening>, timeout: Duration) -> Self {
        Self { inner, timeout }
    }
}

#[async_trait]
impl Screening for ScreeningTimeout {
    async fn screen(&self, network: Network, address: &str) -> Result<Screened, ScreeningError> {
        let answer = tokio::time::timeout(self.timeout, self.inner.screen(network, address)).await;
        fail_point::reach("screening.after");
        answer.unwrap_or_else(|_| Err(ScreeningError(format!("no answer in {:?}", self.timeout).into())))
    }

    fn is_on(&self) -> bool {
        self.inner.is_on()
    }
}
