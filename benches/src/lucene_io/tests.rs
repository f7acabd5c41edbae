//! The definitions and the code say the same.

use crate::registry::Registry;
use onecopy_bench_model::case;
use std::path::Path;

#[test]
fn definitions_and_code_agree() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    let defined = case::load(&folder).expect("the definitions are sound");
    let defined: Vec<_> = defined.iter().filter(|c| c.crate_name() == "lucene-io").collect();
    let mut registry = Registry::default();
    super::register(&mut registry);
    for case in registry.cases() {
        assert!(defined.iter().any(|d| d.name == case.name()), "{} is not defined", case.name());
    }
    let mut wrong = Vec::new();
    for definition in defined {
        let name = &definition.name;
        let case = registry.find(name).unwrap_or_else(|| panic!("{name} is not registered"));
        let mut light: Vec<&str> = definition.light().collect();
        let mut names = case.names();
        light.sort_unstable();
        names.sort_unstable();
        assert_eq!(light, names, "{name}");
        for variant in names {
            let digest = case.build(variant).expect("it is registered").digest();
            if digest != definition.digest {
                wrong.push(format!("{name} {variant}: {digest}"));
            }
        }
    }
    assert!(wrong.is_empty(), "other digests than defined:\n{}", wrong.join("\n"));
}
