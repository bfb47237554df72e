//! The groups of `cargo xtask ci` that take turns: they repeat the tests of every run on other engines, stores and inputs.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    Firefox,
    WebkitAndPostgres,
    ScreensAndRequests,
    KillsAndWorlds,
    Oracles,
    Packages,
}

/// In the order of their turns: what runs, and the beginnings of the files whose change brings the group out of turn.
#[rustfmt::skip]
pub(crate) const GROUPS: [(Group, &str, &[&str]); 6] = [
    (Group::Firefox, "all journeys in Firefox, the widget in browsers", &["widget/src/shell", "www/embed/", "www/kit/", "www/wallet/"]),
    (Group::WebkitAndPostgres, "all journeys in WebKitGTK, HTTP on PostgreSQL", &["gateway/storage/src/", "www/checkout", "www/watchdog"]),
    (Group::ScreensAndRequests, "every screen, the API's document, the requests of an hour",
        &["www/styles/", "widget/src/screens", "widget/src/words", "wire/src/", "gateway/src/http", "chains/http/"]),
    (Group::KillsAndWorlds, "a kill at every commit and send, long random worlds",
        &["gateway/src/service", "gateway/domain/src/", "gateway/src/fail_point"]),
    (Group::Oracles, "other implementations of the core and of the chains, fuzz targets", &["core/src/"]),
    (Group::Packages, "packages, size, clippy of single packages, licences",
        &["npm/", "packaging/pretix/", "packaging/python/", "bindings/", "widget/", "Cargo.lock", ".github/"]),
];

/// A run has time for this many.
const AT_ONCE: usize = 2;

/// The group whose turn it is, and the next one in turn that a changed file touches.
pub(crate) fn of_this_run(commits: usize, changed: &[String]) -> Vec<Group> {
    let touched = |beginnings: &[&str]| {
        changed.iter().any(|file| beginnings.iter().any(|beginning| file.starts_with(beginning)))
    };
    let in_turn = GROUPS.iter().cycle().skip(commits % GROUPS.len()).take(GROUPS.len());
    let chosen = in_turn.enumerate().filter(|(place, (.., files))| *place == 0 || touched(files));
    chosen.map(|(_, (group, ..))| *group).take(AT_ONCE).collect()
}

#[cfg(test)]
mod tests {
    use super::Group::{self, KillsAndWorlds, Packages, WebkitAndPostgres};
    use super::{GROUPS, of_this_run};

    #[test]
    fn groups_take_turns_and_a_change_brings_one_more() {
        let check = |commits, changed: &[&str], expected: &[Group]| {
            let changed: Vec<_> = changed.iter().map(|file| (*file).to_owned()).collect();
            assert_eq!(of_this_run(commits, &changed), expected, "{commits} {changed:?}");
        };
        check(13, &["README.md"], &[WebkitAndPostgres]);
        check(13, &["npm/client/index.js"], &[WebkitAndPostgres, Packages]);
        check(13, &["gateway/storage/src/rows.rs"], &[WebkitAndPostgres]);
        check(17, &["core/src/lib.rs", "gateway/src/service/a.rs"], &[Packages, KillsAndWorlds]);
        for (commits, (group, ..)) in GROUPS.into_iter().enumerate() {
            check(commits, &[], &[group]);
        }
    }
}
