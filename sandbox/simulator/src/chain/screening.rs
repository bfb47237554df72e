//! The sandbox's screening: applies the flags of the control API before the configured rules.

use async_trait::async_trait;
use checkout_core::Network;
use checkout_domain::chain::screening::AddressOwner;
use checkout_domain::ports::screening::{Screened, Screening, ScreeningError};
use checkout_gateway::adapters::rule_screening::RuleScreening;
use checkout_storage::{Database, query};

#[derive(Clone, Debug)]
pub struct SimulatedScreening {
    rules: RuleScreening,
    database: Database,
}

impl SimulatedScreening {
    pub fn new(rules: RuleScreening, database: Database) -> Self {
        Self { rules, database }
    }
}

#[async_trait]
impl Screening for SimulatedScreening {
    async fn screen(&self, network: Network, address: &str) -> Result<Screened, ScreeningError> {
        let found = query("SELECT address FROM sim_flags WHERE network = $1 AND address = $2")
            .bind(network.code())
            .bind(address)
            .fetch_optional(self.database.readers())
            .await
            .map_err(|error| ScreeningError(Box::new(error)))?;
        match found {
            Some(_) => Ok(Screened {
                owner: AddressOwner { name: "Flagged by hand".to_owned(), category: "SANDBOX".to_owned() },
                blocked: true,
            }),
            None => self.rules.screen(network, address).await,
        }
    }

    fn is_on(&self) -> bool {
        self.rules.is_on()
    }
}
