//! What a wallet in the payer's browser signs and the gateway sends. Nothing is stored: the payment follows the chain.

use std::time::Duration;

use checkout_core::{Amount, pair};
use checkout_domain::ports::ChainError;
use checkout_domain::ports::wallet_signing::{Sending, Unsigned, WalletSigning, WalletTransfer};
use checkout_wire::send_wallet_transaction::WalletSendState;
use checkout_wire::wallet_page::{WalletObstacle, WalletPayment};

use crate::service::App;

/// How long the payer waits for the network.
const TIMEOUT: Duration = Duration::from_secs(10);

/// A transfer on a network where wallets sign and do not send.
pub struct Signing<'a> {
    chain: &'a dyn WalletSigning,
    transfer: WalletTransfer,
}

impl<'a> Signing<'a> {
    /// `deposits`: how many the payment has.
    pub fn of(app: &'a App, payment: &WalletPayment, deposits: usize) -> Option<Self> {
        let pair = pair::by_codes(&payment.currency, &payment.network)?;
        let chain = app.chains.get(&pair.network)?.wallet_signing()?;
        let amount = Amount::parse(&payment.amount, pair.decimals).ok()?;
        let (to, deposits) = (payment.address.clone(), u64::try_from(deposits).unwrap_or(u64::MAX));
        Some(Self { chain, transfer: WalletTransfer { pair, to, amount, deposits } })
    }

    /// Adds what the account signs, or why it cannot pay; neither if the network does not answer.
    pub async fn add(&self, payment: &mut WalletPayment, account: &str) {
        let Some(unsigned) = in_time(self.chain.unsigned(&self.transfer, account)).await else { return };
        match unsigned {
            Unsigned::Bytes(bytes) => payment.unsigned = Some(hex::encode(bytes)),
            Unsigned::TooLittle => payment.obstacle = Some(WalletObstacle::TooLittle.into()),
            Unsigned::NoFee => payment.obstacle = Some(WalletObstacle::NoFee.into()),
            Unsigned::WouldFail => payment.obstacle = Some(WalletObstacle::WouldFail.into()),
        }
    }

    /// Both in hexadecimal digits.
    pub async fn send(&self, unsigned: &str, signature: &str) -> WalletSendState {
        let read = |text: &str| hex::decode(text.strip_prefix("0x").unwrap_or(text));
        let (Ok(unsigned), Ok(signature)) = (read(unsigned), read(signature)) else {
            return WalletSendState::NotSent;
        };
        match in_time(self.chain.send(&self.transfer, &unsigned, &signature)).await {
            Some(Sending::Sent) => WalletSendState::Sent,
            Some(Sending::Other) => WalletSendState::NotSent,
            None => WalletSendState::Unknown,
        }
    }
}

async fn in_time<T>(answer: impl Future<Output = Result<T, ChainError>>) -> Option<T> {
    let late = |_| Err(format!("no answer within {} seconds", TIMEOUT.as_secs()).into());
    let answer = tokio::time::timeout(TIMEOUT, answer).await.unwrap_or_else(late);
    answer.inspect_err(|error| tracing::warn!(%error, "a payer's wallet was not served")).ok()
}
