//! Bills of materials in CycloneDX: the crates in the binary, and the npm packages in its pages.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;

use super::{VERSION, dist};
use crate::workspace::Workspace;
use crate::{Outcome, api, files, process, setup};

pub(super) fn run(workspace: &Workspace) -> Outcome<()> {
    for (part, bill) in [("", of_crates(workspace)?), ("-pages", of_pages(workspace)?)] {
        let path = dist(workspace).join(format!("checkout-{VERSION}{part}.cdx.json"));
        let count = bill["components"].as_array().map_or(0, Vec::len);
        if bill["bomFormat"] != "CycloneDX" || count == 0 {
            return Err(format!("{} names no component.", path.display()));
        }
        files::write(&path, bill.to_string())?;
        println!("{}: {count} components", path.display());
    }
    Ok(())
}

/// The crates of the package `checkout` on any system: cargo-sbom also lists those of features that nothing enables, which are not in
/// the tree. It names the user who runs it as the author.
fn of_crates(workspace: &Workspace) -> Outcome<Value> {
    let sbom = "sbom --cargo-package checkout --output-format cyclone_dx_json_1_6";
    let mut tool = Command::new(setup::cargo_tool(workspace, &setup::CARGO_SBOM)?);
    let mut bill: Value = process::json(tool.args(sbom.split(' ')).current_dir(&workspace.root))?;
    let tree = "tree --locked --package checkout --edges normal --target all --prefix none";
    let tree = process::capture(workspace.cargo().args(tree.split(' ')))?;
    keep(&mut bill, &tree.lines().filter_map(reference).collect());
    Ok(bill)
}

fn keep(bill: &mut Value, compiled: &BTreeSet<String>) {
    let is_compiled = |reference: &Value| reference.as_str().is_some_and(|text| compiled.contains(text));
    let retain = |list: Option<&mut Value>, key| {
        if let Some(list) = list.and_then(Value::as_array_mut) {
            list.retain(|entry| is_compiled(entry.get(key).unwrap_or(entry)));
        }
    };
    bill["metadata"].as_object_mut().map(|metadata| metadata.remove("authors"));
    retain(bill.get_mut("components"), "bom-ref");
    retain(bill.get_mut("dependencies"), "ref");
    for dependency in bill["dependencies"].as_array_mut().into_iter().flatten() {
        retain(dependency.get_mut("dependsOn"), "");
    }
}

/// The crate of a line such as `sqlx v0.9.0 (*)`, as cargo-sbom refers to it.
fn reference(line: &str) -> Option<String> {
    let mut words = line.split(' ');
    let (name, version) = (words.next()?, words.next()?.strip_prefix('v')?);
    Some(format!("CycloneDxRef-Component-{name}-{version}"))
}

/// The npm packages that esbuild puts into scripts.
fn of_pages(workspace: &Workspace) -> Outcome<Value> {
    let project = workspace.root.join("www");
    let stage = workspace.scratch().join("sbom/crypto-checkout-pages");
    files::empty_folder(&stage)?;
    // npm describes no project without a version, and names it after its folder.
    let mut manifest = api::json(&project.join("package.json"))?;
    manifest["version"] = VERSION.into();
    files::write(&stage.join("package.json"), manifest.to_string())?;
    files::copy(&project.join("package-lock.json"), &stage.join("package-lock.json"))?;
    let sbom = "sbom --sbom-format cyclonedx --package-lock-only --omit dev";
    process::json(Command::new("npm").args(sbom.split(' ')).current_dir(&stage))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::json;

    use super::{keep, reference};

    #[test]
    fn what_is_not_compiled_is_left_out() {
        let tree = "checkout v0.1.0 (/somewhere/checkout)\nsqlx v0.9.0\nsqlx v0.9.0 (*)\n";
        let compiled: BTreeSet<String> = tree.lines().filter_map(reference).collect();
        let [checkout, sqlx, other] = ["checkout-0.1.0", "sqlx-0.9.0", "sqlx-0.8.0"]
            .map(|name| format!("CycloneDxRef-Component-{name}"));
        let mut bill = json!({
            "metadata": {"authors": [{"name": "runner"}]},
            "components": [{"bom-ref": sqlx}, {"bom-ref": other}],
            "dependencies": [{"ref": checkout, "dependsOn": [sqlx, other]}, {"ref": other, "dependsOn": []}],
        });
        keep(&mut bill, &compiled);
        let dependencies = json!([{"ref": checkout, "dependsOn": [sqlx]}]);
        assert_eq!(
            bill,
            json!({"metadata": {}, "components": [{"bom-ref": sqlx}], "dependencies": dependencies})
        );
    }
}
