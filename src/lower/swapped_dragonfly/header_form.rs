//! Forms of the headers on channels.

/// Form of the headers on channels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeaderForm {
    /// A valid bit: endpoints know what comes.
    Valid,
    /// Source vectors: {last, pi, gamma} on local channels, {pi} on global ones.
    SourceVector,
    /// Synchronizing headers: {past, copy, keep, own, then, pi, gamma} on local channels, {copy, then, pi} on global ones, with `then`
    /// in one bit.
    Synchronizing,
    /// Synchronizing headers of packets of one hop where routers do not copy; each carries the other header, in the form for local
    /// channels.
    Carried,
}

impl HeaderForm {
    /// Names and bits of the fields on channels of D3(`k`, `m`), from the lowest bit on.
    pub fn fields(self, k: u32, m: u32, is_local: bool) -> Vec<(&'static str, u32)> {
        let (gamma, pi, then) = (("gamma", k), ("pi", m), ("then", 1));
        match (self, is_local) {
            (Self::Valid, _) => vec![("valid", 1)],
            (Self::SourceVector, true) => vec![gamma, pi, ("last", 1)],
            (Self::SourceVector, false) => vec![pi],
            (Self::Synchronizing, true) => vec![gamma, pi, then, ("own", 1), ("keep", 1), ("copy", 1), ("past", 1)],
            (Self::Synchronizing, false) => vec![pi, then, ("copy", 1)],
            (Self::Carried, _) => {
                let carried = ("carried", Self::Synchronizing.bits(k, m, true));
                [Self::Synchronizing.fields(k, m, is_local), vec![carried]].concat()
            }
        }
    }

    /// Header bits of a channel of D3(`k`, `m`): those of all fields.
    pub const fn bits(self, k: u32, m: u32, is_local: bool) -> u32 {
        match (self, is_local) {
            (Self::Valid, _) => 1,
            (Self::SourceVector, true) => k + m + 1,
            (Self::SourceVector, false) => m,
            (Self::Synchronizing, true) => k + m + 5,
            (Self::Synchronizing, false) => m + 2,
            (Self::Carried, _) => Self::Synchronizing.bits(k, m, is_local) + Self::Synchronizing.bits(k, m, true),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::HeaderForm;

    #[test]
    fn a_header_has_the_bits_of_its_fields() {
        for form in [HeaderForm::Valid, HeaderForm::SourceVector, HeaderForm::Synchronizing, HeaderForm::Carried] {
            for is_local in [false, true] {
                let fields: u32 = form.fields(3, 5, is_local).iter().map(|(_, bits)| bits).sum();
                assert_eq!(form.bits(3, 5, is_local), fields, "{form:?}");
            }
        }
    }
}
