//! Standard cells, by the default library.

use eva_rtl::synth::{Cells, Effort, Library, Mapping, MemoryModel, Report, Tools, default_library};

use super::{core, eva, map, occurrences, one_at_a_time, output, shared_cache, tools};

pub fn cells() -> Cells {
    let path = default_library().unwrap_or_else(|error| panic!("{error}"));
    let library = Library::read(&path).unwrap_or_else(|error| panic!("{error}"));
    Cells { effort: Effort::Quick, ..Cells::new(library) }
}

pub fn module<'a>(report: &'a Report, name: &str) -> &'a eva_rtl::synth::ModuleReport {
    report.modules.iter().find(|module| module.module == name).unwrap_or_else(|| panic!("no {name}"))
}

#[test]
fn a_core_adds_up_and_is_mapped_once() {
    let _lock = one_at_a_time();
    let cache = shared_cache();
    let design = core("tiny");
    let memory = MemoryModel { access_ns: 1.5, area_per_bit: 10.0 };
    let cells = Cells { memory, ..cells() };
    let report = map(&design, Mapping::Asic(Box::new(cells.clone())), None, cache, &tools());

    // The parts add up.
    let mut area = 0.0;
    for part in &report.modules {
        assert!((part.all.area - part.each.area * part.instances as f64).abs() < 1e-3, "{part:?}");
        assert!((part.share - part.all.area / report.total.area).abs() < 1e-9, "{part:?}");
        assert_eq!(part.all.flip_flops, part.each.flip_flops * part.instances);
        area += part.all.area;
    }
    assert!((area - report.total.area).abs() < 1e-3 * area);
    assert!((report.modules.iter().map(|part| part.share).sum::<f64>() - 1.0).abs() < 1e-9);
    assert_eq!(report.total.memory_area, 10.0 * report.total.memory_bits as f64);

    // Flip-flops are the bits of the registers, memories none.
    for (name, count) in occurrences(&design) {
        let ir = design.modules.iter().find(|module| module.name == name).unwrap();
        let bits: u64 = ir.regs.iter().map(|reg| u64::from(ir.node(reg.node).width)).sum();
        let has_clock = bits > 0 || report.modules.iter().any(|part| part.module == name);
        if !has_clock {
            continue;
        }
        let part = module(&report, &name);
        assert_eq!((part.instances, part.register_bits), (count, count * bits), "{name}");
        // Bits of a command's sizes that no core of this size can hold.
        let constant = if name == "eva_command" { 5 } else { 0 };
        assert_eq!(part.all.flip_flops, count * bits - constant, "{name}");
    }
    let memories = report.modules.iter().filter(|part| part.module.starts_with("eva_mem_"));
    assert!(memories.clone().all(|part| part.all.cells == 0 && part.all.flip_flops == 0 && part.memory_bits > 0));
    let bits: u64 = occurrences(&design)
        .iter()
        .zip(&design.modules)
        .map(|((_, count), module)| {
            let mems = module.mems.iter().filter(|mem| !mem.reads.is_empty());
            count * mems.map(|mem| u64::from(mem.depth) * u64::from(mem.width)).sum::<u64>()
        })
        .sum();
    assert_eq!(report.total.memory_bits, bits);

    // Paths go across modules, and begin and end where people know their way.
    let timing = report.timing.as_ref().unwrap();
    let longest = timing.longest_ns.unwrap();
    assert!(timing.across_modules && timing.by.starts_with("OpenSTA "));
    assert!((timing.fmax_mhz.unwrap() - 1000.0 / longest).abs() < 1e-6);
    assert!(timing.paths.iter().any(|path| path.start.module != path.end.module));
    assert!(timing.paths.windows(2).all(|pair| pair[0].ns >= pair[1].ns) && timing.paths[0].ns == longest);
    let from_memory =
        timing.paths.iter().find(|path| path.start.module.starts_with("eva_mem_")).expect("from a memory");
    let data = from_memory.points.iter().find(|point| point.pin.contains("_data")).unwrap();
    assert_eq!(data.ns, 1.5);
    for path in &timing.paths {
        let names = [&path.start.name, &path.end.name];
        assert!(names.iter().all(|name| !name.starts_with('_')), "{names:?}");
        assert!(path.gates < path.points.len() as u64);
    }

    // A second run maps nothing and says the same.
    let again = map(&design, Mapping::Asic(Box::new(cells)), None, cache, &tools());
    assert_eq!((again.jobs, again.cached_jobs), (report.jobs, report.jobs));
    assert!(json(&again) == json(&report), "the cache says something else");
}

/// A report without what differs between runs.
fn json(report: &Report) -> serde_json::Value {
    let mut value = serde_json::to_value(report).unwrap();
    for field in ["seconds", "cached_jobs"] {
        value.as_object_mut().unwrap().remove(field);
    }
    value
}

#[test]
fn without_opensta_it_is_said_that_paths_across_modules_are_not_seen() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["--preset", "tiny", "--top", "eva_accumulator_bank", "--effort", "quick"];
    let (output, stderr) = output(eva(&args, folder.path(), folder.path()).env("EVA_STA", ""));
    assert!(output.status.success(), "{stderr}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("longest path by ABC") && text.contains("paths across modules are not seen"), "{text}");
    assert!(stderr.contains("without OpenSTA"), "{stderr}");
}

#[test]
fn results_are_written_for_people_and_programs() {
    let folder = tempfile::tempdir().unwrap();
    let [report, picture] = ["report.json", "a picture.svg"].map(|name| folder.path().join(name));
    let args = ["--preset", "tiny", "--top", "eva_pe", "--effort", "quick", "--clock", "1"];
    let mut command = eva(&args, folder.path(), folder.path());
    command.arg("--report").arg(&report).arg("--picture").arg(&picture);
    let (output, stderr) = output(&mut command);
    assert!(output.status.success(), "{stderr}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("misses 1 ns"), "{text}");
    let json: serde_json::Value = serde_json::from_slice(&std::fs::read(&report).unwrap()).unwrap();
    let page = include_str!("../../docs/synthesis.md");
    let explained: std::collections::BTreeSet<&str> = page.split('`').skip(1).step_by(2).collect();
    let [timing, path] = [&json["timing"], &json["timing"]["paths"][0]];
    let parts =
        [&json, &json["modules"][0], &json["total"], &json["memory"], timing, path, &path["start"], &path["points"][0]];
    for name in parts.iter().flat_map(|part| part.as_object().unwrap().keys()) {
        assert!(explained.contains(name.as_str()), "{name} is not explained");
    }
    let modules = json["modules"].as_array().unwrap();
    for module in modules {
        let name = module["module"].as_str().unwrap();
        let line = text.lines().find(|line| line.trim_start().starts_with(&format!("{name} "))).expect(name);
        let area = format!("{:.0}", module["area"].as_f64().unwrap());
        assert!(line.split_whitespace().any(|cell| cell.replace(',', "") == area), "{line}");
    }
    // None of a recipe meets an impossible clock: the fastest is taken.
    assert!(modules.iter().any(|module| module["recipe"].as_str().is_some_and(|recipe| recipe.starts_with("speed"))));
    let svg = std::fs::read_to_string(&picture).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("eva_pe") && !svg.contains("href"), "{svg}");
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 3, "report, picture and cache: {left:?}");
}

#[test]
fn a_change_maps_only_what_it_touches() {
    let _lock = one_at_a_time();
    let cache = tempfile::tempdir().unwrap();
    let no_timing = Tools { sta: None, ..tools() };
    let config = |tree: u32| {
        let mut config = eva_rtl::config::Preset::find("tiny").unwrap().config();
        config.pipeline.tree = tree;
        eva_rtl::rtl::eva_core(&config).unwrap().design
    };
    let run = |tree| map(&config(tree), Mapping::Generic, Some("eva_row"), cache.path(), &no_timing);
    let first = run(1);
    assert_eq!((first.jobs, first.cached_jobs), (3, 0), "eva_row, eva_pe, eva_dot");
    let second = run(2);
    // The row itself is the same, and the PE in it.
    assert_eq!((second.jobs, second.cached_jobs), (3, 2));
    assert!(second.total.flip_flops > first.total.flip_flops);
}

/// With the script for ABC that takes seconds for this multiplier; Yosys's own takes minutes.
#[test]
fn generic_gates_of_a_large_multiplier() {
    let _lock = one_at_a_time();
    let cache = tempfile::tempdir().unwrap();
    let no_timing = Tools { sta: None, ..tools() };
    let report = map(&core("tiny"), Mapping::Generic, Some("eva_scaler"), cache.path(), &no_timing);
    assert!(report.total.cells > 0 && report.total.flip_flops == report.modules[0].register_bits, "{report:?}");
}
