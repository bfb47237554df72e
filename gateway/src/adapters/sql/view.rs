//! What most requests ask for, kept in memory: tokens, payments and businesses as they are stored. What is kept is never older than the store.
//!
//! * Nothing but facts is kept. Whatever follows from the time is worked out for each request.
//! * SQLite names every row that a change writes ([`written`]). Before its commit, and again when that came back, what
//!   shows these rows is forgotten: in between nothing of it is known here, and who read it before either moment keeps
//!   nothing ([`Ticket`]).
//! * Another process that changes the same file moves its [`Mark`] before it commits. Under another mark nothing is known,
//!   until this process had the file's write lock, which says that the other's commit is over.
//!
//! "Not there" is never kept, so what is added touches nothing.

mod mark;
#[cfg(test)]
mod tests;
pub(super) mod written;

use std::collections::BTreeSet;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sqlx::sqlite::UpdateHookResult;
use uuid::Uuid;

use self::mark::Mark;
use self::written::Written;
use super::shelf::{BUSINESSES, DEPOSITS, RECORDS, Shelf, TOKENS};
use crate::domain::access::session::Session;
use crate::domain::access::token::{Caller, TokenHash};
use crate::domain::business::Business;
use crate::domain::payment::Record;
use crate::ports::{StoreError, Stored};

#[derive(Debug)]
pub(crate) struct View {
    mark: Mark,
    /// By the change in progress; there is one at most.
    written: Mutex<Written>,
    kept: Mutex<Kept>,
}

#[derive(Debug)]
struct Kept {
    /// The mark at which all that is kept is true.
    known: Option<u64>,
    /// Somebody is about to settle the mark.
    is_settling: bool,
    tokens: Shelf<TokenHash, Token>,
    tokens_gate: Gate,
    businesses: Shelf<Uuid, Arc<Business>>,
    businesses_gate: Gate,
    records: Shelf<Uuid, Arc<Record>>,
    /// By the last byte of the payment's id, which is random.
    record_gates: Vec<Gate>,
}

/// Whether what was read may be kept.
#[derive(Clone, Copy, Debug, Default)]
struct Gate {
    /// Counts the changes that began.
    moves: u64,
    /// Changes that are on their way. Nothing may be kept, whoever asked when.
    open: u32,
}

/// A token that is accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) caller: Caller,
    /// From when on it is refused.
    pub(super) ends_at: Option<u64>,
}

/// What a look gave.
#[derive(Debug)]
pub(super) enum Look<T> {
    Known(T),
    /// The store has to be asked; what it says may be kept with the ticket.
    Ask(Ticket),
}

/// Taken before the store is asked. It is worth nothing once a change came in between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ticket(Option<u64>);

/// What a change touches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Touched {
    pub(super) tokens: bool,
    pub(super) businesses: bool,
    pub(super) all_payments: bool,
    pub(super) payments: BTreeSet<Uuid>,
}

/// A change between its last statement and the end of its commit.
#[derive(Debug)]
pub(super) struct Change {
    view: Arc<View>,
    touched: Touched,
}

impl View {
    /// A view of the SQLite file `database`, which is there.
    pub(crate) fn open(database: &Path) -> io::Result<Self> {
        let kept = Kept {
            known: None,
            is_settling: false,
            tokens: Shelf::new(TOKENS),
            tokens_gate: Gate::default(),
            businesses: Shelf::new(BUSINESSES),
            businesses_gate: Gate::default(),
            records: Shelf::new(RECORDS),
            record_gates: vec![Gate::default(); 256],
        };
        Ok(Self { mark: Mark::open(database)?, written: Mutex::default(), kept: Mutex::new(kept) })
    }

    /// A token, unless it ended by `now`; and a payer's session, as the payment is.
    pub(super) fn token(&self, token: &TokenHash, now: u64) -> Look<(Caller, Option<Session>)> {
        let mut kept = self.kept();
        if !self.is_current(&kept) {
            return Look::Ask(Ticket(None));
        }
        let ticket = kept.tokens_gate.ticket();
        let Some(found) = kept.tokens.get(token) else { return Look::Ask(ticket) };
        if found.ends_at.is_some_and(|end| end <= now) {
            return Look::Ask(ticket);
        }
        let session = match found.caller {
            Caller::Session { payment } => {
                let Some(record) = kept.records.get(&payment) else { return Look::Ask(ticket) };
                let payment = &record.payment;
                Some(Session { window_end: payment.window_end(), settled_at: payment.settled_at })
            }
            Caller::Organisation | Caller::Business(_) => None,
        };
        Look::Known((found.caller, session))
    }

    pub(super) fn keep_token(&self, token: &TokenHash, found: Token, ticket: Ticket) {
        let mut kept = self.kept();
        if kept.tokens_gate.lets_in(ticket) {
            kept.tokens.put(token.clone(), found);
        }
    }

    pub(super) fn business(&self, id: Uuid) -> Look<Arc<Business>> {
        let mut kept = self.kept();
        if !self.is_current(&kept) {
            return Look::Ask(Ticket(None));
        }
        match kept.businesses.get(&id) {
            Some(business) => Look::Known(business),
            None => Look::Ask(kept.businesses_gate.ticket()),
        }
    }

    pub(super) fn keep_business(&self, business: &Arc<Business>, ticket: Ticket) {
        let mut kept = self.kept();
        if kept.businesses_gate.lets_in(ticket) {
            kept.businesses.put(business.id, Arc::clone(business));
        }
    }

    pub(super) fn record(&self, id: Uuid) -> Look<Arc<Record>> {
        let mut kept = self.kept();
        if !self.is_current(&kept) {
            return Look::Ask(Ticket(None));
        }
        match kept.records.get(&id) {
            Some(record) => Look::Known(record),
            None => Look::Ask(kept.record_gates[gate_of(id)].ticket()),
        }
    }

    pub(super) fn keep_record(&self, record: &Arc<Record>, ticket: Ticket) {
        let id = record.payment.id;
        let mut kept = self.kept();
        if record.deposits.len() <= DEPOSITS && kept.record_gates[gate_of(id)].lets_in(ticket) {
            kept.records.put(id, Arc::clone(record));
        }
    }

    /// Whether somebody has to [`settle`](Self::settle) the mark; said to one of all who ask, who then does, or says that
    /// it [could not](Self::not_settled).
    pub(super) fn has_to_settle(&self) -> bool {
        let mut kept = self.kept();
        let has_to = !kept.is_settling && !self.is_current(&kept);
        kept.is_settling |= has_to;
        has_to
    }

    /// Believes in the mark again. Only who has the file's write lock may say so: then no other process is in a commit.
    pub(super) fn settle(&self) -> io::Result<()> {
        let mut kept = self.kept();
        kept.is_settling = false;
        kept.follow(self.mark.read()?);
        Ok(())
    }

    pub(super) fn not_settled(&self) {
        self.kept().is_settling = false;
    }

    /// A row is written.
    pub(crate) fn note(&self, row: &UpdateHookResult<'_>) {
        self.written().note(row.table, &row.operation, row.rowid);
    }

    /// A change begins.
    pub(super) fn forget_written(&self) {
        *self.written() = Written::default();
    }

    /// Whether the change in progress wrote nothing of what may be known.
    pub(super) fn is_untouched(&self) -> bool {
        self.written().is_empty()
    }

    /// Says that a change which touches this is about to be committed. Only who has the file's write lock may say so.
    pub(super) fn begin(self: &Arc<Self>, touched: Touched) -> Stored<Change> {
        let failed = |error: io::Error| StoreError(error.into());
        let mut kept = self.kept();
        let mark = self.mark.read().map_err(failed)?;
        kept.follow(mark);
        // Until it is written: when that fails, nothing is believed.
        kept.known = None;
        let mark = mark.wrapping_add(1);
        self.mark.write(mark).map_err(failed)?;
        kept.known = Some(mark);
        kept.each_gate(&touched, Gate::begin);
        drop(kept);
        Ok(Change { view: Arc::clone(self), touched })
    }

    fn is_current(&self, kept: &Kept) -> bool {
        kept.known.is_some() && self.mark.read().ok() == kept.known
    }

    fn written(&self) -> MutexGuard<'_, Written> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Change {
    fn drop(&mut self) {
        self.view.kept().each_gate(&self.touched, Gate::end);
    }
}

impl Kept {
    /// Forgets everything unless all that is kept was true at this mark.
    fn follow(&mut self, mark: u64) {
        if self.known == Some(mark) {
            return;
        }
        self.known = Some(mark);
        self.tokens.clear();
        self.tokens_gate.moves += 1;
        self.businesses.clear();
        self.businesses_gate.moves += 1;
        self.records.clear();
        self.record_gates.iter_mut().for_each(|gate| gate.moves += 1);
    }

    /// Moves the gates of what is touched, and forgets it.
    fn each_gate(&mut self, touched: &Touched, step: fn(&mut Gate)) {
        if touched.tokens {
            self.tokens.clear();
            step(&mut self.tokens_gate);
        }
        if touched.businesses {
            self.businesses.clear();
            step(&mut self.businesses_gate);
        }
        if touched.all_payments {
            self.records.clear();
            self.record_gates.iter_mut().for_each(step);
            return;
        }
        for id in &touched.payments {
            self.records.remove(id);
            step(&mut self.record_gates[gate_of(*id)]);
        }
    }
}

impl Gate {
    fn ticket(self) -> Ticket {
        Ticket((self.open == 0).then_some(self.moves))
    }

    fn lets_in(self, ticket: Ticket) -> bool {
        ticket.0.is_some() && ticket == self.ticket()
    }

    fn begin(&mut self) {
        self.moves += 1;
        self.open += 1;
    }

    fn end(&mut self) {
        self.open -= 1;
    }
}

fn gate_of(payment: Uuid) -> usize {
    usize::from(payment.as_bytes()[15])
}
