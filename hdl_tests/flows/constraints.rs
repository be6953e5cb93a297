//! Constraints name ports that exist, in the format of each target.

use eva_rtl::flows::Target;

use super::Generated;
use super::tools::run;

/// Ports named in constraints, with `*` for anything.
fn patterns(target: Target, text: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let first_word = |text: &str| text.split([' ', ']', '"', ';']).next().unwrap().to_owned();
    match target {
        Target::Asic | Target::Xilinx => {
            lines.flat_map(|line| line.split("[get_ports ").skip(1).map(first_word).collect::<Vec<_>>()).collect()
        }
        Target::Ecp5 => lines
            .filter(|line| !line.is_empty())
            .map(|line| first_word(line.split_once("PORT \"").or(line.split_once("COMP \"")).expect("a port").1))
            .collect(),
        Target::Ice40 => lines
            .filter(|line| !line.is_empty())
            .map(|line| {
                let mut words = line.split(' ').filter(|word| !word.starts_with('-') && *word != "yes");
                assert!(["set_io", "set_frequency"].contains(&words.next().unwrap()), "{line}");
                words.next().expect("a port").to_owned()
            })
            .collect(),
    }
}

fn matches(pattern: &str, name: &str) -> bool {
    match pattern.split('*').collect::<Vec<_>>()[..] {
        [whole] => whole == name,
        [start, end] => name.starts_with(start) && name.ends_with(end),
        [start, middle, ""] => name.starts_with(start) && name.contains(middle),
        _ => panic!("{pattern} is not understood here"),
    }
}

/// Names of the ports of the Verilog, from its own text.
fn ports(core: &Generated) -> Vec<String> {
    let text = core.text("rtl/eva_core.v");
    let header = text.split_once("module eva_core (").unwrap().1.split_once(");").unwrap().0;
    header.lines().filter_map(|line| line.split_whitespace().last()).map(|name| name.replace(',', "")).collect()
}

#[test]
fn every_port_that_is_named_exists() {
    for target in Target::ALL {
        let core = Generated::tiny(target);
        let [path] = &core.listed("constraints")[..] else { panic!("one file") };
        let patterns = patterns(target, &core.text(path));
        assert!(patterns.len() >= 4, "{path}: {patterns:?}");
        let ports = ports(&core);
        assert_eq!(ports.len(), core.manifest()["ports"].as_array().unwrap().len());
        for pattern in &patterns {
            assert!(ports.iter().any(|name| matches(pattern, name)), "{path}: {pattern} matches no port");
        }
        // Timing of a core by itself: every port once, the clock as such.
        if let Target::Asic | Target::Xilinx = target {
            for name in &ports {
                let covering: Vec<_> = patterns.iter().filter(|pattern| matches(pattern, name)).collect();
                assert_eq!(covering.len(), 1, "{path}: {name}: {covering:?}");
            }
        }
    }
}

/// OpenROAD-flow-scripts gets the period of ABC with this, from the text.
#[test]
fn openroad_finds_the_period() {
    const EXPRESSION: &str = r"s/^set\s+clk_period\s+(\S+).*|.*-period\s+(\S+).*/\1\2/p";
    for clock in ["6.5", "10.0"] {
        let core = Generated::new(&["--preset", "tiny", "--clock", clock]);
        let mut sed = std::process::Command::new("sed");
        let output = run(sed.args(["-nE", EXPRESSION]).arg(core.path("constraints/eva_core.sdc")));
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(text.lines().next(), Some(clock), "{text}");
    }
}

#[test]
fn the_clock_is_the_one_asked_for() {
    for (target, expected) in [
        (Target::Asic, "\nset clk_period 8.0\n"),
        (Target::Xilinx, "create_clock -name aclk -period 8.0 [get_ports aclk]"),
        (Target::Ecp5, "FREQUENCY PORT \"aclk\" 125.000 MHZ;"),
        (Target::Ice40, "set_frequency aclk 125.000\n"),
    ] {
        let core = Generated::tiny(target);
        let text = core.text(&core.listed("constraints")[0]);
        assert!(text.contains(expected), "{text}");
        assert!(!text.contains('@'), "{text}");
        assert_eq!(core.manifest()["clock_ns"], 8.0);
        assert_eq!(core.manifest()["target"], target.name());
    }
}
