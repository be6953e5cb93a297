//! What docs/dsl.md shows is what its code gives.
//!
//! The code stands in files of its own, which are compiled here; the page must quote them word by word.

use crate::clocking;

/// The blocks of the page in this language, with the language's name removed.
fn blocks(language: &str) -> Vec<&'static str> {
    let page = include_str!("../../docs/dsl.md");
    let fenced = page.split("```").skip(1).step_by(2);
    fenced.filter_map(|block| block.strip_prefix(language)?.strip_prefix('\n')).collect()
}

#[track_caller]
fn assert_shown(language: &str, text: &str) {
    let shown = blocks(language);
    assert!(shown.contains(&text), "docs/dsl.md should have this {language} block:\n{text}");
}

mod accumulator {
    use super::*;
    include!("tutorial/accumulator.rs");

    #[test]
    fn the_first_module_and_its_verilog() {
        assert_shown("rust", include_str!("tutorial/accumulator.rs"));
        let design = elaborate("accumulator", clocking(), |m| accumulator(m, 8)).unwrap().design;
        main();
        let files = verilog::emit(&design, &verilog::Options::default());
        assert_eq!(files.len(), 1);
        assert_shown("verilog", &files[0].text);
    }
}

mod broken {
    use super::*;
    include!("tutorial/broken.rs");

    #[test]
    fn the_mistakes_and_what_is_said_about_them() {
        assert_shown("rust", include_str!("tutorial/broken.rs"));
        main();
        let errors = elaborate("broken", clocking(), broken).unwrap_err();
        let said = errors.to_string().replace("hdl_tests/dsl/tutorial/broken.rs", "src/main.rs");
        assert_shown("text", &format!("{said}\n"));
    }
}
