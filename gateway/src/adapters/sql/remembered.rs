//! What most requests ask for, kept in memory beside PostgreSQL, where other processes change the same rows: tokens,
//! payments and businesses, each with the revision of the rows it was read from.
//!
//! Nothing of it is believed. For each request the database says which revisions are current ([`revisions`]), in one
//! statement for all requests of the moment, and what has another one by now is read again. So an answer from memory is
//! as new as one from the database.

mod kinds;
pub(super) mod revisions;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use uuid::Uuid;

use self::revisions::{Questions, Revision, Subject};
use super::Transaction;
use super::shelf::{BUSINESSES, RECORDS, Shelf, TOKENS};
use super::view::Token;
use crate::domain::access::token::TokenHash;
use crate::domain::business::Business;
use crate::domain::payment::Record;
use crate::ports::Stored;

#[derive(Debug)]
pub(crate) struct Remembered {
    pub(super) questions: Questions,
    shelves: Mutex<Shelves>,
}

#[derive(Debug)]
struct Shelves {
    tokens: Shelf<TokenHash, Kept<Token>>,
    businesses: Shelf<Uuid, Kept<Arc<Business>>>,
    records: Shelf<Uuid, Kept<Arc<Record>>>,
}

/// Something as it was in a revision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Kept<T> {
    pub(super) value: T,
    pub(super) revision: Revision,
}

/// What is kept.
pub(super) trait Kind: Clone + PartialEq + fmt::Debug + Send {
    type Key: Sync;

    fn subject(key: &Self::Key) -> Subject;

    fn kept(memory: &Remembered, key: &Self::Key) -> Option<Kept<Self>>;

    fn keep(memory: &Remembered, key: &Self::Key, kept: Kept<Self>);

    /// As it is stored, in the state that its revision is read from.
    fn load(snapshot: &mut Transaction, key: &Self::Key)
    -> impl Future<Output = Stored<Option<Self>>> + Send;
}

impl Remembered {
    fn shelves(&self) -> MutexGuard<'_, Shelves> {
        self.shelves.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for Remembered {
    fn default() -> Self {
        let shelves = Shelves {
            tokens: Shelf::new(TOKENS),
            businesses: Shelf::new(BUSINESSES),
            records: Shelf::new(RECORDS),
        };
        Self { questions: Questions::default(), shelves: Mutex::new(shelves) }
    }
}
