//! Questions of a network's payouts to the chains of other networks: a refund in ETH of a payment that also got BTC waits until
//! the BTC is final. A chain that does not answer delays this refund, and no other payout.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use checkout_domain::chain::OutputId;
use checkout_domain::ports::{Chain, ChainError};
use parking_lot::Mutex;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::TIME_LIMIT;

/// A round waits this long for an answer; after that it takes it in a later round.
const WAIT: Duration = Duration::from_secs(2);

/// An answer that nobody took is forgotten.
const KEPT: Duration = Duration::from_mins(2);

struct Asked {
    at: Instant,
    answer: JoinHandle<Result<u64, ChainError>>,
}

/// Open questions for the confirmations of outputs.
#[derive(Default)]
pub struct ForeignQuestions(Mutex<BTreeMap<OutputId, Asked>>);

impl ForeignQuestions {
    /// The confirmations of an output; `None` while the chain does not answer.
    pub(super) async fn confirmations(
        &self,
        chain: &Arc<dyn Chain>,
        output: &OutputId,
    ) -> Option<Result<u64, ChainError>> {
        let (mut asked, is_slow) = self.ask(chain, output);
        // A chain that owes other answers is not waited for again in each round.
        let patience = if is_slow { Duration::ZERO } else { WAIT };
        if let Ok(answer) = timeout(patience, &mut asked.answer).await {
            return Some(answer.unwrap_or_else(|error| Err(ChainError(Box::new(error)))));
        }
        self.0.lock().insert(output.clone(), asked);
        None
    }

    /// Takes the open question for an output, or asks it. Also returns whether questions to its chain are open.
    fn ask(&self, chain: &Arc<dyn Chain>, output: &OutputId) -> (Asked, bool) {
        let mut all = self.0.lock();
        all.retain(|_, asked| asked.at.elapsed() < KEPT);
        let is_slow =
            all.iter().any(|(of, asked)| of.network == output.network && !asked.answer.is_finished());
        let asked = all.remove(output).unwrap_or_else(|| {
            let (chain, output) = (Arc::clone(chain), output.clone());
            let answer = tokio::spawn(async move {
                let late = || ChainError(format!("no answer in {} seconds", TIME_LIMIT.as_secs()).into());
                timeout(TIME_LIMIT, chain.confirmations(&output)).await.unwrap_or_else(|_| Err(late()))
            });
            Asked { at: Instant::now(), answer }
        });
        (asked, is_slow)
    }
}

impl fmt::Debug for ForeignQuestions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ForeignQuestions").field(&self.0.lock().len()).finish()
    }
}
