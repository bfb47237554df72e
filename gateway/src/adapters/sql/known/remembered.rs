//! By what was read from PostgreSQL before, and the revisions that it has now.

use std::collections::BTreeSet;
use std::sync::Arc;

use uuid::Uuid;

use super::Called;
use crate::adapters::sql::remembered::revisions::{self, Current, Subject};
use crate::adapters::sql::remembered::{Kept, Kind, Remembered};
use crate::adapters::sql::view::Token;
use crate::adapters::sql::{Database, Transaction};
use crate::domain::access::session::Session;
use crate::domain::access::token::{Caller, TokenHash};
use crate::domain::payment::Record;
use crate::ports::Stored;

impl Database {
    /// Whom a token speaks for, unless it ended by `now`; and a payment, asked for together with it. Without a caller
    /// there is none.
    pub(super) async fn remembered_caller(
        &self,
        memory: &Remembered,
        hash: &TokenHash,
        now: u64,
        payment: Option<Uuid>,
    ) -> Stored<(Option<Called>, Option<Arc<Record>>)> {
        let own = Token::kept(memory, hash).and_then(|kept| own_payment(kept.value.caller));
        let payments = payment.into_iter().chain(own);
        let asked: BTreeSet<Uuid> = payments.filter(|id| Arc::<Record>::kept(memory, id).is_some()).collect();
        let mut subjects = vec![Subject::Token(hash.clone())];
        subjects.extend(asked.iter().copied().map(Subject::Payment));
        let current = memory.questions.ask(self, subjects).await?;
        let record = async |id: Uuid| {
            if asked.contains(&id) {
                self.recall::<Arc<Record>>(memory, &id, &current).await
            } else {
                self.remembered::<Arc<Record>>(memory, &id).await
            }
        };
        let token: Option<Token> = self.recall(memory, hash, &current).await?;
        let Some(token) = token.filter(|token| token.ends_at.is_none_or(|end| end > now)) else {
            return Ok((None, None));
        };
        let (mut session, mut found) = (None, None);
        if let Some(own) = own_payment(token.caller) {
            let Some(own) = record(own).await? else { return Ok((None, None)) };
            let payment = &own.payment;
            session = Some(Session { window_end: payment.window_end(), settled_at: payment.settled_at });
            found = Some(own);
        }
        if found.as_ref().map(|found| found.payment.id) != payment {
            found = match payment {
                Some(id) => record(id).await?,
                None => None,
            };
        }
        Ok((Some((token.caller, session)), found))
    }

    /// Something as it is stored. What is not kept is read by itself: a payment of thousands of deposits, which never is, takes
    /// its time in no statement that others wait for.
    pub(super) async fn remembered<T: Kind>(&self, memory: &Remembered, key: &T::Key) -> Stored<Option<T>> {
        if T::kept(memory, key).is_none() {
            return self.read(memory, key).await;
        }
        let current = memory.questions.ask(self, vec![T::subject(key)]).await?;
        self.recall(memory, key, &current).await
    }

    /// Something as it was stored when its revision was asked for, or later.
    async fn recall<T: Kind>(
        &self,
        memory: &Remembered,
        key: &T::Key,
        current: &Current,
    ) -> Stored<Option<T>> {
        let subject = T::subject(key);
        let Some(revision) = current.of(&subject) else { return Ok(None) };
        let kept = T::kept(memory, key).filter(|kept| kept.revision == *revision);
        if let Some(kept) = kept {
            if cfg!(debug_assertions) {
                self.check(key, &kept).await;
            }
            return Ok(Some(kept.value));
        }
        self.read(memory, key).await
    }

    async fn read<T: Kind>(&self, memory: &Remembered, key: &T::Key) -> Stored<Option<T>> {
        let subject = T::subject(key);
        let (mut snapshot, current) = self.snapshot_of(&subject).await?;
        let Some(value) = T::load(&mut snapshot, key).await? else { return Ok(None) };
        if let Some(revision) = current.of(&subject) {
            T::keep(memory, key, Kept { value: value.clone(), revision: revision.clone() });
        }
        Ok(Some(value))
    }

    /// A state of all tables, and the revision that something has in it.
    async fn snapshot_of(&self, subject: &Subject) -> Stored<(Transaction, Current)> {
        let mut snapshot = self.readers.snapshot().await?;
        let current = revisions::read(&mut snapshot, &[subject.clone()].into()).await?;
        Ok((snapshot, current))
    }

    /// What is kept is what is stored in the same revision. A store that cannot be asked says nothing.
    async fn check<T: Kind>(&self, key: &T::Key, kept: &Kept<T>) {
        let subject = T::subject(key);
        let Ok((mut snapshot, current)) = self.snapshot_of(&subject).await else { return };
        if current.of(&subject) == Some(&kept.revision)
            && let Ok(stored) = T::load(&mut snapshot, key).await
        {
            assert_eq!(stored.as_ref(), Some(&kept.value), "{subject:?} is not as it is remembered");
        }
    }
}

fn own_payment(caller: Caller) -> Option<Uuid> {
    match caller {
        Caller::Session { payment } => Some(payment),
        Caller::Organisation | Caller::Business(_) => None,
    }
}
