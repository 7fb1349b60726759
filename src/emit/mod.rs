//! Emission: the lowered schedule becomes a folder of Verilog, memory images and file lists for tools.
//!
//! Parameterised modules are static files that lint as they stand (`rtl_templates/lib/`); only what depends on the
//! network's shape is made from a template. Same specification, same bytes: no dates, no paths.

mod bundle;
mod error;
mod images;
mod library;
mod named;
mod origin;
mod package;
mod verilog;
mod views;

pub use bundle::{MANIFEST, RtlBundle};
pub use error::EmitError;
pub(crate) use images::image_file;
pub use images::{CHECK_DIGITS, CHECK_LINE, ROM_DIR, check_byte};
pub use library::{LIBRARY, Module, needed};
pub use named::check_name;
pub use origin::Origin;
pub use verilog::Verilog;
pub use views::swapped_dragonfly::all_to_all::node as source_vector_node;
pub use views::swapped_dragonfly::product::node as product_node;
