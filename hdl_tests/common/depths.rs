//! Numbers of register stages.

use std::ops::RangeInclusive;

use eva_rtl::config::Parameter;

/// All that `pipeline.<part>` can be.
pub fn depths(part: &str) -> RangeInclusive<u32> {
    let parameter = Parameter::find(&format!("pipeline.{part}")).expect("a part with register stages");
    parameter.range().expect("a number")
}
