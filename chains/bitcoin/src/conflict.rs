//! Judges a payout whose coins the chain does not have any more.

use std::collections::BTreeSet;

use checkout_domain::chain::payout::Signed;
use checkout_domain::ports::broadcaster::Unsent;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::broadcaster::{ListedTransaction, NodeWallet};
use crate::depth::depth;
use crate::transaction::{Input, WalletTransaction};

/// Entries of the wallet among which the transaction that spent a coin is searched.
const NEWEST: usize = 1_000;

/// Questions for one judgement. At 100 ms each they take 40 seconds of the 60 after which the gateway gives up the call, and
/// would not hear that nothing is proven.
const MOST_QUESTIONS: usize = 400;

/// A coin that the chain does not have any more.
struct Spent {
    coin: Input,
    /// For how many blocks, where the wallet shows it.
    blocks: Option<u64>,
}

impl NodeWallet {
    /// Classifies a refusal for missing or spent inputs. It is final only if another transaction spent a coin, its own or one of an
    /// unconfirmed parent, so deep in the chain that it stays there; a missing parent may return.
    pub(crate) async fn judge_conflict(&self, signed: &Signed, hex: &str) -> Result<(), Unsent> {
        let known = self.find(&signed.transaction_id).await?.map(|known| known.confirmations);
        if known.is_some_and(|confirmations| confirmations > 0) {
            return Ok(());
        }
        let needed = self.lost_after;
        let mut inquiry = Inquiry::of(self);
        let mut spent = inquiry.spent_coins(known, hex).await?;
        if spent.iter().any(|spent| spent.blocks.is_none()) {
            inquiry.search(&mut spent, &signed.transaction_id).await?;
        }
        let Some(Spent { coin, blocks }) = spent.into_iter().max_by_key(|spent| spent.blocks) else {
            return Err(Unsent::later("its inputs are not available"));
        };
        let coin = format!("{}:{}", coin.txid.unwrap_or_default(), coin.vout);
        Err(match blocks {
            Some(blocks) if blocks >= needed => {
                Unsent::Refused(format!("another transaction spent the coin {coin}, which it needs"))
            }
            Some(blocks) => Unsent::later(format!(
                "its coins may return: another transaction has spent them for {blocks} of {needed} blocks"
            )),
            None => {
                Unsent::unproven(format!("the coin {coin} is spent, and the wallet does not show by what"))
            }
        })
    }

    /// Whether a transaction of the wallet that the memory pool dropped spends an output: it is sent again.
    pub(crate) async fn is_spent_by_a_dropped_one(&self, txid: &str) -> Result<bool, Unsent> {
        let best: String = self.node.call("getbestblockhash", json!([])).await?;
        let since: Since = self.wallet.call("listsinceblock", json!([best])).await?;
        let is_dropped =
            |listed: &ListedTransaction| listed.is_sent() && listed.confirmations == 0 && !listed.trusted;
        let dropped = since.transactions.into_iter().filter(is_dropped).filter_map(|listed| listed.txid);
        let mut inquiry = Inquiry::of(self);
        for id in dropped.collect::<BTreeSet<_>>() {
            let Some(dropped) = inquiry.find(&id).await? else { continue };
            if inquiry.inputs(&dropped.hex).await?.iter().any(|input| input.txid.as_deref() == Some(txid)) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// `listsinceblock`.
#[derive(Deserialize)]
struct Since {
    transactions: Vec<ListedTransaction>,
}

/// A bounded number of questions to the wallet.
struct Inquiry<'a> {
    wallet: &'a NodeWallet,
    left: usize,
}

impl<'a> Inquiry<'a> {
    fn of(wallet: &'a NodeWallet) -> Self {
        Self { wallet, left: MOST_QUESTIONS }
    }

    /// Coins of a transaction, and of those before it that are in no block either.
    async fn spent_coins(&mut self, known: Option<i64>, hex: &str) -> Result<Vec<Spent>, Unsent> {
        let (mut spent, mut before) = (Vec::new(), BTreeSet::new());
        let mut unconfirmed = vec![(known, self.inputs(hex).await?)];
        while let Some((known, coins)) = unconfirmed.pop() {
            // Negative: those of the conflict.
            let blocks = known.map(i64::unsigned_abs);
            for coin in coins {
                let Some(id) = &coin.txid else { continue };
                let parent = self.find(id).await?;
                if let Some(parent) = parent.as_ref().filter(|parent| parent.confirmations < 1) {
                    if before.insert(id.clone()) {
                        unconfirmed.push((Some(parent.confirmations), self.inputs(&parent.hex).await?));
                    }
                    continue;
                }
                // The wallet does not have the transaction that made a foreign coin. Its own count of the conflict's blocks is taken.
                let is_known = parent.is_some() || blocks.is_some_and(|blocks| blocks > 0);
                if is_known && self.is_gone(&coin).await? {
                    spent.push(Spent { coin, blocks });
                }
            }
        }
        Ok(spent)
    }

    /// Searches the transactions that spent these coins. A wallet that is being rescanned finds the payout itself, too.
    async fn search(&mut self, coins: &mut [Spent], payout: &str) -> Result<(), Unsent> {
        let mut asked = BTreeSet::from([payout.to_owned()]);
        self.count()?;
        let listed = self.wallet.listed(NEWEST).await?.into_iter().rev();
        let sent = listed.filter(|listed| listed.is_sent() && listed.confirmations > 0);
        for id in sent.filter_map(|listed| listed.txid).filter(|id| asked.insert(id.clone())) {
            let Some(sent) = self.find(&id).await? else { continue };
            for input in self.inputs(&sent.hex).await? {
                let is_by = |coin: &&mut Spent| coin.blocks.is_none() && coin.coin.is_same_coin(&input);
                let Some(coin) = coins.iter_mut().find(is_by) else { continue };
                let blocks = depth(&self.wallet.node, sent.confirmations, sent.blockhash.as_deref()).await?;
                coin.blocks = u64::try_from(blocks).ok();
            }
            if coins.iter().all(|coin| coin.blocks.is_some()) {
                break;
            }
        }
        Ok(())
    }

    async fn find(&mut self, id: &str) -> Result<Option<WalletTransaction>, Unsent> {
        self.count()?;
        Ok(self.wallet.find(id).await?)
    }

    async fn inputs(&mut self, hex: &str) -> Result<Vec<Input>, Unsent> {
        self.count()?;
        Ok(self.wallet.decode(hex).await?.vin)
    }

    /// Whether the chain does not have a coin, whatever the memory pool does with it.
    async fn is_gone(&mut self, coin: &Input) -> Result<bool, Unsent> {
        self.count()?;
        let unspent: Value = self.wallet.node.call("gettxout", json!([coin.txid, coin.vout, false])).await?;
        Ok(unspent.is_null())
    }

    fn count(&mut self) -> Result<(), Unsent> {
        let why = || format!("its inputs are not available, and {MOST_QUESTIONS} questions do not show why");
        self.left = self.left.checked_sub(1).ok_or_else(|| Unsent::unproven(why()))?;
        Ok(())
    }
}
