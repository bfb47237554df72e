//! The transactions of an address, one by one: an odd one is set aside, and concerns no other.
//!
//! A transaction can pay several addresses, and be odd for one of them only. So it is set aside under its id and the address whose list has
//! it.

use checkout_chain_http::NodeError;
use checkout_chain_http::fields::is_hash;
use checkout_domain::chain::Transfer;
use checkout_domain::chain::set_aside::SetAside;
use checkout_domain::ports::chain::ChainError;

use super::super::answers::IndexedTransaction;
use super::super::api;
use super::super::schedule::Schedule;
use super::super::sighting::Sighting;
use super::pages::ListedTransaction;
use super::{EsploraChain, Look};
use crate::cursor::Cursor;

/// In the cursor, of an entry that is set aside.
pub(super) fn name(id: &str, address: &str) -> String {
    format!("{id}:{address}")
}

/// Whether an error concerns one object, so that others can be asked for.
fn is_about_object(error: &ChainError) -> bool {
    error.0.downcast_ref::<NodeError>().is_some_and(api::is_about_object)
}

/// Whether nothing more is to be found in a transaction for an address.
fn is_read(cursor: &Cursor<Sighting>, schedule: &Schedule, id: &str, address: &str) -> bool {
    schedule.is_settled(id, address) || cursor.seen.get(id).is_some_and(|known| known.pays(address))
}

impl EsploraChain {
    /// Brings transactions of the server into the cursor, as many as it can tell about. Returns an error of the server.
    pub(super) async fn take(
        &self,
        cursor: &mut Cursor<Sighting>,
        schedule: &mut Schedule,
        look: &mut Look,
        (address, transactions): (&str, Vec<ListedTransaction>),
    ) -> Option<ChainError> {
        let mut problem = None;
        for (id, listed) in transactions {
            // One in a block needs no more answers.
            let waits = listed.as_ref().map_or(true, |transaction| !transaction.status.confirmed);
            let is_found = look.found.contains(&id) && is_read(cursor, schedule, &id, address);
            if is_found || (problem.is_some() && waits) {
                continue;
            }
            let listed = listed.and_then(|transaction| self.of_address(address, transaction));
            if let Err(error) = self.take_one(cursor, schedule, look, (address, &id), listed).await {
                problem = problem.or(Some(error));
            }
        }
        problem
    }

    /// A transaction in the list of an address that says nothing of the address is odd.
    fn of_address(
        &self,
        address: &str,
        transaction: IndexedTransaction,
    ) -> Result<IndexedTransaction, String> {
        let is_of = transaction.mentions(self.network, address);
        if is_of { Ok(transaction) } else { Err(format!("it does not name {address}")) }
    }

    /// An entry that is odd in the list can be right where it is asked for alone.
    async fn take_one(
        &self,
        cursor: &mut Cursor<Sighting>,
        schedule: &mut Schedule,
        look: &mut Look,
        (address, id): (&str, &str),
        listed: Result<IndexedTransaction, String>,
    ) -> Result<(), ChainError> {
        let at = (look.tip, look.stands);
        let first = match listed {
            Ok(transaction) => self.update(cursor, schedule, (id, Some(address)), &transaction, at).await,
            Err(why) => Err(NodeError::malformed(&format!("/tx/{id}"), why).into()),
        };
        let is_odd = first.as_ref().is_err_and(is_about_object);
        if is_odd && is_read(cursor, schedule, id, address) {
            // What is known is asked for when it is due.
            return Ok(());
        }
        let name = name(id, address);
        let is_due = look.is_new_tip || !cursor.unread.contains(&name);
        let answer = if is_odd && is_due {
            self.alone(cursor, schedule, look, (id, address)).await.unwrap_or(first)
        } else {
            first
        };
        look.tried.insert(name.clone());
        self.note(cursor, look, (id, &name), answer)
    }

    /// What a transaction is that is asked for by its id. `None` if that says no more of the address than the list.
    async fn alone(
        &self,
        cursor: &mut Cursor<Sighting>,
        schedule: &mut Schedule,
        look: &Look,
        (id, address): (&str, &str),
    ) -> Option<Result<Vec<Transfer>, ChainError>> {
        match self.api.find::<IndexedTransaction>(&format!("/tx/{id}")).await {
            Ok(Some(transaction)) => {
                let transaction = self.of_address(address, transaction).ok()?;
                let at = (look.tip, look.stands);
                Some(self.update(cursor, schedule, (id, Some(address)), &transaction, at).await)
            }
            Err(error) if error.is_limit() => Some(Err(error.into())),
            _ => None,
        }
    }

    /// Asks for transactions of the cursor that were not found, until the server does not answer.
    pub(super) async fn ask_again(
        &self,
        cursor: &mut Cursor<Sighting>,
        schedule: &mut Schedule,
        look: &mut Look,
        is_due: impl Fn(&Sighting) -> bool,
    ) {
        let is_unread = |id: &String| cursor.unread.contains(id);
        let due = cursor.seen.iter().filter(|(id, _)| !look.found.contains(*id));
        let due = due.filter(|(id, sighting)| is_due(sighting) || is_unread(id));
        let due: Vec<String> = due.map(|(id, _)| id.clone()).collect();
        for id in due {
            if look.problem.is_some() {
                return;
            }
            let answer = match self.api.find::<IndexedTransaction>(&format!("/tx/{id}")).await {
                Ok(Some(transaction)) => {
                    self.update(cursor, schedule, (&id, None), &transaction, (look.tip, look.stands)).await
                }
                Ok(None) => self.lose(cursor, &id, look.stands).await,
                Err(error) => Err(error.into()),
            };
            if let Err(error) = self.note(cursor, look, (&id, &id), answer) {
                look.problem.get_or_insert(error);
            }
        }
    }

    /// Asks for entries that are set aside and that no list had: it can be longer than what is read of it.
    pub(super) async fn ask_for_odd(
        &self,
        cursor: &mut Cursor<Sighting>,
        schedule: &mut Schedule,
        look: &mut Look,
    ) {
        let due: Vec<String> = cursor.unread.difference(&look.tried).cloned().collect();
        for name in due {
            let Some((id, address)) = name.split_once(':').filter(|(id, _)| is_hash(id)) else { continue };
            if look.problem.is_some() {
                return;
            }
            let Some(answer) = self.alone(cursor, schedule, look, (id, address)).await else { continue };
            if let Err(error) = self.note(cursor, look, (id, &name), answer) {
                look.problem.get_or_insert(error);
            }
        }
    }

    /// What was found of a transaction. An error of it alone concerns no other.
    fn note(
        &self,
        cursor: &mut Cursor<Sighting>,
        look: &mut Look,
        (id, name): (&str, &str),
        answer: Result<Vec<Transfer>, ChainError>,
    ) -> Result<(), ChainError> {
        match answer {
            Ok(transfers) => {
                cursor.unread.remove(name);
                cursor.unread.remove(id);
                let rest = cursor.unread.iter().find_map(|other| other.strip_prefix(id)?.strip_prefix(':'));
                if let Some(address) = rest.filter(|_| !transfers.is_empty()) {
                    // Its transfers take it off the list.
                    let why = format!("its output to {address} cannot be read");
                    look.set_aside.push(self.set_aside(id, look.tip, why));
                }
                look.transfers.extend(transfers);
                look.found.insert(id.to_owned());
                Ok(())
            }
            Err(error) if is_about_object(&error) => {
                if cursor.unread.insert(name.to_owned()) {
                    look.set_aside.push(self.set_aside(id, look.tip, error.0.to_string()));
                }
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    /// Sets an entry without an id aside, once. It is read again whenever it is listed.
    pub(super) fn leave(&self, cursor: &mut Cursor<Sighting>, look: &mut Look, name: &str, why: String) {
        if cursor.unread.insert(name.to_owned()) {
            look.set_aside.push(self.set_aside(name, look.tip, why));
        }
    }

    fn set_aside(&self, name: &str, height: u64, why: String) -> SetAside {
        let (transaction, part, block) = (name.to_owned(), String::new(), String::new());
        SetAside { network: self.network, transaction, part, height, block, why }
    }
}
