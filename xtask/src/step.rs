//! The rows of the tables of steps, and how a command selects them.

use std::collections::BTreeSet;

use crate::Outcome;
use crate::counts::Counts;
use crate::groups::Group;
use crate::suite::{ALL, Run, Suite};
use crate::workspace::Workspace;

/// The step that compiles the tests.
pub(crate) const COMPILING: &str = "compiling the tests";

/// When a command runs a step by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    /// In `test --quick` alone.
    Quick,
    /// In `test` and `ci`.
    Always,
    /// In `ci` alone.
    Ci,
    /// In `ci` when its group has its turn, or when a file of the group changed.
    Turn(Group),
}

/// What a step takes of the machine, in halves of a processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub(crate) enum Weight {
    /// It waits for nodes, databases or downloads.
    Half = 1,
    One = 2,
    /// All processors.
    All = u16::MAX,
}

/// One row of a table of steps.
pub(crate) struct Step {
    pub(crate) name: &'static str,
    /// Seconds on two idle cores with nothing compiled yet: what takes long starts first.
    pub(crate) usual: u64,
    /// What it does, unless it runs the tests of its programs.
    pub(crate) run: Option<fn(&Context<'_>, &mut Counts) -> Outcome<()>>,
    pub(crate) how: Run<'static>,
    /// Parts of the product that select this step.
    pub(crate) parts: &'static [&'static str],
    /// Steps that must succeed before this one.
    pub(crate) needs: &'static [&'static str],
    /// Packages whose test programs it runs: of the step that compiles them it needs only these.
    pub(crate) programs: &'static [&'static str],
    pub(crate) weight: Weight,
    /// It runs cargo, whose output is printed while it runs.
    pub(crate) compiles: bool,
    /// All other steps wait for it, so that a run that has to fail does so soon.
    pub(crate) gate: bool,
    pub(crate) when: When,
    /// The step that holds everything that this one samples.
    pub(crate) sample_of: Option<&'static str>,
}

/// What most steps have; each has its own name, time and function.
pub(crate) const STEP: Step = Step {
    name: "",
    usual: 1,
    run: None,
    how: ALL,
    parts: &[],
    needs: &[],
    programs: &[],
    weight: Weight::One,
    compiles: false,
    gate: false,
    when: When::Always,
    sample_of: None,
};

impl Step {
    pub(crate) fn run(&self, context: &Context<'_>, counts: &mut Counts) -> Outcome<()> {
        match self.run {
            Some(run) => run(context, counts),
            None => context.suite().run(self.programs, &self.how, counts),
        }
    }
}

/// The data that the steps of one run share.
pub(crate) struct Context<'a> {
    pub(crate) workspace: &'a Workspace,
    /// Arguments of `cargo test` that name the tests to compile.
    pub(crate) selection: Vec<String>,
}

impl Context<'_> {
    /// The test programs that were compiled last. A step that uses them needs the step that compiles them.
    pub(crate) fn suite(&self) -> Suite {
        Suite::reported(self.workspace)
    }
}

/// Returns the selected steps and all steps that they need, in the order of the table, without samples of what runs whole.
pub(crate) fn select(table: &'static [Step], wanted: impl Fn(&Step) -> bool) -> Vec<&'static Step> {
    let mut names: BTreeSet<&str> = table.iter().filter(|step| wanted(step)).map(|step| step.name).collect();
    for step in table {
        if step.sample_of.is_some_and(|whole| names.contains(whole)) {
            names.remove(step.name);
        }
    }
    // A step needs only steps that are earlier in the table.
    for step in table.iter().rev() {
        if names.contains(step.name) {
            names.extend(step.needs);
        }
    }
    table.iter().filter(|step| names.contains(step.name)).collect()
}

/// Returns the step of this name and all steps that it needs.
pub(crate) fn named(table: &'static [Step], name: &str) -> Outcome<Vec<&'static Step>> {
    let selected = select(table, |step| step.name == name);
    if selected.is_empty() {
        let names: Vec<&str> = table.iter().map(|step| step.name).collect();
        return Err(format!("There is no step `{name}`; known steps:\n    {}", names.join("\n    ")));
    }
    Ok(selected)
}

#[cfg(test)]
mod tests {
    use super::{STEP, Step, named, select};

    const fn step(name: &'static str, needs: &'static [&'static str]) -> Step {
        Step { name, needs, ..STEP }
    }

    static TABLE: &[Step] = &[
        step("tools", &[]),
        step("site", &["tools"]),
        Step { sample_of: Some("journeys"), ..step("some journeys", &["site"]) },
        step("core", &[]),
        step("journeys", &["site"]),
    ];

    #[test]
    fn a_step_brings_what_it_needs_and_replaces_its_sample() {
        let check = |wanted: &[&str], expected: &[&str]| {
            let found = select(TABLE, |step| wanted.contains(&step.name));
            assert_eq!(found.iter().map(|step| step.name).collect::<Vec<_>>(), expected);
        };
        check(&["some journeys"], &["tools", "site", "some journeys"]);
        check(&["some journeys", "journeys"], &["tools", "site", "journeys"]);
        assert!(named(TABLE, "nothing").is_err_and(|sentence| sentence.contains("\n    site\n")));
    }
}
