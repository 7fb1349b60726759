//! Schedules that other tools made, and schedules for them: a file or folder here for each form, all of them behind [`Form`].
//!
//! A reader makes a [`Flow`]: packets, and the sends and sums of which they are the subject, in an order in which each has what it needs.
//! Times are in the flow where the form has them.
//!
//! # Adding a form
//! Write a file with a type that is a [`Form`] and list it in [`FORMS`].

mod flow;
mod form;
mod msccl;
mod place;
mod refusal;
mod s4noc;
mod s4noc_write;
mod sccl;
mod sccl_write;
mod wanted;

pub use flow::{Combine, Event, Flow, Send};
pub use form::{Form, Hint};
pub use place::FormError;
pub use refusal::Refusal;
pub use wanted::Wanted;

/// All forms.
pub const FORMS: &[&dyn Form] = &[&sccl::Sccl, &msccl::Msccl, &s4noc::S4noc];

/// Form of a name.
pub fn form_named(name: &str) -> Option<&'static dyn Form> {
    FORMS.iter().copied().find(|form| form.name() == name)
}

/// Form of a text; none if it is of no form that is known here.
pub fn form_of(text: &str) -> Option<&'static dyn Form> {
    FORMS.iter().copied().find(|form| form.recognises(text))
}
