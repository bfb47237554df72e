//! What a test means that failed although it did not fail before. A test about money is never forgiven; one that waits for other
//! programs is repeated alone, and reported as unsteady when it passes; every other one is red.

mod kinds;
mod record;

use std::fs;

use crate::counts::{Counts, Ended};
use crate::failure::{CANARY, CANARY_STEP, Failure};
use crate::files;
use crate::step::Context;
use crate::suite::Suite;
use crate::{Outcome, changes};
use kinds::Kind;
pub(crate) use record::LIST;
use record::Record;

/// More unsteady tests than this make a run red.
const FORGIVEN: usize = 3;

/// If more tests of a step fail, they have one cause, and are not repeated.
const REPEATED: usize = 10;

/// The result of the repeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Unsteady,
    Red,
}

impl Failure {
    /// Repeats the test as its kind demands; `run` returns the output of a run that failed.
    fn verdict(&self, run: impl Fn() -> Outcome<()>) -> Verdict {
        let kind = Kind::of(self);
        let (times, needed) = match kind {
            Kind::Waiting => (3, Some(2)),
            Kind::Money => (10, None),
            Kind::Other => return Verdict::Red,
        };
        let passed = (0..times).filter(|_| run().is_ok()).count();
        println!("{}: {passed} of {times} repeats passed ({kind:?})", self.name());
        if needed.is_some_and(|needed| passed >= needed) { Verdict::Unsteady } else { Verdict::Red }
    }
}

/// Repeats the tests that failed. A step whose failed tests are all unsteady becomes green, unless there are too many of
/// them, a file of theirs changed, or one is unsteady again and no dated line of `tests/unsteady.txt` allows it.
pub(crate) fn judge(context: &Context<'_>, ended: &mut Vec<Ended>) -> Outcome<()> {
    let has_canary = ended.iter().any(|step| step.name == CANARY_STEP);
    if ended.iter().all(|step| step.counts.failures.is_empty()) && !has_canary {
        return Record::read(context.workspace).add(&[]);
    }
    let mut unsteady = Vec::new();
    for step in ended.iter_mut().filter(|step| !step.counts.failures.is_empty()) {
        unsteady.extend(repeat(context, step)?);
    }
    let reported = unsteady.iter().any(|failure: &Failure| failure.test == CANARY);
    if has_canary && !reported {
        fail(ended, CANARY_STEP, "The canary failed once, and was not reported as unsteady.");
    }
    unsteady.retain(|failure| failure.test != CANARY);
    let record = Record::read(context.workspace);
    let changed = changes::files(context.workspace)?;
    for sentence in record.objections(&unsteady, &changed, FORGIVEN) {
        let counts = Counts { repeat: unsteady.iter().map(Failure::command).collect(), ..Counts::default() };
        ended.push(Ended { name: "unsteady tests", outcome: Err(sentence), counts });
    }
    record.add(&unsteady)
}

/// Repeats the failed tests of one step and returns the unsteady ones. The first log of each is kept.
fn repeat(context: &Context<'_>, step: &mut Ended) -> Outcome<Vec<Failure>> {
    if step.counts.failures.len() > REPEATED {
        return Ok(Vec::new());
    }
    let suite = context.suite();
    println!("\n== {}: its failed tests again, alone", step.name);
    let failures = step.counts.failures.clone();
    let unsteady: Vec<Failure> =
        failures.iter().filter(|failure| again(suite, failure) == Verdict::Unsteady).cloned().collect();
    for failure in &unsteady {
        println!("UNSTEADY {}", failure.name());
        keep_log(context, step.name, failure)?;
    }
    if unsteady.len() == failures.len() && step.counts.failed == failures.len() as u64 {
        step.outcome = Ok(());
        step.counts.passed += step.counts.failed;
        step.counts.failed = 0;
        step.counts.repeat.clear();
    }
    Ok(unsteady)
}

fn again(suite: &Suite, failure: &Failure) -> Verdict {
    let Some(program) = suite.named(&failure.program) else { return Verdict::Red };
    failure
        .verdict(|| program.run_one(&failure.test, &failure.variables).inspect_err(|log| println!("{log}")))
}

fn keep_log(context: &Context<'_>, step: &str, failure: &Failure) -> Outcome<()> {
    let folder = context.workspace.scratch().join("unsteady");
    files::create_folder(&folder)?;
    let kept = folder.join(format!("{}.log", failure.test.replace("::", "-")));
    println!("its first log: {}", kept.display());
    fs::copy(context.workspace.log_of(step), &kept).map(|_| ()).map_err(files::fault(&kept))
}

fn fail(ended: &mut [Ended], name: &str, sentence: &str) {
    for step in ended.iter_mut().filter(|step| step.name == name) {
        step.outcome = Err(sentence.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::{CANARY, Failure, Verdict};

    /// A test that fails in every third run, so that its first repeat passes.
    #[test]
    fn the_canary_is_reported_and_money_is_never_forgiven() {
        let check = |program: &str, test: &str, fails: fn(u32) -> bool, expected: Verdict, runs: u32| {
            let count = Cell::new(0);
            let verdict = Failure::new(program.to_owned(), test.to_owned(), &[]).verdict(|| {
                count.set(count.get() + 1);
                if fails(count.get()) { Err("failed".to_owned()) } else { Ok(()) }
            });
            assert_eq!((verdict, count.get()), (expected, runs), "{program} {test}");
        };
        let once_in_three = |run: u32| run.is_multiple_of(3);
        check("checkout-test-nodes --test canary", CANARY, once_in_three, Verdict::Unsteady, 3);
        check("checkout-e2e --test e2e", "journeys::pay", once_in_three, Verdict::Unsteady, 3);
        check("checkout-e2e --test e2e", "journeys::pay", |run| run < 3, Verdict::Red, 3);
        check("checkout --test process", "kills::a_sweep", once_in_three, Verdict::Red, 10);
        check("checkout-gateway --test http", "claims::a", |_| false, Verdict::Red, 10);
        check("crypto-checkout-core --test it", "vectors", |_| false, Verdict::Red, 0);
    }
}
