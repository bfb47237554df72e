//! A suggested address with its tag.

use super::tags::{given, join_tags};
use crate::address::{Address, Options, Reason};
use crate::network::MemoType;
use crate::tag::Tag;

/// What a pasted text means.
pub(super) struct Recipient {
    pub(super) address: Address,
    /// Of the address or of the text around it.
    pub(super) tag: Option<Tag>,
}

impl Recipient {
    pub(super) fn of(address: Address) -> Self {
        let tag = join_tags(&address, None, &Options::STRICT).ok().flatten();
        Self { address, tag }
    }

    /// Adds the tag of the parameters. `memo_type` is their type, `None` if they name none.
    pub(super) fn with(
        address: Address,
        tag: &str,
        memo_type: Option<MemoType>,
        options: &Options,
    ) -> Result<Self, Reason> {
        let memo_type = match (memo_type, options.memo_type) {
            (Some(pasted), Some(asked)) if pasted != asked => return Err(Reason::TagInside),
            (pasted, asked) => pasted.or(asked),
        };
        match join_tags(&address, Some(tag), &Options { memo_type, ..*options }) {
            Ok(Some(tag)) => Ok(Self { address, tag: Some(tag) }),
            Ok(None) => Err(Reason::TagInside),
            Err(error) => Err(conflict(error.reason()).unwrap_or(Reason::TagInside)),
        }
    }

    /// One address for both. `None` if there is no such form.
    pub(super) fn into_address(self) -> Option<Address> {
        match self.tag {
            Some(tag) => self.address.account().with_tag(tag.number()?),
            None => Some(self.address),
        }
    }

    /// The tag together with the separate one. `None` as an error keeps the reason of the text.
    pub(super) fn joined(
        self,
        outer: Option<&str>,
        options: &Options,
    ) -> Result<Option<Tag>, Option<Reason>> {
        let outer = join_tags(&self.address, given(outer, options), options);
        match (self.tag, outer.map_err(|error| conflict(error.reason()))?) {
            (Some(Tag::Destination(tag)), Some(outer)) if outer != Tag::Destination(tag) => {
                Err(Some(Reason::ConflictingTag))
            }
            (Some(tag), Some(outer)) if outer != tag => Err(Some(Reason::ConflictingMemo)),
            (tag, outer) => Ok(tag.or(outer)),
        }
    }
}

fn conflict(reason: Reason) -> Option<Reason> {
    matches!(reason, Reason::ConflictingTag | Reason::ConflictingMemo).then_some(reason)
}
