//! What a definition may claim.

use onecopy_bench_model::case::CaseFile;

/// What the check says of a case with this claim and these fields.
fn check(claim: &str, fields: &str) -> Result<(), String> {
    let text = format!(
        r#"
        [[case]]
        name = "demo/what/input"
        about = "a"
        source = "s"
        input = "i"
        digest = "0123456789abcdef"
        variants = ["before", "fix", "after"]
        peers = ["peer"]
        {fields}
        claim = [{{ {claim} }}]
        "#
    );
    toml::from_str::<CaseFile>(&text).expect("it is a case").case[0].check()
}

/// Such a claim would never be judged, and so hold whatever happens.
#[test]
fn what_callgrind_does_not_count_cannot_be_claimed() {
    let fix = r#"metric = "instructions", of = "fix", against = "before", unchanged = 0.1"#;
    let peer = r#"metric = "instructions", against = "peer", improves = { floor = 1.0 }"#;
    assert_eq!(check(fix, ""), Ok(()));
    for (claim, fields, name) in [
        (fix, r#"slow = ["before"]"#, "before"),
        (fix, r#"slow = ["fix"]"#, "fix"),
        (fix, "uncounted = true", "before"),
        (peer, "", "peer"),
    ] {
        let said = check(claim, fields).expect_err(name);
        assert!(said.contains(&format!("instructions of `{name}`")), "{said}");
    }
    let time = peer.replace("instructions", "time");
    assert_eq!(check(&time, "uncounted = true"), Ok(()));
}
