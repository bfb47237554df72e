//! Sends payouts from a wallet of the node, which holds the keys.
//!
//! Inputs are locked between signing and sending, so two payouts never spend the same coin. The locks are
//! lost when the node restarts. Transactions that were signed but not sent by then may have to be signed
//! again; the payee is never paid twice, because the network refuses the second of two transactions that
//! spend the same coin.

use async_trait::async_trait;
use checkout_core::address::Address;
use checkout_core::{Decimal, Network};
use checkout_domain::chain::payout::{Payout, Purpose, Signed};
use checkout_domain::chain::source::Check;
use checkout_domain::chain::waiting::{ReplaceAfter, Waiting};
use checkout_domain::ports::broadcaster::{Broadcaster, Holding, Known, Replacement, SentBefore, Unsent};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use crate::coins::{amount, normal_form};
use crate::deposit_wallet::{AddressInfo, WalletInfo};
use crate::depth::depth;
use crate::fees::{self, FeeLimits};
use crate::mempool::{self, Resent};
use crate::rpc::{NOT_FOUND, Node, UNDECODABLE, WALLET_NOT_FOUND};
use crate::settings::{DECIMALS, Settings};
use crate::transaction::{Decoded, Input, WalletTransaction};
use checkout_chain_http::NodeError;

/// A wallet with as many entries is not searched for what was sent before a restore.
const MOST_LISTED: usize = 100_000;

pub struct NodeWallet {
    pub(crate) network: Network,
    pub(crate) node: Node,
    pub(crate) wallet: Node,
    /// The wallet that watches deposits, if the node reports them.
    pub(crate) deposits: Option<Node>,
    name: String,
    pub(crate) limits: FeeLimits,
    pub(crate) replace_after: ReplaceAfter,
    /// Blocks after which a conflict counts as permanent: what the coins paid for may be sent again then.
    pub(crate) lost_after: u64,
}

#[derive(Deserialize)]
pub(crate) struct Funded {
    pub(crate) hex: String,
}

#[derive(Deserialize)]
struct SignedByWallet {
    hex: String,
    complete: bool,
}

/// `listlockunspent`.
#[derive(Deserialize)]
pub(crate) struct Locked {
    pub(crate) txid: String,
    vout: u32,
}

impl Locked {
    fn is(&self, input: &Input) -> bool {
        input.txid.as_ref() == Some(&self.txid) && input.vout == self.vout
    }
}

/// `listtransactions` and `listsinceblock`.
#[derive(Deserialize)]
pub(crate) struct ListedTransaction {
    category: String,
    #[serde(default)]
    address: Option<String>,
    amount: Box<RawValue>,
    #[serde(default)]
    pub(crate) confirmations: i64,
    #[serde(default)]
    pub(crate) txid: Option<String>,
    /// In no block, but in the memory pool with all that it builds on, and of the wallet itself.
    #[serde(default)]
    pub(crate) trusted: bool,
}

impl ListedTransaction {
    pub(crate) fn is_sent(&self) -> bool {
        self.category == "send"
    }
}

impl NodeWallet {
    /// Returns `None` if no payout wallet is configured.
    pub fn new(network: Network, settings: &Settings) -> Option<Self> {
        let name = settings.payout_wallet.clone()?;
        let node = Node::new(network, settings);
        let (most, fallback) = settings.rates(network);
        let limits = FeeLimits { most, fallback };
        let replace_after = settings.replace_after(network).unwrap_or(ReplaceAfter::Never);
        let wallet = node.wallet(&name);
        let deposits = settings.esplora.is_none().then(|| node.wallet(&settings.wallet));
        let name = node.dialect.wallet_name(&name);
        let lost_after = settings.finality.followed(network).into();
        Some(Self { network, node, wallet, deposits, name, limits, replace_after, lost_after })
    }

    /// Loads the wallet if the node has not loaded it.
    pub(crate) async fn open(&self) -> Result<WalletInfo, NodeError> {
        match self.wallet.call("getwalletinfo", json!([])).await {
            Err(error) if error.number() == Some(WALLET_NOT_FOUND) => {
                self.node.call::<Value>("loadwallet", json!([self.name])).await?;
                self.wallet.call("getwalletinfo", json!([])).await
            }
            answer => answer,
        }
    }

    /// Signs a transaction whose inputs are locked. Unlocks them on failure.
    async fn signed(&self, funded: &str) -> Result<Signed, Unsent> {
        let made = self.sign_funded(funded).await;
        if made.is_err() {
            let decoded = self.decode(funded).await?;
            self.wallet.call::<Value>("lockunspent", json!([true, outpoints(&decoded.vin)])).await?;
        }
        made
    }

    /// Unlocks the coins of a transaction that the wallet never saw. Those of one that it saw are not locked for it any more, but
    /// perhaps for another.
    async fn unlock(&self, unused: &Signed, kept: Option<&Signed>) -> Result<(), Unsent> {
        if self.find(&unused.transaction_id).await?.is_some() {
            return Ok(());
        }
        let kept = match kept {
            Some(kept) => self.decode(&String::from_utf8_lossy(&kept.bytes)).await?.vin,
            None => Vec::new(),
        };
        let locked: Vec<Locked> = self.wallet.call("listlockunspent", json!([])).await?;
        let mut unused = self.decode(&String::from_utf8_lossy(&unused.bytes)).await?.vin;
        unused.retain(|input| {
            let is_kept = kept.iter().any(|kept| kept.is_same_coin(input));
            !is_kept && locked.iter().any(|coin| coin.is(input))
        });
        if !unused.is_empty() {
            self.wallet.call::<Value>("lockunspent", json!([true, outpoints(&unused)])).await?;
        }
        Ok(())
    }

    pub(crate) async fn sign_funded(&self, funded: &str) -> Result<Signed, Unsent> {
        let signed: SignedByWallet = self.wallet.call(self.node.dialect.sign, json!([funded])).await?;
        if !signed.complete {
            let problem = format!("wallet {} does not hold all keys of its coins", self.name);
            return Err(Unsent::Unavailable(problem.into()));
        }
        let transaction_id = self.decode(&signed.hex).await?.txid;
        Ok(Signed { transaction_id, bytes: signed.hex.into_bytes(), sequence: None })
    }

    pub(crate) async fn decode(&self, hex: &str) -> Result<Decoded, NodeError> {
        self.node.call("decoderawtransaction", json!([hex])).await
    }

    pub(crate) async fn find(&self, id: &str) -> Result<Option<WalletTransaction>, NodeError> {
        match self.wallet.call("gettransaction", json!([id])).await {
            Ok(found) => Ok(Some(found)),
            Err(error) if error.number() == Some(NOT_FOUND) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The newest entries of the wallet, oldest first.
    pub(crate) async fn listed(&self, most: usize) -> Result<Vec<ListedTransaction>, NodeError> {
        self.wallet.call("listtransactions", json!(["*", most, 0, true])).await
    }

    /// The transactions of the wallet that sent something which `is_sought`.
    async fn sent_so(&self, is_sought: impl Fn(&ListedTransaction) -> bool) -> Result<SentBefore, Unsent> {
        self.open().await?;
        let listed = self.listed(MOST_LISTED).await?;
        if listed.len() >= MOST_LISTED {
            let problem = format!("wallet {} has more than {MOST_LISTED} transactions", self.name);
            return Ok(SentBefore::Unknown(problem));
        }
        let sent = listed.into_iter().filter(|listed| listed.is_sent() && listed.confirmations >= 0);
        let mut found: Vec<String> = sent.filter(is_sought).filter_map(|listed| listed.txid).collect();
        found.dedup();
        Ok(SentBefore::Perhaps(found))
    }
}

pub(crate) fn outpoints(inputs: &[Input]) -> Value {
    inputs.iter().map(|input| json!({"txid": input.txid, "vout": input.vout})).collect()
}

#[async_trait]
impl Broadcaster for NodeWallet {
    fn network(&self) -> Network {
        self.network
    }

    async fn is_own(&self, account: &Address) -> Result<bool, Unsent> {
        self.open().await?;
        let (method, address) = (self.node.dialect.describe_address, account.to_string());
        match self.wallet.call::<AddressInfo>(method, json!([address])).await {
            Ok(info) => Ok(info.is_known()),
            // Of the main network or of another test network.
            Err(error) if error.number() == Some(NOT_FOUND) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    async fn sign(&self, payout: &Payout) -> Result<Signed, Unsent> {
        self.open().await?;
        let mut outputs = Map::new();
        outputs.insert(payout.to.clone(), Value::String(payout.amount.to_text(DECIMALS)));
        let raw: String = match self.node.call("createrawtransaction", json!([[], outputs])).await {
            Ok(raw) => raw,
            Err(NodeError::Refused { message, .. }) => return Err(Unsent::Refused(message)),
            Err(error) => return Err(error.into()),
        };
        let rate = fees::rate(&self.node, self.limits).await?;
        let mut options = json!({"feeRate": rate, "lockUnspents": true});
        if self.replace_after != ReplaceAfter::Never {
            options["replaceable"] = json!(true);
        }
        let funded: Funded = match self.wallet.call("fundrawtransaction", json!([raw, options])).await {
            Ok(funded) => funded,
            Err(error) if error.says("too small") || error.says("dust") => {
                return Err(Unsent::Refused(error.to_string()));
            }
            Err(error) => return Err(error.into()),
        };
        self.signed(&funded.hex).await
    }

    async fn broadcast(&self, signed: &Signed) -> Result<(), Unsent> {
        let Ok(hex) = std::str::from_utf8(&signed.bytes) else {
            return Err(Unsent::Refused("not a transaction".to_owned()));
        };
        let Err(error) = mempool::send(&self.node, hex).await else { return Ok(()) };
        match mempool::answer_to(&error) {
            Some(Resent::Taken | Resent::InChain) => Ok(()),
            Some(Resent::Conflict) => self.judge_conflict(signed, hex).await,
            None if error.number() == Some(UNDECODABLE) => Err(Unsent::Refused(error.to_string())),
            Some(Resent::NotNow) | None => Err(error.into()),
        }
    }

    async fn known(&self, transaction_id: &str) -> Result<Known, Unsent> {
        let Some(found) = self.find(transaction_id).await? else { return Ok(Known::Unknown) };
        let depth = depth(&self.node, found.confirmations, found.blockhash.as_deref()).await?;
        Ok(match u64::try_from(depth) {
            Ok(blocks @ 1..) => Known::Confirmed(blocks),
            Ok(_) if mempool::find(&self.node, transaction_id).await?.is_some() => Known::Pending,
            // The memory pool dropped it, or another transaction of the chain spends the same coin.
            _ => Known::Unknown,
        })
    }

    async fn replace(
        &self,
        payout: &Payout,
        newest: &Signed,
        waiting: Waiting,
    ) -> Result<Replacement, Unsent> {
        if !self.is_time(waiting).await? {
            return Ok(Replacement::None);
        }
        self.replacement(payout, newest).await
    }

    async fn fee(&self, _: &Payout) -> Result<Option<Decimal>, Unsent> {
        let atoms = fees::of_refund(&self.node, self.limits).await?;
        Ok(Some(Decimal::new(atoms, DECIMALS.into())))
    }

    async fn release(&self, unused: &Signed, kept: Option<&Signed>) -> Result<(), Unsent> {
        self.open().await?;
        self.unlock(unused, kept).await
    }

    async fn sent_before(&self, payout: &Payout) -> Result<SentBefore, Unsent> {
        // What is sent of a refund depends on the fee of the moment.
        let is_refund = payout.purpose == Purpose::Refund;
        self.sent_so(|listed| {
            let to = listed.address.as_deref().and_then(|text| normal_form(self.network, text));
            to.as_ref() == Some(&payout.to)
                && (is_refund || amount(listed.amount.get().trim_start_matches('-')) == Some(payout.amount))
        })
        .await
    }

    async fn sent_elsewhere(&self, _: &Payout) -> Result<SentBefore, Unsent> {
        self.sent_so(|_| true).await
    }

    /// Nothing where an Esplora server reports deposits: the node does not watch them.
    async fn holdings(&self, _: Option<&str>) -> Result<Vec<Holding>, Unsent> {
        match &self.deposits {
            Some(deposits) => self.held_with(deposits).await,
            None => Ok(Vec::new()),
        }
    }

    async fn health(&self) -> Vec<Check> {
        let subject = "payout wallet";
        vec![match self.open().await {
            Err(error) => Check::fault(subject, format!("wallet {}: {error}", self.name)),
            Ok(info) if info.private_keys_enabled == Some(false) => {
                Check::fault(subject, format!("wallet {} holds no private keys: it cannot pay", self.name))
            }
            Ok(info) if info.unlocked_until == Some(0) => Check::fault(
                subject,
                format!("wallet {} is locked: unlock it with walletpassphrase", self.name),
            ),
            Ok(_) => match self.wallet.call::<Value>("getbalance", json!([])).await {
                Ok(balance) => {
                    Check::good(subject, format!("wallet {} has {balance} {}", self.name, self.network))
                }
                Err(error) => Check::fault(subject, format!("wallet {}: {error}", self.name)),
            },
        }]
    }
}
