//! A test that fails in the first of three runs when `CHECKOUT_CANARY` names a file to count them in. The run that started it has to
//! report it as unsteady.

#[test]
fn fails_once() {
    let Some(path) = std::env::var_os("CHECKOUT_CANARY") else { return };
    let runs: u32 = std::fs::read_to_string(&path).unwrap().trim().parse().unwrap();
    std::fs::write(&path, (runs + 1).to_string()).unwrap();
    assert!(!runs.is_multiple_of(3), "the canary fails in its first run");
}
