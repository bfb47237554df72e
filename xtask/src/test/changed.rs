//! The steps that a change can break: those of the changed packages and of all packages that use them.

use std::collections::BTreeSet;

use super::steps::STEPS;
use crate::step::Step;
use crate::workspace::{Dependency, Package, Workspace};
use crate::{Outcome, changes};

/// Files outside of the packages, by their beginnings: the packages whose tests read them; none for text.
#[rustfmt::skip]
const OTHERS: &[(&[&str], &[&str])] = &[
    (&["www/shop/"], &["checkout-sandbox", "checkout-e2e"]),
    (&["www/embed/messages.ts"], &["checkout", "checkout-widget"]),
    (&["www/kit/"], &["checkout-e2e"]),
    (&["www/notice.html", "www/buy.html", "www/refused.html", "www/styles/"], &["checkout", "checkout-gateway"]),
    (&["www/", "sandbox/drawer/"], &["checkout"]),
    (&["examples/"], &["checkout", "checkout-e2e"]),
    (&["core/README.md", "npm/package/README.md", "README.md"], &["crypto-checkout-core"]),
    (&["docs/guides/embedding.md"], &["xtask", "checkout", "checkout-widget"]),
    (&["docs/", "packaging/"], &["xtask", "checkout"]),
    (&["ARCHITECTURE.md"], &["xtask"]),
    (&["CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"], &[]),
];

/// Steps that always run.
const ALWAYS: &[&str] = &["tidy", "formatting"];

const OTHER_PACKAGES: &str = "tests of other packages";

/// The names of the steps that the changes can break, committed or not; `None` for all.
pub(super) fn steps(workspace: &Workspace) -> Outcome<Option<Vec<&'static str>>> {
    let files = changes::files(workspace)?;
    println!("{} changed files", files.len());
    Ok(broken_by(&files, &workspace.packages))
}

/// The tests of these steps, as arguments of `cargo test --workspace`: whole libraries, and single other targets.
pub(super) fn tests_of(workspace: &Workspace, steps: &[&'static Step]) -> Vec<String> {
    let has_others = steps.iter().any(|step| step.name == OTHER_PACKAGES);
    let is_run = |package: &str| {
        let runs = |step: &Step| step.programs.contains(&package);
        steps.iter().any(|step| runs(step)) || has_others && !STEPS.iter().any(runs)
    };
    let packages = workspace.packages.iter().filter(|package| is_run(&package.name));
    let targets: BTreeSet<String> = packages.flat_map(Package::tests).collect();
    targets.iter().flat_map(|target| target.split(' ')).map(str::to_owned).collect()
}

fn broken_by(files: &[String], packages: &[Package]) -> Option<Vec<&'static str>> {
    let changed = files.iter().map(|file| owners(file, packages)).collect::<Option<Vec<_>>>()?;
    let mut changed: BTreeSet<&str> = changed.into_iter().flatten().collect();
    while let more = users(packages, &changed, false)
        && !more.is_empty()
    {
        changed.extend(more);
    }
    // What only tests use changes no other package.
    changed.extend(users(packages, &changed, true));
    let is_broken = |step: &&Step| step.programs.iter().any(|package| changed.contains(package));
    let of_package = STEPS.iter().filter(is_broken).map(|step| step.name);
    let has_step = |package: &&str| STEPS.iter().any(|step| step.programs.contains(package));
    let others = (!changed.iter().all(has_step)).then_some(OTHER_PACKAGES);
    Some(ALWAYS.iter().copied().chain(of_package).chain(others).collect())
}

/// The other packages that use one of these, or whose tests do.
fn users<'a>(packages: &'a [Package], of: &BTreeSet<&str>, in_tests: bool) -> Vec<&'a str> {
    let is_used =
        |used: &Dependency| of.contains(used.name.as_str()) && (in_tests || !used.is_for_tests_only());
    let uses = |package: &&Package| package.dependencies.iter().any(is_used);
    let names = packages.iter().filter(uses).map(|package| package.name.as_str());
    names.filter(|name| !of.contains(name)).collect()
}

/// The packages that a file belongs to; `None` for a file that can change everything, such as `Cargo.toml`.
fn owners<'a>(file: &str, packages: &'a [Package]) -> Option<Vec<&'a str>> {
    let is_in = |beginnings: &[&str]| beginnings.iter().any(|beginning| file.starts_with(beginning));
    if let Some((_, names)) = OTHERS.iter().find(|(beginnings, _)| is_in(beginnings)) {
        return Some(names.to_vec());
    }
    let inside = packages.iter().filter(|package| file.starts_with(&format!("{}/", package.folder)));
    let owner = inside.max_by_key(|package| package.folder.len())?;
    Some(vec![owner.name.as_str()])
}

#[cfg(test)]
mod tests {
    use super::broken_by;
    use crate::workspace::Workspace;

    #[test]
    #[rustfmt::skip]
    fn a_change_runs_the_steps_of_what_uses_it() {
        let packages = Workspace::find().expect("the tests run in the repository").packages;
        let check = |file: &str, runs: &[&str], leaves_out: &[&str]| {
            let broken = broken_by(&[file.to_owned()], &packages);
            let has = |step: &&str| broken.as_ref().is_none_or(|names| names.contains(step));
            assert!(runs.iter().all(has), "{file}: {broken:?}");
            assert!(!leaves_out.iter().any(has), "{file}: {broken:?}");
        };
        let everything = ["core", "widget", "xtask", "gateway", "HTTP", "chains", "program", "some journeys"];
        check("Cargo.lock", &everything, &[]);
        check("a-new-folder/file", &everything, &[]);
        check("core/src/lib.rs", &["core", "widget", "gateway", "HTTP", "chains", "journeys"], &["xtask"]);
        check("widget/src/step.rs", &["widget", "program", "journeys"], &["core", "gateway", "HTTP", "chains"]);
        check("chains/xrp/src/node.rs", &["tests of other packages", "program"], &["gateway", "HTTP", "chains"]);
        check("gateway/storage/src/changes/tx.rs", &["gateway", "HTTP", "program"], &["core", "widget", "xtask"]);
        check("xtask/src/main.rs", &["tidy", "xtask"], &["core", "HTTP", "journeys"]);
        check("www/embed/element.ts", &["program", "journeys"], &["core", "gateway", "HTTP"]);
        check("www/shop/front.html", &["HTTP", "program", "journeys"], &["core", "chains"]);
        check("CONTRIBUTING.md", &["tidy"], &["xtask", "core", "journeys"]);
    }
}
