//! Bills of materials in CycloneDX: the crates in the binary, and the npm packages in its pages.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;

use super::{VERSION, dist};
use crate::workspace::Workspace;
use crate::{Outcome, files, process, setup};

pub(super) fn run(workspace: &Workspace) -> Outcome<()> {
    write(workspace, "", &of_crates(workspace)?)?;
    write(workspace, "-pages", &of_pages(workspace)?)
}

fn write(workspace: &Workspace, part: &str, document: &str) -> Outcome<()> {
    let path = dist(workspace).join(format!("checkout-{VERSION}{part}.cdx.json"));
    let bill: Value =
        serde_json::from_str(document).map_err(|error| format!("{}: {error}", path.display()))?;
    let count = bill["components"].as_array().map_or(0, Vec::len);
    if bill["bomFormat"] != "CycloneDX" || count == 0 {
        return Err(format!("{} names no component.", path.display()));
    }
    files::write(&path, document)?;
    println!("{}: {count} components", path.display());
    Ok(())
}

/// The crates of the package `checkout` on any system.
fn of_crates(workspace: &Workspace) -> Outcome<String> {
    let tool = setup::cargo_tool(workspace, &setup::CARGO_SBOM)?;
    let mut command = Command::new(tool);
    command.args(["sbom", "--cargo-package", "checkout", "--output-format", "cyclone_dx_json_1_6"]);
    let document = process::capture(command.current_dir(&workspace.root))?;
    let mut bill = serde_json::from_str(&document).map_err(|error| format!("cargo-sbom: {error}"))?;
    let mut tree = workspace.cargo();
    tree.args(["tree", "--locked", "--package", "checkout", "--edges", "normal", "--target", "all"]);
    keep(&mut bill, &process::capture(tree.args(["--prefix", "none"]))?);
    Ok(bill.to_string())
}

/// Keeps the crates that `cargo tree` has: cargo-sbom also lists those of features that nothing enables. It names the user who
/// runs it as the author, which is left out.
fn keep(bill: &mut Value, tree: &str) {
    let compiled: BTreeSet<String> = tree.lines().filter_map(reference).collect();
    let is_compiled = |reference: &Value| reference.as_str().is_some_and(|text| compiled.contains(text));
    if let Some(metadata) = bill["metadata"].as_object_mut() {
        metadata.remove("authors");
    }
    if let Some(components) = bill["components"].as_array_mut() {
        components.retain(|component| is_compiled(&component["bom-ref"]));
    }
    if let Some(dependencies) = bill["dependencies"].as_array_mut() {
        dependencies.retain(|dependency| is_compiled(&dependency["ref"]));
        for used in dependencies.iter_mut().filter_map(|dependency| dependency["dependsOn"].as_array_mut()) {
            used.retain(is_compiled);
        }
    }
}

/// The crate of a line such as `sqlx v0.9.0 (*)`, as cargo-sbom refers to it.
fn reference(line: &str) -> Option<String> {
    let mut words = line.split(' ');
    let (name, version) = (words.next()?, words.next()?.strip_prefix('v')?);
    Some(format!("CycloneDxRef-Component-{name}-{version}"))
}

/// The npm packages that esbuild puts into scripts.
fn of_pages(workspace: &Workspace) -> Outcome<String> {
    let project = workspace.root.join("www");
    let stage = workspace.scratch().join("sbom/crypto-checkout-pages");
    files::empty_folder(&stage)?;
    // npm describes no project without a version, and names it after its folder.
    let manifest = files::read_text(&project.join("package.json"))?;
    let mut manifest: Value =
        serde_json::from_str(&manifest).map_err(|error| format!("www/package.json: {error}"))?;
    manifest["version"] = VERSION.into();
    files::write(&stage.join("package.json"), manifest.to_string())?;
    files::write(&stage.join("package-lock.json"), files::read(&project.join("package-lock.json"))?)?;
    let mut npm = Command::new("npm");
    npm.args(["sbom", "--sbom-format", "cyclonedx", "--package-lock-only", "--omit", "dev"]);
    process::capture(npm.current_dir(&stage))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::keep;

    #[test]
    fn what_is_not_compiled_is_left_out() {
        let reference = |name: &str| format!("CycloneDxRef-Component-{name}");
        let component = |name: &str| json!({"bom-ref": reference(name)});
        let mut bill = json!({
            "metadata": {"authors": [{"name": "runner"}], "component": {"name": "checkout"}},
            "components": [component("sqlx-0.9.0"), component("sqlx-mysql-0.9.0"), component("sqlx-0.8.0")],
            "dependencies": [
                {"ref": reference("checkout-0.1.0"), "dependsOn": [reference("sqlx-0.9.0"), reference("sqlx-mysql-0.9.0")]},
                {"ref": reference("sqlx-mysql-0.9.0"), "dependsOn": []},
            ],
        });
        keep(&mut bill, "checkout v0.1.0 (/somewhere/checkout)\nsqlx v0.9.0\nsqlx v0.9.0 (*)\n");
        let expected = json!({
            "metadata": {"component": {"name": "checkout"}},
            "components": [component("sqlx-0.9.0")],
            "dependencies": [{"ref": reference("checkout-0.1.0"), "dependsOn": [reference("sqlx-0.9.0")]}],
        });
        assert_eq!(bill, expected);
    }
}
