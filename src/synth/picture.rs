//! The shares of the modules as a picture.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::report::Report;
use super::target::Target;

const WIDTH: u32 = 1000;
const BAR: i32 = 18;
const STEP: i32 = 26;
const TOP: i32 = 70;
/// Where the bars begin and where the longest may end.
const LEFT: i32 = 300;
const RIGHT: i32 = 720;
/// Modules with less have no bar of their own.
const SMALLEST: f64 = 0.002;
const LOGIC: RGBColor = RGBColor(0x3b, 0x6e, 0xa8);
const MEMORY: RGBColor = RGBColor(0xc9, 0x8a, 0x2b);

/// A bar for each module, as an SVG file that needs no other.
pub fn picture(report: &Report) -> String {
    let (shown, rest): (Vec<_>, Vec<_>) = report.modules.iter().partition(|module| module.share >= SMALLEST);
    let (unit, total): (&str, f64) = match report.target {
        Target::Asic => ("um2", report.total.area),
        Target::Generic => ("cells", report.total.cells as f64),
        _ => ("LUTs", report.total.luts as f64),
    };
    let mut bars: Vec<(String, f64, RGBColor)> = shown
        .iter()
        .map(|module| {
            let color = if module.memory_bits > 0 { MEMORY } else { LOGIC };
            (format!("{} x {}", module.instances, module.module), module.share, color)
        })
        .collect();
    if !rest.is_empty() {
        bars.push((format!("{} others", rest.len()), rest.iter().map(|module| module.share).sum(), LOGIC));
    }
    let longest = bars.iter().map(|bar| bar.1).fold(f64::MIN_POSITIVE, f64::max);
    let mut text = String::new();
    let height = TOP + STEP * bars.len() as i32 + 20;
    {
        let area = SVGBackend::with_string(&mut text, (WIDTH, height as u32)).into_drawing_area();
        let style =
            |size: i32, pos: HPos| ("sans-serif", size).into_font().color(&BLACK).pos(Pos::new(pos, VPos::Center));
        let title = format!("{}: {total:.0} {unit}", report.top);
        let mut subtitle = report.library.clone().unwrap_or_default();
        if let Some(timing) = &report.timing
            && let Some(ns) = timing.longest_ns
        {
            subtitle += &format!(", longest path {ns:.2} ns");
        }
        // Text into a string cannot fail.
        let draw = || -> Result<(), DrawingAreaErrorKind<_>> {
            area.fill(&WHITE)?;
            area.draw(&Text::new(title, (20, 24), style(22, HPos::Left)))?;
            area.draw(&Text::new(subtitle, (20, 50), style(14, HPos::Left)))?;
            for (color, name, x) in [(LOGIC, "logic", 780), (MEMORY, "memories", 870)] {
                area.draw(&Rectangle::new([(x, 17), (x + 14, 31)], color.filled()))?;
                area.draw(&Text::new(name, (x + 20, 24), style(14, HPos::Left)))?;
            }
            for (index, (name, share, color)) in bars.iter().enumerate() {
                let y = TOP + STEP * index as i32;
                let end = LEFT + (f64::from(RIGHT - LEFT) * share / longest).round() as i32;
                area.draw(&Text::new(name.clone(), (LEFT - 10, y + BAR / 2), style(14, HPos::Right)))?;
                area.draw(&Rectangle::new([(LEFT, y), (end.max(LEFT + 1), y + BAR)], color.filled()))?;
                let label = format!("{:.1} %, {:.0} {unit}", 100.0 * share, share * total);
                area.draw(&Text::new(label, (end + 10, y + BAR / 2), style(14, HPos::Left)))?;
            }
            area.present()
        };
        draw().expect("drawing into a string");
    }
    text
}
