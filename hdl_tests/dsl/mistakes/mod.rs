//! What the user reads about each class of mistake. Every place named must be a line of these tests, not of the
//! language itself.

mod drivers;
mod library;
mod loops;
mod memories;
mod modules;
mod names;
pub mod places;
mod streams;
mod warnings;
mod widths;

use crate::clocking;
use eva_rtl::hdl::diag::Severity;
use eva_rtl::hdl::ir::Loc;
use eva_rtl::hdl::{Diagnostic, Scope, elaborate};

/// The report on a description that must be refused.
#[track_caller]
fn refusal(describe: impl FnOnce(&Scope)) -> String {
    let errors = elaborate("top", clocking(), describe).expect_err("the description is wrong");
    errors.iter().for_each(assert_places_are_here);
    errors.to_string()
}

/// Takes a snapshot of the report, without the description in the snapshot's header.
macro_rules! assert_report {
    ($report:expr) => {
        let report = $report;
        insta::assert_snapshot!(report);
    };
}
use assert_report;

/// The warnings about a description that must be accepted.
#[track_caller]
fn warnings(describe: impl FnOnce(&Scope)) -> String {
    let elaborated = elaborate("top", clocking(), describe).expect("the description is right");
    elaborated.warnings.iter().for_each(assert_places_are_here);
    let texts: Vec<String> = elaborated.warnings.iter().map(|w| w.render(Severity::Warning)).collect();
    texts.join("\n")
}

fn assert_places_are_here(diagnostic: &Diagnostic) {
    let places = diagnostic.notes.iter().filter_map(|(loc, _)| *loc);
    places.chain([diagnostic.loc]).for_each(|loc| assert_is_here(loc, &diagnostic.message));
}

fn assert_is_here(loc: Loc, what: &str) {
    assert!(loc.0.file().starts_with("hdl_tests/dsl/mistakes/"), "{what}: located at {loc}");
}
