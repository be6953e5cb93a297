//! Reading files that others name.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// All bytes of a file, or of a pipe or device, that should have no more than `most`: what never ends must not take all memory.
///
/// # Errors
/// If it cannot be read, or has more.
pub(crate) fn read_limited(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::new(ErrorKind::FileTooLarge, format!("it has more than {most} bytes")));
    }
    Ok(bytes)
}
