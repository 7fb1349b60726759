//! Imports between the files of `src`, read from their syntax.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// Path in the code of a file, from the root of the crate, with its line.
pub type Named = (Vec<String>, usize);

/// Module of the crate: its paths, and the names that it hands on from others.
#[derive(Default)]
struct Module {
    named: Vec<Named>,
    /// Names that a `use` brings into the module, with the path that each stands for.
    aliases: BTreeMap<String, Vec<String>>,
    defined: BTreeSet<String>,
}

/// All modules of a crate, by path; the root is empty.
pub struct Crate {
    modules: BTreeMap<Vec<String>, Module>,
}

impl Crate {
    /// The crate below a folder.
    pub fn read(root: &Path) -> Self {
        let mut files = Vec::new();
        rust_files(root, &mut files);
        let texts = files.into_iter().map(|file| {
            let text = std::fs::read_to_string(&file).unwrap();
            let mut path: Vec<String> =
                file.strip_prefix(root).unwrap().with_extension("").iter().map(text_of).collect();
            if ["mod", "lib", "main"].contains(&path.last().unwrap().as_str()) {
                path.pop();
            }
            (path, text)
        });
        // the binary's file has no module of its own
        Self::of(texts.filter(|(_, text)| !text.contains("fn main()")))
    }

    /// The crate of modules by path and text.
    pub fn of(texts: impl IntoIterator<Item = (Vec<String>, String)>) -> Self {
        let texts: Vec<_> = texts.into_iter().collect();
        let known: BTreeSet<Vec<String>> = texts.iter().map(|(path, _)| path.clone()).collect();
        let module = |(path, text): (Vec<String>, String)| {
            let syntax = syn::parse_file(&text).unwrap_or_else(|e| panic!("{}: {e}", path.join("/")));
            let mut reader = Reader { path: &path, known: &known, uses: Vec::new(), module: Module::default() };
            // names first: any item may use them, wherever the import stands
            reader.visit_file(&syntax);
            let Reader { uses, mut module, .. } = reader;
            let expanded = module.named.iter().filter_map(|(segments, line)| {
                // one name alone is a variable, or an item that a `use` has brought
                let full = if segments.len() > 1 { absolute(&path, &known, segments) } else { None };
                let alias = || module.aliases.get(&segments[0]);
                let full = full.or_else(|| Some([&alias()?[..], &segments[1..]].concat()))?;
                Some((full, *line))
            });
            module.named = expanded.chain(uses).collect();
            (path.clone(), module)
        };
        Self { modules: texts.into_iter().map(module).collect() }
    }

    /// Paths that a module names, each from the module that defines the item.
    pub fn named(&self, module: &[String]) -> impl Iterator<Item = Named> + '_ {
        let named = self.modules.get(module).into_iter().flat_map(|module| &module.named);
        named.map(|(path, line)| (self.defined(path.clone(), 8), *line))
    }

    /// All modules.
    pub fn modules(&self) -> impl Iterator<Item = &Vec<String>> {
        self.modules.keys()
    }

    /// Module that a path leads into.
    pub fn owner<'a>(&self, path: &'a [String]) -> &'a [String] {
        let lengths = (0..=path.len()).rev();
        lengths.map(|length| &path[..length]).find(|&path| self.modules.contains_key(path)).unwrap_or_default()
    }

    /// Path with names that modules hand on replaced by the places where they are defined.
    fn defined(&self, path: Vec<String>, depth: usize) -> Vec<String> {
        let owner = self.owner(&path);
        let Some((name, rest)) = path[owner.len()..].split_first() else { return path };
        match self.modules.get(owner).filter(|module| !module.defined.contains(name)) {
            Some(Module { aliases, .. }) if depth > 0 && aliases.contains_key(name) => {
                self.defined([&aliases[name][..], rest].concat(), depth - 1)
            }
            _ => path,
        }
    }

    /// Modules that each module imports, itself and the root left out. A `pub use` hands a name on and is no import.
    pub fn imports(&self) -> BTreeMap<&[String], BTreeSet<Vec<String>>> {
        let of = |module: &Vec<String>| {
            let all = self.named(module).map(|(path, _)| self.owner(&path).to_vec());
            all.filter(|other| other != module && !other.is_empty()).collect()
        };
        self.modules.keys().map(|module| (&module[..], of(module))).collect()
    }

    /// Sets of modules each of which leads to every other over imports.
    pub fn circles(&self) -> BTreeSet<Vec<String>> {
        let imports = self.imports();
        let reached = |from: &[String]| {
            let (mut seen, mut open) = (BTreeSet::new(), vec![from.to_vec()]);
            while let Some(at) = open.pop() {
                let next = imports.get(&at[..]).into_iter().flatten();
                open.extend(next.filter(|next| seen.insert((*next).clone())).cloned());
            }
            seen
        };
        let reach: BTreeMap<&[String], BTreeSet<Vec<String>>> = imports.keys().map(|&m| (m, reached(m))).collect();
        let circle = |(&module, there): (&&[String], &BTreeSet<Vec<String>>)| {
            let back = there.iter().filter(|&other| reach[&other[..]].contains(module));
            let circle: Vec<String> = back.map(|module| module.join("/")).collect();
            (circle.len() > 1).then_some(circle)
        };
        reach.iter().filter_map(circle).collect()
    }
}

fn text_of(part: &std::ffi::OsStr) -> String {
    part.to_str().unwrap().to_owned()
}

fn rust_files(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, into);
        } else if path.extension().is_some_and(|e| e == "rs") {
            into.push(path);
        }
    }
}

/// Path from the root of the crate, if its first segment says so or is a module below.
fn absolute(module: &[String], known: &BTreeSet<Vec<String>>, segments: &[String]) -> Option<Vec<String>> {
    let supers = segments.iter().take_while(|s| *s == "super").count();
    Some(match segments[0].as_str() {
        "crate" => segments[1..].to_vec(),
        "self" => [module, &segments[1..]].concat(),
        "super" => [&module[..module.len() - supers], &segments[supers..]].concat(),
        first if known.contains(&[module, &[first.to_owned()]].concat()) => [module, segments].concat(),
        _ => return None,
    })
}

/// Reads the paths of a file; tests inside it do not count.
struct Reader<'a> {
    path: &'a [String],
    known: &'a BTreeSet<Vec<String>>,
    uses: Vec<Named>,
    module: Module,
}

impl Reader<'_> {
    fn tree(&mut self, tree: &syn::UseTree, before: &[String], public: bool) {
        let mut leaf = |name: &syn::Ident, alias: &syn::Ident| {
            let itself = name == "self";
            let path = if itself { before.to_vec() } else { [before, &[name.to_string()]].concat() };
            let Some(full) = absolute(self.path, self.known, &path) else { return };
            let alias = if itself { full.last().cloned().unwrap_or_default() } else { alias.to_string() };
            self.module.aliases.insert(alias, full.clone());
            if !public {
                self.uses.push((full, name.span().start().line));
            }
        };
        match tree {
            syn::UseTree::Path(path) => self.tree(&path.tree, &[before, &[path.ident.to_string()]].concat(), public),
            syn::UseTree::Group(group) => group.items.iter().for_each(|item| self.tree(item, before, public)),
            syn::UseTree::Name(name) => leaf(&name.ident, &name.ident),
            syn::UseTree::Rename(rename) => leaf(&rename.ident, &rename.rename),
            syn::UseTree::Glob(glob) => {
                if let Some(full) = absolute(self.path, self.known, before) {
                    self.uses.push((full, glob.span().start().line));
                }
            }
        }
    }

    /// Paths in the text of a macro's call.
    fn tokens(&mut self, tokens: proc_macro2::TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let (mut colons, mut line) = (0, 0);
        let mut end = |path: &mut Vec<String>, line| {
            let path = std::mem::take(path);
            if path.len() > 1 {
                self.module.named.push((path, line));
            }
        };
        let mut inner = Vec::new();
        for token in tokens {
            match token {
                proc_macro2::TokenTree::Ident(ident) => {
                    if colons != 2 {
                        end(&mut path, line);
                        line = ident.span().start().line;
                    }
                    path.push(ident.to_string());
                    colons = 0;
                }
                proc_macro2::TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
                other => {
                    end(&mut path, line);
                    colons = 0;
                    if let proc_macro2::TokenTree::Group(group) = other {
                        inner.push(group.stream());
                    }
                }
            }
        }
        end(&mut path, line);
        inner.into_iter().for_each(|tokens| self.tokens(tokens));
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        let (name, attributes) = match item {
            syn::Item::Mod(item) => (None, &item.attrs),
            syn::Item::Fn(item) => (Some(&item.sig.ident), &item.attrs),
            syn::Item::Struct(item) => (Some(&item.ident), &item.attrs),
            syn::Item::Enum(item) => (Some(&item.ident), &item.attrs),
            syn::Item::Trait(item) => (Some(&item.ident), &item.attrs),
            syn::Item::Type(item) => (Some(&item.ident), &item.attrs),
            syn::Item::Const(item) => (Some(&item.ident), &item.attrs),
            syn::Item::Static(item) => (Some(&item.ident), &item.attrs),
            syn::Item::Use(item) => {
                return self.tree(&item.tree, &[], !matches!(item.vis, syn::Visibility::Inherited));
            }
            other => return visit::visit_item(self, other),
        };
        let test =
            |a: &syn::Attribute| a.path().is_ident("cfg") && a.parse_args::<syn::Ident>().is_ok_and(|i| i == "test");
        if !attributes.iter().any(test) {
            self.module.defined.extend(name.map(ToString::to_string));
            visit::visit_item(self, item);
        }
    }

    // `pub(super)` imports nothing
    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.module.named.push((segments, path.span().start().line));
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, called: &'ast syn::Macro) {
        self.tokens(called.tokens.clone());
    }
}
