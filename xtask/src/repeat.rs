//! What a test means that failed although it did not fail before. A test about money is never forgiven; one that waits for other
//! programs is repeated alone, and reported as unsteady when it passes; every other one is red.

mod kinds;
mod record;

use std::time::Duration;

use crate::counts::{CANARY, CANARY_STEP, Counts, Ended, Failure};
use crate::step::Context;
use crate::{Outcome, changes, files};
use kinds::Kind;
pub(crate) use record::LIST;
use record::Record;

/// More unsteady tests than this make a run red.
const FORGIVEN: usize = 3;

/// If more tests of a step fail, they have one cause, and are not repeated.
const REPEATED: usize = 10;

impl Failure {
    /// Repeats the test as its kind demands; `run` returns the output of a run that failed. True for an unsteady test.
    fn is_unsteady(&self, run: impl Fn() -> Outcome<()>) -> bool {
        let kind = Kind::of(self);
        let times = match kind {
            Kind::Waiting => 3,
            Kind::Money => 10,
            Kind::Other => return false,
        };
        let passed = (0..times).filter(|_| run().is_ok()).count();
        println!("{}: {passed} of {times} repeats passed ({kind:?})", self.name());
        kind == Kind::Waiting && passed >= 2
    }
}

/// Repeats the tests that failed. A step whose failed tests are all unsteady becomes green, unless there are too many of
/// them, a file of theirs changed, or one is unsteady again and no dated line of `tests/unsteady.txt` allows it.
pub(crate) fn judge(context: &Context<'_>, ended: &mut Vec<Ended>) -> Outcome<()> {
    let mut unsteady = Vec::new();
    for step in ended.iter_mut().filter(|step| !step.counts.failures.is_empty()) {
        unsteady.extend(repeat(context, step)?);
    }
    let reported = unsteady.iter().any(|failure: &Failure| failure.test == CANARY);
    for step in ended.iter_mut().filter(|step| step.name == CANARY_STEP && !reported) {
        step.outcome = Err("The canary failed once, and was not reported as unsteady.".to_owned());
    }
    unsteady.retain(|failure| failure.test != CANARY);
    let record = Record::read(context.workspace);
    let changed = if unsteady.is_empty() { Vec::new() } else { changes::files(context.workspace)? };
    for sentence in record.objections(&unsteady, &changed, FORGIVEN) {
        let counts = Counts { repeat: unsteady.iter().map(Failure::command).collect(), ..Counts::default() };
        ended.push(Ended { name: "unsteady tests", outcome: Err(sentence), counts, time: Duration::ZERO });
    }
    record.add(&unsteady)
}

/// Repeats the failed tests of one step and returns the unsteady ones. The first log of each is kept.
fn repeat(context: &Context<'_>, step: &mut Ended) -> Outcome<Vec<Failure>> {
    if step.counts.failures.len() > REPEATED {
        return Ok(Vec::new());
    }
    println!("\n== {}: its failed tests again, alone", step.name);
    let failures = step.counts.failures.clone();
    let suite = context.suite();
    let again = |failure: &&Failure| {
        let Some(program) = suite.named(&failure.program) else { return false };
        let run = || program.run_one(&failure.test, &failure.variables);
        failure.is_unsteady(|| run().inspect_err(|log| println!("{log}")))
    };
    let unsteady: Vec<Failure> = failures.iter().filter(again).cloned().collect();
    for failure in &unsteady {
        let log = context.workspace.scratch().join("unsteady").join(failure.test.replace("::", "-") + ".log");
        println!("UNSTEADY {}\nits first log: {}", failure.name(), log.display());
        files::write(&log, files::read(&context.workspace.log_of(step.name))?)?;
    }
    if unsteady.len() == failures.len() && step.counts.failed == failures.len() as u64 {
        step.outcome = Ok(());
        step.counts.passed += step.counts.failed;
        step.counts.failed = 0;
        step.counts.repeat.clear();
    }
    Ok(unsteady)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::{CANARY, Failure};

    /// A test that fails in every third run, so that its first repeat passes.
    #[test]
    fn the_canary_is_reported_and_money_is_never_forgiven() {
        let check = |program: &str, test: &str, fails: fn(u32) -> bool, expected: bool, runs: u32| {
            let count = Cell::new(0);
            let unsteady = Failure::new(program.to_owned(), test.to_owned(), &[]).is_unsteady(|| {
                count.set(count.get() + 1);
                if fails(count.get()) { Err("failed".to_owned()) } else { Ok(()) }
            });
            assert_eq!((unsteady, count.get()), (expected, runs), "{program} {test}");
        };
        let once_in_three = |run: u32| run.is_multiple_of(3);
        check("checkout-test-nodes --test canary", CANARY, once_in_three, true, 3);
        check("checkout-e2e --test e2e", "journeys::pay", once_in_three, true, 3);
        check("checkout-e2e --test e2e", "journeys::pay", |run| run < 3, false, 3);
        check("checkout --test process", "kills::a_sweep", once_in_three, false, 10);
        check("checkout-gateway --test http", "claims::a", |_| false, false, 10);
        check("crypto-checkout-core --test it", "vectors", |_| false, false, 0);
    }
}
