//! What commands say about batches: tokens that share each index.

use clap::Arg;
use clap::builder::UnknownArgumentValueParser;
use eva_rtl::config::CoreConfig;

use super::terminal::number;

/// Says that a batch takes longer than its tokens would one by one, if it does, and when it does not.
pub fn slower(tokens: usize, together: u64, one_by_one: u64, config: &CoreConfig) -> Option<String> {
    let pass = config.entries().max(config.array.rows);
    let least = tokens as u64 * u64::from(config.epilogue.units) * u64::from(pass);
    (tokens > 1 && together > one_by_one).then(|| {
        format!(
            "{tokens} tokens together take {} cycles, one by one {}: a batch pays if --max-n-block is at least {least} here and the \
             memory port limits",
            number(together),
            number(one_by_one)
        )
    })
}

/// A flag that does not exist where others call a batch so: its use is answered with the right name.
pub fn misnamed() -> Arg {
    let parser = UnknownArgumentValueParser::suggest_arg("--batch");
    Arg::new("tokens").long("tokens").hide(true).value_name("M").value_parser(parser)
}
