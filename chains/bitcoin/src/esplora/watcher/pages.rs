//! The transactions of an address, page by page. How long a page is, is the server's choice.

use std::collections::BTreeSet;

use checkout_chain_http::fields::is_hash;
use checkout_chain_http::{Fields, NodeError};
use serde_json::value::RawValue;

use super::super::answers::IndexedTransaction;
use super::super::api::Api;

/// Pages of an address.
const MOST_PAGES: usize = 10_000;

/// An id, and its transaction or why it cannot be read.
pub(super) type ListedTransaction = (String, Result<IndexedTransaction, String>);

/// What was read before an error is told, too.
#[derive(Default)]
pub(super) struct AddressHistory {
    pub(super) transactions: Vec<ListedTransaction>,
    /// Entries without a readable id.
    pub(super) nameless: Vec<String>,
    pub(super) problem: Option<NodeError>,
    seen: BTreeSet<String>,
    /// Entries in a block, and the heights of the first one and the last one that say it.
    in_block: usize,
    heights: Option<(u64, u64)>,
}

/// The ends of a page: the last entries that wait, and that are in a block.
#[derive(Default)]
struct Ends {
    has_new: bool,
    last_waiting: Option<String>,
    last_in_block: Option<String>,
}

impl AddressHistory {
    fn take(&mut self, page: &[Box<RawValue>]) -> Ends {
        let mut ends = Ends::default();
        for raw in page {
            let fields = Fields::of(raw);
            let id = fields.as_ref().ok().and_then(|fields| fields.need::<String>("txid").ok());
            let id = id.filter(|id| is_hash(id)).map(|id| id.to_ascii_lowercase());
            let Some(id) = id else {
                // Two pages can have it, because none goes on after it.
                if self.seen.insert(raw.get().to_owned()) {
                    self.nameless.push(fields.err().unwrap_or_else(|| "it has no readable txid".to_owned()));
                }
                continue;
            };
            let status = fields.and_then(|fields| fields.object("status"));
            let is_waiting = status.as_ref().is_ok_and(|status| status.need("confirmed") == Ok(false));
            let height = status.and_then(|status| status.need::<u64>("block_height")).ok();
            *(if is_waiting { &mut ends.last_waiting } else { &mut ends.last_in_block }) = Some(id.clone());
            if !is_waiting {
                self.in_block += 1;
                let first = self.heights.map(|(first, _)| first);
                self.heights = height.map(|height| (first.unwrap_or(height), height)).or(self.heights);
            }
            if self.seen.insert(id.clone()) {
                ends.has_new = true;
                let read =
                    serde_json::from_str(raw.get()).map_err(|error: serde_json::Error| error.to_string());
                self.transactions.push((id, read));
            }
        }
        ends
    }

    /// Whether what follows is older, as far as can be seen. Some servers begin with the oldest.
    fn begins_with_newest(&self) -> bool {
        self.in_block < 2 || self.heights.is_some_and(|(first, last)| first > last)
    }
}

/// Back to the first one that is known. `is_known` and `is_final`: of an id, whether it was read before, and will not change.
pub(super) async fn of_address(
    api: &Api,
    address: &str,
    is_known: impl Fn(&str) -> bool,
    is_final: impl Fn(&str) -> bool,
) -> AddressHistory {
    let mut listed = AddressHistory::default();
    let read = read(api, address, &mut listed, is_known, is_final).await;
    listed.problem = read.err();
    listed
}

async fn read(
    api: &Api,
    address: &str,
    listed: &mut AddressHistory,
    is_known: impl Fn(&str) -> bool,
    is_final: impl Fn(&str) -> bool,
) -> Result<(), NodeError> {
    let path = format!("/address/{address}/txs");
    let mut page = listed.take(&api.list(&path, None).await?);
    // A page can be full of those that wait.
    while let (None, Some(last)) = (&page.last_in_block, page.last_waiting.as_deref()) {
        if is_known(last) {
            break;
        }
        page = listed.take(&api.list(&path, Some(last)).await?);
        if !page.has_new {
            // Blockstream's servers give the first page again.
            page = listed.take(&api.list(&format!("{path}/chain"), None).await?);
            break;
        }
    }
    for _ in 0..MOST_PAGES {
        let Some(last) = page.last_in_block else { return Ok(()) };
        if is_final(&last) && listed.begins_with_newest() {
            return Ok(());
        }
        page = listed.take(&api.list(&format!("{path}/chain/{last}"), None).await?);
        if !page.has_new && page.last_in_block.is_some() {
            return Err(NodeError::malformed(&path, format!("the list does not go on after {last}")));
        }
    }
    Err(NodeError::malformed(&path, "the list does not end"))
}
