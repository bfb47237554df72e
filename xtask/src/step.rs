//! The rows of the tables of steps, and how a command selects them.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use crate::counts::Counts;
use crate::flags::Part;
use crate::outcome::Outcome;
use crate::site::Module;
use crate::suite::Suite;
use crate::workspace::Workspace;

/// How much of the table a command runs: each tier has the steps of those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Tier {
    /// `test`: for a person, several times a day.
    Test,
    /// `test --all`: before a merge.
    All,
    /// `ci`: with searches of minutes in what another step samples.
    Ci,
}

/// One row of a table of steps.
pub(crate) struct Step {
    pub(crate) name: &'static str,
    /// Parts of the product that select this step.
    pub(crate) parts: &'static [Part],
    /// Steps that must succeed before this one.
    pub(crate) needs: &'static [&'static str],
    /// Seconds on two idle cores with nothing compiled yet. After the first run, the measured time is used instead.
    pub(crate) usual: u64,
    /// The step waits for downloads: it runs in parallel to the others, with its output in a file.
    pub(crate) aside: bool,
    /// The step waits more than it computes: all such steps run one after the other, in parallel to those that follow them
    /// in the table.
    pub(crate) beside: bool,
    pub(crate) tier: Tier,
    /// A sample of what a step of the next tier tests whole, which runs this one's tests, too.
    pub(crate) sample: bool,
    pub(crate) run: fn(&Context<'_>, &mut Counts) -> Outcome<()>,
}

impl Step {
    pub(crate) const fn new(
        name: &'static str,
        usual: u64,
        run: fn(&Context<'_>, &mut Counts) -> Outcome<()>,
    ) -> Self {
        Self {
            name,
            parts: &[],
            needs: &[],
            usual,
            aside: false,
            beside: false,
            tier: Tier::Test,
            sample: false,
            run,
        }
    }

    pub(crate) const fn parts(self, parts: &'static [Part]) -> Self {
        Self { parts, ..self }
    }

    pub(crate) const fn needs(self, needs: &'static [&'static str]) -> Self {
        Self { needs, ..self }
    }

    pub(crate) const fn aside(self) -> Self {
        Self { aside: true, ..self }
    }

    pub(crate) const fn beside(self) -> Self {
        Self { beside: true, ..self }
    }

    pub(crate) const fn tier(self, tier: Tier) -> Self {
        Self { tier, ..self }
    }

    pub(crate) const fn sample(self) -> Self {
        Self { sample: true, ..self }
    }

    pub(crate) fn is_in(&self, tier: Tier) -> bool {
        self.tier <= tier && !(self.sample && tier > self.tier)
    }
}

/// The data that the steps of one run share.
pub(crate) struct Context<'a> {
    pub(crate) workspace: &'a Workspace,
    /// Arguments of `cargo test` that name the tests to compile.
    pub(crate) selection: Vec<&'static str>,
    pub(crate) suite: OnceCell<Suite>,
    /// Of the widget.
    pub(crate) module: Module,
}

impl<'a> Context<'a> {
    pub(crate) fn new(workspace: &'a Workspace, selection: Vec<&'static str>) -> Self {
        Self { workspace, selection, suite: OnceCell::new(), module: Module::Optimised }
    }

    pub(crate) fn with(self, module: Module) -> Self {
        Self { module, ..self }
    }

    /// The test programs. A step that uses them needs the step that compiles them.
    pub(crate) fn suite(&self) -> Outcome<&Suite> {
        self.suite.get().ok_or_else(|| "The tests are not compiled.".to_owned())
    }
}

/// A step and the command that repeats it, up to its `--step`.
#[derive(Clone, Copy)]
pub(crate) struct Selected {
    pub(crate) command: &'static str,
    pub(crate) step: &'static Step,
}

/// Returns the selected steps and all steps that they need, in the order of the table.
pub(crate) fn select(
    command: &'static str,
    table: &'static [Step],
    wanted: impl Fn(&Step) -> bool,
) -> Vec<Selected> {
    let mut names: BTreeSet<&str> = table.iter().filter(|step| wanted(step)).map(|step| step.name).collect();
    // A step needs only steps that are earlier in the table.
    for step in table.iter().rev() {
        if names.contains(step.name) {
            names.extend(step.needs);
        }
    }
    let selected = table.iter().filter(|step| names.contains(step.name));
    selected.map(|step| Selected { command, step }).collect()
}

/// Returns the step of this name and all steps that it needs.
pub(crate) fn named(command: &'static str, table: &'static [Step], name: &str) -> Outcome<Vec<Selected>> {
    let selected = select(command, table, |step| step.name == name);
    if selected.is_empty() {
        let names: Vec<&str> = table.iter().map(|step| step.name).collect();
        return Err(format!("There is no step `{name}`; known steps:\n    {}", names.join("\n    ")));
    }
    Ok(selected)
}

#[cfg(test)]
mod tests {
    use super::{Step, named, select};
    use crate::flags::Part;

    const fn step(name: &'static str, parts: &'static [Part], needs: &'static [&'static str]) -> Step {
        Step::new(name, 1, |_, _| Ok(())).parts(parts).needs(needs)
    }

    static TABLE: &[Step] = &[
        step("tools", &[], &[]),
        step("site", &[], &["tools"]),
        step("core", &[Part::Core], &[]),
        step("e2e", &[Part::E2e], &["site"]),
    ];

    #[test]
    fn a_step_brings_what_it_needs() {
        let check = |wanted: fn(&Step) -> bool, expected: &[&str]| {
            let names: Vec<&str> =
                select("test", TABLE, wanted).into_iter().map(|selected| selected.step.name).collect();
            assert_eq!(names, expected);
        };
        check(|_| true, &["tools", "site", "core", "e2e"]);
        check(|step| step.parts.contains(&Part::Core), &["core"]);
        check(|step| step.parts.contains(&Part::E2e), &["tools", "site", "e2e"]);
        assert!(named("test", TABLE, "nothing").is_err_and(|sentence| sentence.contains("\n    site\n")));
    }
}
