//! `--clock`, a period or a frequency: the same for every command.

use std::ops::RangeInclusive;

use super::terminal::{self, Notice};

/// What a number without a unit is to a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bare {
    Nanoseconds,
    Megahertz,
}

/// A clock as it was asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Clock {
    ns: f64,
    mhz: f64,
    /// The number, if it came without a unit, and what it was taken for.
    bare: Option<(String, Bare)>,
}

/// How many ns a period of one has, or how many MHz a frequency of one.
#[derive(Clone, Copy)]
enum Unit {
    Period(f64),
    Frequency(f64),
}

/// Units by name, in small letters; those that end like others first.
const UNITS: [(&str, Unit); 7] = [
    ("ps", Unit::Period(1e-3)),
    ("ns", Unit::Period(1.0)),
    ("us", Unit::Period(1e3)),
    ("khz", Unit::Frequency(1e-3)),
    ("mhz", Unit::Frequency(1.0)),
    ("ghz", Unit::Frequency(1e3)),
    ("hz", Unit::Frequency(1e-6)),
];

impl Clock {
    /// In MHz; what lies outside was hardly meant where no unit was named.
    const PLAUSIBLE_MHZ: RangeInclusive<f64> = 25.0..=5000.0;

    /// Reads a clock whose period is within `ns`; a number alone is `bare`.
    pub fn reader(bare: Bare, ns: RangeInclusive<f64>) -> impl Fn(&str) -> Result<Self, String> + Clone + Send + Sync {
        move |text| {
            let clock = Self::parse(text, bare).filter(|clock| ns.contains(&clock.ns));
            clock.ok_or_else(|| {
                let (least, most) = (ns.start(), ns.end());
                match bare {
                    Bare::Nanoseconds => format!(
                        "must be a period in ns from {least} to {most}, or have a unit: 8, 8ns, 125MHz, 0.125GHz"
                    ),
                    Bare::Megahertz => format!(
                        "must be a frequency in MHz from {} to {}, or have a unit: 500, 500MHz, 0.5GHz, 2ns",
                        shown(1000.0 / most),
                        shown(1000.0 / least)
                    ),
                }
            })
        }
    }

    fn parse(text: &str, bare: Bare) -> Option<Self> {
        let small = text.trim().to_ascii_lowercase();
        let named = UNITS.iter().find_map(|(name, unit)| Some((small.strip_suffix(name)?, *unit)));
        let (number, unit) = named.unwrap_or((
            &small,
            match bare {
                Bare::Nanoseconds => Unit::Period(1.0),
                Bare::Megahertz => Unit::Frequency(1.0),
            },
        ));
        let value: f64 = number.trim_end().parse().ok()?;
        let (ns, mhz) = match unit {
            Unit::Period(of_one) => (value * of_one, 1000.0 / (value * of_one)),
            Unit::Frequency(of_one) => (1000.0 / (value * of_one), value * of_one),
        };
        let bare = named.is_none().then(|| (number.to_owned(), bare));
        Some(Self { ns, mhz, bare })
    }

    /// Its period.
    pub fn nanoseconds(&self) -> f64 {
        self.ns
    }

    /// Its frequency.
    pub fn megahertz(&self) -> f64 {
        self.mhz
    }

    /// Tells the user if it was likely meant in another unit.
    pub fn tell_doubt(&self) {
        if let Some(doubt) = self.doubt() {
            terminal::tell(Notice::Note, &doubt);
        }
    }

    /// What to say if it was likely meant in another unit.
    fn doubt(&self) -> Option<String> {
        let (number, bare) = self.bare.as_ref().filter(|_| !Self::PLAUSIBLE_MHZ.contains(&self.mhz))?;
        let (ns, mhz) = (shown(self.ns), shown(self.mhz));
        Some(match bare {
            Bare::Nanoseconds => format!(
                "--clock {number} is a period of {ns} ns here, {mhz} MHz; if something else is meant, name the unit: {number}MHz or {number}ps"
            ),
            Bare::Megahertz => format!(
                "--clock {number} is {mhz} MHz here, a period of {ns} ns; if something else is meant, name the unit: {number}ns or {number}GHz"
            ),
        })
    }
}

/// A positive number with up to four significant digits behind the point: `500`, `333.3333`, `0.001`.
pub fn shown(number: f64) -> String {
    let text = format!("{number:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, bare: Bare) -> Result<Clock, String> {
        Clock::reader(bare, 0.1..=1000.0)(text)
    }

    #[test]
    fn units_mean_the_same_to_every_command() {
        for bare in [Bare::Nanoseconds, Bare::Megahertz] {
            for text in ["8ns", "8000ps", "0.008us", "125MHz", "125 mhz", "0.125GHz", "125000kHz", "125000000Hz"] {
                let clock = read(text, bare).unwrap();
                assert_eq!((clock.nanoseconds(), clock.megahertz()), (8.0, 125.0), "{text}");
                assert_eq!(clock.doubt(), None, "{text}");
            }
        }
        assert_eq!(read("8", Bare::Nanoseconds).unwrap().megahertz(), 125.0);
        assert_eq!(read("125", Bare::Megahertz).unwrap().nanoseconds(), 8.0);
    }

    #[test]
    fn what_is_no_clock_is_refused() {
        for text in ["", "ns", "0", "-8", "-8ns", "nan", "inf", "8 s", "8nsns", "1001ns", "0.9MHz", "1e400", "0MHz"] {
            for bare in [Bare::Nanoseconds, Bare::Megahertz] {
                assert!(read(text, bare).unwrap_err().contains("or have a unit"), "{text}");
            }
        }
        assert!(read("-8", Bare::Megahertz).unwrap_err().contains("MHz from 1 to 10000,"));
    }

    #[test]
    fn a_number_that_was_meant_otherwise_is_doubted() {
        for (text, bare, expected) in [
            (
                "500",
                Bare::Nanoseconds,
                "a period of 500 ns here, 2 MHz; if something else is meant, name the unit: 500MHz",
            ),
            ("0.1", Bare::Nanoseconds, "a period of 0.1 ns here, 10000 MHz; "),
            ("8", Bare::Megahertz, "is 8 MHz here, a period of 125 ns; if something else is meant, name the unit: 8ns"),
        ] {
            let doubt = read(text, bare).unwrap().doubt().unwrap();
            assert!(doubt.contains(expected), "{doubt}");
        }
        for (text, bare) in [("40", Bare::Nanoseconds), ("10", Bare::Nanoseconds), ("500", Bare::Megahertz)] {
            assert_eq!(read(text, bare).unwrap().doubt(), None, "{text}");
        }
        assert_eq!(read("500ns", Bare::Megahertz).unwrap().doubt(), None);
    }
}
