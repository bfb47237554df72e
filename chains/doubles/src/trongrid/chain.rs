//! A small chain: accounts, tokens, blocks of which some are solidified, and transactions that wait.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::blob::{self, Action, Submitted};
use crate::Fault;
use crate::hostile::Hostile;

/// The first block of the main network, by which it is known, and the number of the newest block at the start.
pub const GENESIS: &str = "00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc";
pub const FIRST: u64 = 70_000_000;

/// USDT's contract on the main network.
pub const USDT: &str = "41a614f803b6fd780986a42c78ec9c7f77e6ded13c";
pub const USDC: &str = "413487b63d30b5b2c87fb7ffa8bcfade38eaac1abe";

/// Sun for a unit of energy, and for a byte.
pub const ENERGY_PRICE: u64 = 100;
pub const BYTE_PRICE: u64 = 1_000;

/// Energy of a transfer of a token.
pub const ENERGY: u64 = 65_000;

/// Milliseconds between blocks, and the time of the newest one at the start.
pub const INTERVAL: u64 = 3_000;
const START: u64 = 1_790_000_000_000;

#[derive(Clone, Debug, Default)]
pub struct Account {
    /// Sun.
    pub balance: u64,
    /// By contract.
    pub tokens: BTreeMap<String, u128>,
    /// Units that it has for nothing.
    pub energy: u64,
    pub is_contract: bool,
}

#[derive(Clone, Debug)]
pub struct Executed {
    pub id: String,
    pub json: Value,
    pub info: Value,
}

#[derive(Clone, Debug)]
pub struct Block {
    pub number: u64,
    pub id: String,
    pub parent: String,
    pub millis: u64,
    pub transactions: Vec<Executed>,
}

#[derive(Debug)]
pub struct Chain {
    pub genesis: String,
    pub blocks: Vec<Block>,
    /// Number of solidified `blocks`.
    pub solid: usize,
    pub accounts: BTreeMap<String, Account>,
    /// Tokens with their decimals.
    pub tokens: BTreeMap<String, u8>,
    /// Accounts that tokens refuse.
    pub blocked: BTreeSet<String>,
    /// Broadcast, in no block.
    pub pending: Vec<Submitted>,
    /// Made by hand, for the next block.
    next: Vec<Executed>,
    pub fault: Fault,
    pub hostile: Hostile,
    pub api_key: Option<String>,
    /// Broadcast transactions are lost.
    pub forgets: bool,
    /// Solidified blocks that servers which look transactions up do not have yet.
    pub behind: u64,
    pub requests: u64,
    /// Lists of blocks that are answered before a server that is behind answers, whose lists are empty.
    pub empty_after: Option<u32>,
    /// Blocks of another server behind the same URL, and how many are solidified there: the two answer in turns, at random.
    pub other: Option<(Vec<Block>, usize)>,
    /// A lite node: it closes the methods that need old blocks.
    pub is_lite: bool,
    made: u64,
}

impl Default for Chain {
    fn default() -> Self {
        let empty = |number| Block {
            number,
            id: block_id(number, "first"),
            parent: block_id(number - 1, "first"),
            millis: START - (FIRST - number) * INTERVAL,
            transactions: Vec::new(),
        };
        let blocks: Vec<Block> = (FIRST - 29..=FIRST).map(empty).collect();
        Self {
            genesis: GENESIS.to_owned(),
            solid: blocks.len(),
            blocks,
            accounts: BTreeMap::new(),
            tokens: BTreeMap::from([(USDT.to_owned(), 6), (USDC.to_owned(), 6)]),
            blocked: BTreeSet::new(),
            pending: Vec::new(),
            next: Vec::new(),
            fault: Fault::None,
            hostile: Hostile::default(),
            api_key: None,
            forgets: false,
            behind: 0,
            requests: 0,
            empty_after: None,
            other: None,
            is_lite: false,
            made: 0,
        }
    }
}

impl Chain {
    pub fn head(&self) -> &Block {
        self.blocks.last().expect("there is a first block")
    }

    pub fn solid_head(&self) -> &Block {
        &self.blocks[self.solid - 1]
    }

    /// The answer of one of the two servers.
    pub fn in_turn<T>(&mut self, answer: impl FnOnce(&mut Self) -> T) -> T {
        let is_other = Sha256::digest(self.requests.to_be_bytes())[0] % 2 == 0;
        let Some(other) = self.other.take_if(|_| is_other) else { return answer(self) };
        let own = (std::mem::replace(&mut self.blocks, other.0), std::mem::replace(&mut self.solid, other.1));
        let said = answer(self);
        self.other =
            Some((std::mem::replace(&mut self.blocks, own.0), std::mem::replace(&mut self.solid, own.1)));
        said
    }

    pub fn fund(&mut self, account: &str, sun: u64) {
        self.accounts.entry(account.to_owned()).or_default().balance += sun;
    }

    pub fn give(&mut self, account: &str, contract: &str, amount: u128) {
        let account = self.accounts.entry(account.to_owned()).or_default();
        *account.tokens.entry(contract.to_owned()).or_default() += amount;
    }

    pub fn token(&self, account: &str, contract: &str) -> u128 {
        let account = self.accounts.get(account);
        account.and_then(|account| account.tokens.get(contract)).copied().unwrap_or(0)
    }

    /// Puts a transaction with these logs and this result into the next block; nothing is checked.
    pub fn put(&mut self, logs: &[Value], result: &str) -> String {
        self.made += 1;
        let id = hex::encode(Sha256::digest(format!("made {}", self.made)));
        let mut info = json!({
            "id": id, "fee": 13_500_000, "contractResult": [""], "receipt": {"energy_usage_total": ENERGY, "result": result}
        });
        if !logs.is_empty() {
            info["log"] = logs.into();
        }
        if result != "SUCCESS" {
            info["result"] = "FAILED".into();
        }
        let contract: Vec<Value> = logs.first().map(call).into_iter().collect();
        let json = json!({"txID": id, "ret": [{"contractRet": result}], "raw_data": {"contract": contract}});
        self.next.push(Executed { id: id.clone(), json, info });
        id
    }

    /// A transfer of a token from elsewhere, which succeeds.
    pub fn pay(&mut self, contract: &str, to: &str, amount: u128) -> String {
        self.give(to, contract, amount);
        self.put(&[log(contract, "4128fb7be6c95a27217e0e0bff42ca50cd9461cc9f", to, amount)], "SUCCESS")
    }

    /// Makes the next block, with what waits.
    pub fn produce(&mut self) -> u64 {
        let (number, parent, millis) = (self.head().number + 1, self.head().id.clone(), self.head().millis);
        self.made += 1;
        let id = block_id(number, &format!("{parent} {}", self.made));
        let mut transactions = std::mem::take(&mut self.next);
        for submitted in std::mem::take(&mut self.pending) {
            if submitted.expiration > millis {
                transactions.push(self.execute(submitted));
            }
        }
        let millis = millis + INTERVAL;
        for transaction in &mut transactions {
            transaction.info["blockNumber"] = number.into();
            transaction.info["blockTimeStamp"] = millis.into();
        }
        self.blocks.push(Block { number, id, parent, millis, transactions });
        number
    }

    /// There is something for the next block.
    pub fn waits(&self) -> bool {
        !self.pending.is_empty() || !self.next.is_empty()
    }

    /// The next blocks that are not solidified are.
    pub fn solidify(&mut self, blocks: usize) {
        self.solid = (self.solid + blocks).min(self.blocks.len());
    }

    pub fn solidify_all(&mut self) {
        self.solid = self.blocks.len();
    }

    /// Makes a block that is solidified at once, with all before it.
    pub fn close(&mut self) -> u64 {
        let number = self.produce();
        self.solidify_all();
        number
    }

    /// The newest block is of this time.
    pub fn set_time(&mut self, millis: u64) {
        let newest = self.head().millis;
        for block in &mut self.blocks {
            block.millis = millis - (newest - block.millis);
        }
    }

    /// Time passes without a transaction.
    pub fn pass(&mut self, millis: u64) {
        for _ in 0..millis.div_ceil(INTERVAL) {
            self.close();
        }
    }

    /// The last blocks, which are not solidified, give way to one more empty one. Their transactions wait again, but for
    /// those that are named.
    pub fn reorganise(&mut self, depth: usize, lost: &[&str]) {
        let keep = self.blocks.len().saturating_sub(depth).max(self.solid);
        let dropped = self.blocks.split_off(keep);
        let waiting = std::mem::take(&mut self.next);
        for _ in 0..=dropped.len() {
            self.produce();
        }
        let orphans = dropped.into_iter().flat_map(|block| block.transactions);
        self.next = orphans.filter(|orphan| !lost.contains(&orphan.id.as_str())).chain(waiting).collect();
    }

    pub fn find(&self, id: &str, is_solid: bool) -> Option<&Executed> {
        let count = if is_solid {
            self.solid.saturating_sub(usize::try_from(self.behind).unwrap_or(0))
        } else {
            self.blocks.len()
        };
        self.blocks[..count].iter().flat_map(|block| &block.transactions).find(|executed| executed.id == id)
    }

    /// The code of the refusal, and its text.
    pub fn submit(&mut self, blob: &[u8]) -> Result<Submitted, (&'static str, &'static str)> {
        let Some(submitted) = blob::read(blob) else { return Err(("SIGERROR", "Validate signature error")) };
        if self.find(&submitted.id, false).is_some()
            || self.pending.iter().any(|known| known.id == submitted.id)
        {
            return Err(("DUP_TRANSACTION_ERROR", "Dup transaction."));
        }
        let referred = self
            .blocks
            .iter()
            .rev()
            .find(|block| block.number.to_be_bytes()[6..] == submitted.ref_block_bytes);
        if referred.is_none_or(|block| block.id[16..32] != hex::encode(&submitted.ref_block_hash)) {
            return Err(("TAPOS_ERROR", "Tapos check error."));
        }
        let now = self.head().millis;
        if submitted.expiration <= now || submitted.expiration > now + 86_400_000 {
            return Err(("TRANSACTION_EXPIRATION_ERROR", "Transaction expired"));
        }
        let balance = self.accounts.get(&submitted.owner).map(|account| account.balance);
        match (balance, &submitted.action) {
            (None, _) => {
                return Err(("CONTRACT_VALIDATE_ERROR", "Contract validate error : account does not exist"));
            }
            (Some(balance), Action::Transfer { amount })
                if balance < amount + submitted.bytes * BYTE_PRICE =>
            {
                return Err((
                    "CONTRACT_VALIDATE_ERROR",
                    "Contract validate error : balance is not sufficient.",
                ));
            }
            (Some(balance), Action::Call { .. }) if balance < submitted.bytes * BYTE_PRICE => {
                return Err(("BANDWITH_ERROR", "Account resource insufficient error."));
            }
            _ => {}
        }
        if !self.forgets {
            self.pending.push(submitted.clone());
        }
        Ok(submitted)
    }

    /// The result of a call of a token.
    pub fn outcome(&self, owner: &str, contract: &str, transfer: Option<&(String, u128)>) -> &'static str {
        match transfer {
            Some((to, amount))
                if self.tokens.contains_key(contract)
                    && !self.blocked.contains(to)
                    && self.token(owner, contract) >= *amount =>
            {
                "SUCCESS"
            }
            _ => "REVERT",
        }
    }

    fn execute(&mut self, submitted: Submitted) -> Executed {
        let Submitted { id, owner, to, action, fee_limit, bytes, mut json, .. } = submitted;
        let mut info = json!({"id": id, "contractResult": [""], "receipt": {"net_fee": bytes * BYTE_PRICE}});
        let mut fee = bytes * BYTE_PRICE;
        let mut result = "SUCCESS";
        match &action {
            Action::Transfer { amount } => {
                let funds = self.accounts.entry(owner.clone()).or_default();
                funds.balance = funds.balance.saturating_sub(*amount);
                self.fund(&to, *amount);
            }
            Action::Call { transfer } => {
                let funds = self.accounts.entry(owner.clone()).or_default();
                let own = funds.energy.min(ENERGY);
                funds.energy -= own;
                let burned = (ENERGY - own) * ENERGY_PRICE;
                let most = fee_limit.min(funds.balance.saturating_sub(fee));
                result = self.outcome(&owner, &to, transfer.as_ref());
                if burned > most {
                    result = "OUT_OF_ENERGY";
                }
                fee += burned.min(most);
                info["receipt"]["energy_usage_total"] = ENERGY.into();
                info["receipt"]["energy_fee"] = burned.min(most).into();
                info["receipt"]["result"] = result.into();
                info["contract_address"] = to.clone().into();
                if let (Some((recipient, amount)), "SUCCESS") = (transfer, result) {
                    let account = self.accounts.entry(owner.clone()).or_default();
                    *account.tokens.entry(to.clone()).or_default() -= amount;
                    self.give(recipient, &to, *amount);
                    info["log"] = json!([log(&to, &owner, recipient, *amount)]);
                } else {
                    info["result"] = "FAILED".into();
                }
            }
        }
        let funds = self.accounts.entry(owner).or_default();
        funds.balance = funds.balance.saturating_sub(fee);
        info["fee"] = fee.into();
        json["ret"] = json!([{"contractRet": result}]);
        Executed { id, json, info }
    }
}

/// The event of a token's transfer; accounts with their version.
pub fn log(contract: &str, from: &str, to: &str, amount: u128) -> Value {
    let word = |account: &str| format!("{:0>64}", &account[2..]);
    json!({
        "address": &contract[2..],
        "topics": ["ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef", word(from), word(to)],
        "data": format!("{amount:064x}")
    })
}

/// The call of a token that writes this log.
fn call(log: &Value) -> Value {
    let text = |pointer: &str| log.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
    let value = json!({
        "owner_address": format!("41{}", &text("/topics/1")[24..]),
        "contract_address": format!("41{}", text("/address")),
        "data": format!("a9059cbb{}{}", text("/topics/2"), text("/data"))
    });
    json!({"type": "TriggerSmartContract", "parameter": {"value": value, "type_url": "type.googleapis.com/protocol.TriggerSmartContract"}})
}

/// The number, and a hash.
fn block_id(number: u64, seed: &str) -> String {
    format!("{number:016x}{}", hex::encode(&Sha256::digest(seed)[8..]))
}
