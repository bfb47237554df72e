//! The effects of a transaction as far as they are transfers of tokens. An odd field concerns only what is read from it.

use std::collections::BTreeMap;

use alloy_primitives::{Address, B256, U256, hex};
use checkout_chain_http::Fields;
use checkout_core::{Amount, Currency, Network, Pair};
use checkout_domain::chain::{OutputId, OutputState, Transfer};
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use crate::account;
use crate::account::trx;
use crate::answers::{Block, DONE, SUCCESS};
use crate::calls::CalledTransfer;
use crate::cursor::transaction_id;
use crate::tokens::TRANSFER;

/// A transfer, or a log of which it cannot be said.
#[derive(Debug)]
pub(crate) struct Candidate {
    /// Such as `log 7`; empty for the whole transaction.
    pub(crate) part: String,
    /// `None` if it is not known.
    pub(crate) to: Option<String>,
    /// `None` if it is not known.
    pub(crate) currency: Option<Currency>,
    pub(crate) read: Result<Transfer, String>,
}

const LOG: &str = "log ";

/// The part of a transaction whose logs are missing.
pub(crate) const NO_LOG: &str = "logs";

/// `contractResult` of java-tron's `core/Tron.proto`, without `DEFAULT` and `SUCCESS`.
const FAILURES: [&str; 14] = [
    "REVERT",
    "BAD_JUMP_DESTINATION",
    "OUT_OF_MEMORY",
    "PRECOMPILED_CONTRACT",
    "STACK_TOO_SMALL",
    "STACK_TOO_LARGE",
    "ILLEGAL_OPERATION",
    "STACK_OVERFLOW",
    "OUT_OF_ENERGY",
    "OUT_OF_TIME",
    "JVM_STACK_OVER_FLOW",
    "UNKNOWN",
    "TRANSFER_FAILED",
    "INVALID_CODE",
];

const FAILED: &str = "FAILED";

pub(crate) fn part(index: u32) -> String {
    format!("{LOG}{index}")
}

pub(crate) type Tokens = BTreeMap<Address, &'static Pair>;

pub(crate) struct Effects(Fields);

impl Effects {
    pub(crate) fn of(raw: &RawValue) -> Result<Self, String> {
        Fields::of(raw).map(Self)
    }

    pub(crate) fn id(&self) -> Option<B256> {
        self.0.need("id").ok()
    }

    pub(crate) fn block_number(&self) -> Option<u64> {
        self.0.need("blockNumber").ok()
    }

    /// Whether they are of this block: forks have blocks with the same number, of another time.
    pub(crate) fn is_of(&self, block: &Block) -> bool {
        let time = self.0.need::<u64>("blockTimeStamp").ok().filter(|_| block.millis() > 0);
        self.block_number() == Some(block.number()) && time.is_none_or(|time| time == block.millis())
    }

    /// Whether a contract ran to its end. Fails if that is not known.
    pub(crate) fn has_succeeded(&self) -> Result<bool, String> {
        let receipt = if matches!(self.0.get::<Box<RawValue>>("receipt"), Ok(None)) {
            Ok(Fields::default())
        } else {
            self.0.object("receipt")
        };
        let outcome = receipt.and_then(|receipt| receipt.get::<String>("result"));
        let result = self.0.get::<String>("result");
        match (result, outcome) {
            (_, Ok(Some(said))) if FAILURES.contains(&said.as_str()) => Ok(false),
            (Ok(Some(said)), Ok(None)) if said == FAILED => Ok(false),
            (Err(why), _) | (_, Err(why)) => Err(why),
            (Ok(Some(said)), _) if said != DONE => Err(format!("its result is {said:?}")),
            (_, Ok(Some(said))) if said == SUCCESS => Ok(true),
            (_, Ok(Some(said))) => Err(format!("its receipt has the result {said:?}")),
            (_, Ok(None)) => Err("its receipt has no result".to_owned()),
        }
    }

    /// Whether it lacks a log that it had.
    pub(crate) fn lacks(&self, part: &str) -> bool {
        let logs = self.0.get::<Vec<IgnoredAny>>("log").map_or(0, |logs| logs.map_or(0, |logs| logs.len()));
        let number = part.strip_prefix(LOG).and_then(|number| number.parse::<usize>().ok());
        number.is_some_and(|number| number >= logs) && self.has_succeeded() != Ok(false)
    }

    /// Only contracts of the list, and only what succeeded: any contract can write the same log.
    pub(crate) fn candidates(&self, tokens: &Tokens) -> Vec<Candidate> {
        let has_succeeded = match self.has_succeeded() {
            Ok(false) => return Vec::new(),
            known => known.map(drop),
        };
        let logs: Vec<Box<RawValue>> = match self.0.get("log") {
            Ok(logs) => logs.unwrap_or_default(),
            Err(why) => {
                return vec![Candidate { part: String::new(), to: None, currency: None, read: Err(why) }];
            }
        };
        let of_log = |(index, log): (u32, &RawValue)| {
            let candidate = self.candidate(index, log, tokens)?;
            let read = has_succeeded.clone().and(candidate.read);
            Some(Candidate { read, ..candidate })
        };
        (0..).zip(logs.iter().map(AsRef::as_ref)).filter_map(of_log).collect()
    }

    /// That a transfer which succeeded has no log.
    pub(crate) fn without_log(&self, call: &CalledTransfer, tokens: &Tokens) -> Option<Candidate> {
        let has_no_logs =
            self.0.get::<Vec<IgnoredAny>>("log").is_ok_and(|logs| logs.is_none_or(|logs| logs.is_empty()));
        let is_odd = has_no_logs && self.has_succeeded() == Ok(true) && tokens.contains_key(&call.contract);
        let (part, to) = (NO_LOG.to_owned(), Some(account::to_text(call.to)));
        let why = "it called a token to transfer, succeeded, and has no log".to_owned();
        is_odd.then_some(Candidate { part, to, currency: None, read: Err(why) })
    }

    /// `None` for a log that transfers nothing of ours, whatever else is odd in it.
    fn candidate(&self, index: u32, log: &RawValue, tokens: &Tokens) -> Option<Candidate> {
        let part = part(index);
        let log = match Fields::of(log) {
            Ok(log) => log,
            Err(why) => return Some(Candidate { part, to: None, currency: None, read: Err(why) }),
        };
        let contract = log
            .need::<String>("address")
            .and_then(|text| account::read_any(&text).ok_or_else(|| "its address cannot be read".to_owned()));
        let pair = match contract.map(|contract| tokens.get(&contract).copied()) {
            Ok(None) => return None,
            Ok(Some(pair)) => Ok(pair),
            Err(why) => Err(why),
        };
        let currency = pair.as_ref().ok().map(|pair| pair.currency);
        let topics: Vec<Option<B256>> = match log.get::<Vec<Box<RawValue>>>("topics") {
            Ok(topics) => {
                let topics = topics.unwrap_or_default();
                topics.iter().map(|raw| serde_json::from_str(raw.get()).ok()).collect()
            }
            Err(why) => return Some(Candidate { part, to: None, currency, read: Err(why) }),
        };
        if topics.first().is_some_and(|first| first.is_some_and(|first| first != TRANSFER)) {
            return None;
        }
        let to = topics.get(2).copied().flatten().map(|to| account::to_text(Address::from_word(to)));
        let read = pair.and_then(|pair| self.transfer(index, &log, pair, &topics));
        match read {
            Ok(transfer) if transfer.amount.is_zero() => None,
            read => Some(Candidate { part, to, currency, read }),
        }
    }

    fn transfer(
        &self,
        index: u32,
        log: &Fields,
        pair: &Pair,
        topics: &[Option<B256>],
    ) -> Result<Transfer, String> {
        let [Some(TRANSFER), Some(from), Some(to)] = *topics else {
            return Err(format!("it is a transfer with {} topics, or they cannot be read", topics.len()));
        };
        let data = hex::decode(log.need::<String>("data")?).ok();
        let word = data.and_then(|data| <[u8; 32]>::try_from(data).ok()).ok_or("its data are no number")?;
        let atoms = u128::try_from(U256::from_be_bytes(word)).ok();
        let amount =
            atoms.and_then(|atoms| Amount::from_atoms(atoms).ok()).ok_or("it is larger than any amount")?;
        Ok(Transfer {
            output: OutputId {
                network: Network::Trx,
                transaction: transaction_id(self.id().ok_or("it has no id")?),
                index,
            },
            currency: pair.currency,
            amount,
            to: account::to_text(Address::from_word(to)),
            tag: None,
            from: account::to_text(Address::from_word(from)),
            from_tag: None,
            other_senders: Vec::new(),
            fee: trx(self.0.get("fee")?.unwrap_or_default()),
            seen_at: self.0.need::<u64>("blockTimeStamp")? / 1000,
            state: OutputState::Unconfirmed,
            uncertain: false,
        })
    }
}
