//! Bundles under a name of their own: several networks in one design.
//!
//! What is made for a network carries the name: its modules and test bench, its tables, and the macro before their paths. A static module
//! that instantiates such a one is the network's own, too. All other static modules are the same for every network, and are a library
//! beside it.

use super::EmitError;
use super::bundle::RtlBundle;
use super::library::{LIBRARY, instantiates};
use super::package;
use std::collections::{BTreeMap, BTreeSet};

/// Start of the names of modules that metronoc makes.
const PREFIX: &str = "mn_";
/// Macro before the paths of tables.
const MACRO: &str = "MN_ROM_DIR";
/// Folder of the static modules.
const FOLDER: &str = "library/";

/// Reason why a name cannot be that of a network.
///
/// # Errors
/// With the reason, in words, and what to do.
pub fn check_name(name: &str) -> Result<(), String> {
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic());
    if !starts || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') || name.len() > 64 {
        return Err("a name begins with a letter and has letters, digits and `_`, at most 64: name it `noc_a`".into());
    }
    if name == "mn" || name.starts_with(PREFIX) {
        return Err("names of metronoc's own modules begin with `mn_`; take another name".into());
    }
    Ok(())
}

impl RtlBundle {
    /// Bundle of this network under another name: module `mn_top` becomes `NAME_top`, and so on.
    ///
    /// # Errors
    /// Only by a defect of metronoc.
    pub fn named(&self, name: &str) -> Result<Self, EmitError> {
        let own = own_modules(&self.files);
        let named = |module: &str| format!("{name}_{}", module.trim_start_matches(PREFIX));
        let mut words: BTreeMap<String, String> =
            own.iter().map(|&module| (module.to_owned(), named(module))).collect();
        words.insert("mn_tb".into(), format!("{name}_tb"));
        words.insert(MACRO.into(), format!("{}_ROM_DIR", name.to_ascii_uppercase()));
        let mut files: BTreeMap<String, String> = BTreeMap::new();
        for (path, text) in &self.files {
            let Some((folder, file)) = path.split_once('/') else { continue };
            let module = file.trim_end_matches(".v");
            if folder == "rtl" && !own.contains(module) {
                continue;
            }
            let file = match file.strip_suffix(".v") {
                Some(module) => words.get(module).map_or_else(|| named(module), Clone::clone) + ".v",
                None => format!("{name}_{file}"),
            };
            let text = match folder {
                "rtl" | "tb" if file.ends_with(".v") => renamed(text, &words)
                    .replace("\"rom/", &format!("\"rom/{name}_"))
                    .replace("\"tb/", &format!("\"tb/{name}_")),
                _ => text.clone(),
            };
            files.insert(format!("{folder}/{file}"), text);
        }
        let library = |file: &str| format!("{FOLDER}{file}");
        files.extend(LIBRARY.iter().map(|module| (library(module.file), module.text.to_owned())));
        let shared = |path: &&String| path.starts_with("rtl/") && !own.contains(module_of(path));
        let shared: Vec<String> = self.files.keys().filter(shared).map(|path| library(&path["rtl/".len()..])).collect();
        let own_files = files.keys().filter(|path| path.starts_with("rtl/")).cloned();
        let list: String = own_files.chain(shared.iter().cloned()).map(|path| path + "\n").collect();
        let title = &self.title;
        let cores = [
            ("filelist.f".to_owned(), list),
            (format!("{name}.core"), package::core(name, title, name, &files, true)?),
            (library("metronoc_library.core"), package::library_core(LIBRARY.iter().map(|module| module.file))?),
        ];
        let used = |path: &str| !path.starts_with(FOLDER) || shared.iter().any(|file| file == path);
        let used_files = files.iter().filter(|(path, _)| used(path)).map(|(path, text)| (path.clone(), text.clone()));
        let component = package::component(&format!("{name}_top"), title, &used_files.collect())?;
        files.extend(cores);
        files.insert(format!("{name}.xml"), component);
        let mut made = self.made.clone();
        made.top = format!("{name}_top");
        Self { files, title: title.clone(), made }.sealed()
    }
}

fn module_of(path: &str) -> &str {
    path.trim_start_matches("rtl/").trim_end_matches(".v")
}

/// Modules that are made for the network, or read its tables, and those that instantiate one of these.
fn own_modules(files: &BTreeMap<String, String>) -> BTreeSet<&str> {
    let modules: Vec<(&str, &str)> = files
        .iter()
        .filter(|(path, _)| path.starts_with("rtl/"))
        .map(|(path, text)| (module_of(path), &**text))
        .collect();
    let is_static = |module: &str, text: &str| {
        LIBRARY.iter().any(|known| known.file.trim_end_matches(".v") == module && known.text == text)
    };
    let of_network = |&&(module, text): &&(&str, &str)| !is_static(module, text) || text.contains(MACRO);
    let mut own: BTreeSet<&str> = modules.iter().filter(of_network).map(|(module, _)| *module).collect();
    loop {
        let above = |&&(module, text): &&(&str, &str)| {
            !own.contains(module) && own.iter().any(|below| instantiates(text, below))
        };
        let more: Vec<&str> = modules.iter().filter(above).map(|(module, _)| *module).collect();
        if more.is_empty() {
            return own;
        }
        own.extend(more);
    }
}

/// A text with words exchanged.
fn renamed(text: &str, words: &BTreeMap<String, String>) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(is_word) {
        out.push_str(&rest[..start]);
        let end = rest[start..].find(|c| !is_word(c)).map_or(rest.len(), |length| start + length);
        let word = &rest[start..end];
        out.push_str(words.get(word).map_or(word, String::as_str));
        rest = &rest[end..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_words_are_exchanged() {
        let words = BTreeMap::from([("mn_top".to_owned(), "a_top".to_owned())]);
        assert_eq!(renamed("mn_top u_mn_top (mn_top_q); // mn_top", &words), "a_top u_mn_top (mn_top_q); // a_top");
    }

    #[test]
    fn names_that_clash_are_refused() {
        assert!(check_name("noc_a").is_ok());
        for name in ["", "1a", "a-b", "mn", "mn_x", "ü", &"a".repeat(65)] {
            assert!(check_name(name).is_err(), "{name}");
        }
    }
}
