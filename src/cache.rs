//! The folder for what can be made again but takes long.

use std::env;
use std::path::PathBuf;

/// `$EVA_CACHE`, else `eva-rtl` in the user's cache folder; `None` if there is neither. It may not exist yet.
pub(crate) fn root() -> Option<PathBuf> {
    let set = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    set("EVA_CACHE")
        .or_else(|| set("XDG_CACHE_HOME").map(|folder| folder.join("eva-rtl")))
        .or_else(|| set("HOME").map(|folder| folder.join(".cache/eva-rtl")))
}
