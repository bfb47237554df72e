//! The rates that are believed, and those that are not.

use std::time::Instant;

use checkout_core::Decimal;
use checkout_domain::rates::agreement::Doubts;
use checkout_domain::rates::asset::Asset;
use checkout_domain::rates::bounds;
use checkout_domain::rates::new_level::NewLevel;

use super::held::Held;

#[derive(Default)]
pub(super) struct Known {
    pub(super) rates: Vec<Said>,
    /// Pairs whose last rate is out of bounds.
    pub(super) refused: Vec<RefusedRate>,
    pub(super) new_levels: u64,
    pub(super) fetched: Option<Instant>,
    pub(super) failures: u64,
    /// The last answer of each source.
    pub(super) held: Vec<Held>,
    pub(super) doubts: Doubts,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct RefusedRate {
    from: Asset,
    to: Asset,
    /// `None` beyond the limits of the currencies, where no level is accepted, and while sources contradict each other.
    level: Option<NewLevel>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Said {
    pub(super) from: Asset,
    pub(super) to: Asset,
    pub(super) rate: Decimal,
    /// It is not quoted afterwards.
    pub(super) until: Instant,
}

/// The result of the sources' answers.
#[derive(Debug, Default)]
pub(super) struct Combined {
    pub(super) pairs: Vec<Said>,
    /// Pairs on which the sources disagree.
    pub(super) disputed: Vec<(Asset, Asset)>,
}

impl Known {
    pub(super) fn take(&mut self, Combined { pairs, disputed }: Combined, at: Instant) {
        let before = std::mem::take(&mut self.refused);
        let mut believed = Vec::new();
        for said in pairs {
            let Said { from, to, rate, .. } = said;
            let refused = before.iter().find(|refused| (refused.from, refused.to) == (from, to));
            match self.judge(from, to, rate, refused.and_then(|refused| refused.level), at) {
                Ok(()) => believed.push(said),
                Err(level) => self.refused.push(RefusedRate { from, to, level }),
            }
        }
        for (from, to) in disputed {
            let (from_code, to_code) = (from.code(), to.code());
            tracing::error!(
                from = from_code,
                to = to_code,
                "the rate sources contradict each other: the pair is not quoted"
            );
            self.refused.push(RefusedRate { from, to, level: None });
        }
        // Rates missing from the answer keep their age.
        self.rates.retain(|old| !believed.iter().any(|new| (new.from, new.to) == (old.from, old.to)));
        self.rates.extend(believed);
    }

    /// Whether a rate is believed; otherwise what may become its new level.
    fn judge(
        &mut self,
        from: Asset,
        to: Asset,
        rate: Decimal,
        level: Option<NewLevel>,
        at: Instant,
    ) -> Result<(), Option<NewLevel>> {
        let (from_code, to_code) = (from.code(), to.code());
        if !bounds::is_sane(from, to, rate) {
            tracing::error!(from = from_code, to = to_code, %rate, "a rate is out of bounds and is not quoted");
            return Err(None);
        }
        let last = self.rates.iter().find(|said| (said.from, said.to) == (from, to));
        let Some(last) = last.filter(|last| bounds::jumps(last.rate, rate)).map(|last| last.rate) else {
            return Ok(());
        };
        let level = level.map_or_else(|| NewLevel::start(rate, at), |level| level.follow(rate, at));
        if !level.is_accepted(at) {
            tracing::error!(
                from = from_code, to = to_code, %rate, %last,
                "a rate jumped and is not quoted; it is accepted when it stays for ten minutes"
            );
            return Err(Some(level));
        }
        self.new_levels += 1;
        tracing::warn!(
            from = from_code, to = to_code, %rate, %last, "a rate that jumped has stayed and is quoted again"
        );
        Ok(())
    }

    pub(super) fn refuses(&self, from: Asset, to: Asset) -> bool {
        self.refused.iter().any(|refused| [(from, to), (to, from)].contains(&(refused.from, refused.to)))
    }
}

/// The feed's rate of the pair, in either direction, unless it is stale.
pub(super) fn quoted(rates: &[Said], from: Asset, to: Asset) -> Option<Decimal> {
    let find = |from, to| {
        let fresh = |rate: &&Said| (rate.from, rate.to) == (from, to) && Instant::now() <= rate.until;
        rates.iter().find(fresh).map(|rate| rate.rate)
    };
    find(from, to).or_else(|| Decimal::ONE.checked_div(find(to, from)?))
}
