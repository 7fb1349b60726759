//! POPS: its drawing, and the reports of scheduled couplers and of couplers that arbitrate.

mod couplers;
mod drawing;
mod traffic;

pub use couplers::CouplersReport;
pub use traffic::PopsTrafficReport;
