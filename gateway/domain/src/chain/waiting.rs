//! How long a payout's transaction waits for a block until it is replaced by one with a higher fee.

/// Since when a transaction waits, and the time now, in UNIX seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    pub since: u64,
    pub now: u64,
}

impl Waiting {
    pub fn seconds(self) -> u64 {
        self.now.saturating_sub(self.since)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplaceAfter {
    Never,
    Seconds(u64),
    /// That many blocks were found meanwhile, by the times in them.
    Blocks(u64),
}

impl ReplaceAfter {
    /// From `replace_after_seconds` and `replace_after_blocks`; 0 is never. Errors are messages for users.
    pub fn read(seconds: Option<u64>, blocks: Option<u64>, usual: Self) -> Result<Self, &'static str> {
        match (seconds, blocks) {
            (None, None) => Ok(usual),
            (Some(0), None | Some(0)) | (None, Some(0)) => Ok(Self::Never),
            (Some(seconds), None | Some(0)) => Ok(Self::Seconds(seconds)),
            (None | Some(0), Some(blocks)) => Ok(Self::Blocks(blocks)),
            (Some(_), Some(_)) => Err("set either replace_after_seconds or replace_after_blocks"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings() {
        let check = |seconds, blocks, expected| {
            let read = ReplaceAfter::read(seconds, blocks, ReplaceAfter::Seconds(300));
            assert_eq!(read.map_err(|_| ()), expected, "{seconds:?} {blocks:?}");
        };
        check(None, None, Ok(ReplaceAfter::Seconds(300)));
        check(Some(60), None, Ok(ReplaceAfter::Seconds(60)));
        check(None, Some(6), Ok(ReplaceAfter::Blocks(6)));
        check(Some(0), None, Ok(ReplaceAfter::Never));
        check(None, Some(0), Ok(ReplaceAfter::Never));
        check(Some(0), Some(6), Ok(ReplaceAfter::Blocks(6)));
        check(Some(60), Some(0), Ok(ReplaceAfter::Seconds(60)));
        check(Some(60), Some(6), Err(()));
    }
}
