//! Lower bounds by name, as every kind of collective has them.

use serde::ser::{Serialize, SerializeMap, Serializer};

/// Class of schedules for which a bound holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scope {
    /// Name in JSON.
    pub name: &'static str,
    /// Name in a table, such as "any schedule".
    pub words: &'static str,
    /// Meaning in one line.
    pub meaning: &'static str,
}

impl Scope {
    /// Any schedule on any routes, with or without waiting.
    pub const ANY_SCHEDULE: Self =
        Self { name: "any-schedule", words: "any schedule", meaning: "any schedule, on any routes" };
}

impl Serialize for Scope {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name)
    }
}

/// A number of cycles that no schedule in its scope can go below.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct NamedBound {
    /// Name of the bound, such as `global`.
    pub name: &'static str,
    /// Clock cycles from the first claimed one to the last.
    pub cycles: u64,
    /// Class of schedules for which the bound holds. None where the reason names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holds_for: Option<Scope>,
    /// Reason of the bound, one sentence.
    pub reason: String,
}

/// The bounds of one collective on one network. Serialized as an object of name → cycles; [`BoundList::all`] has the reasons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoundList(Vec<NamedBound>);

impl BoundList {
    pub(super) fn new(all: Vec<NamedBound>) -> Self {
        Self(all)
    }

    /// All bounds with their scopes and reasons.
    pub fn all(&self) -> &[NamedBound] {
        &self.0
    }

    /// A bound by its name.
    pub fn get(&self, name: &str) -> Option<u64> {
        self.0.iter().find(|b| b.name == name).map(|b| b.cycles)
    }

    /// The largest bound, at least 1.
    pub fn largest(&self) -> u64 {
        self.0.iter().map(|b| b.cycles).fold(1, u64::max)
    }

    /// Cycles of a schedule over the largest bound.
    pub fn ratio(&self, cycles: u32) -> f64 {
        f64::from(cycles) / self.largest() as f64
    }

    /// Ratio of a schedule's cycles to the largest bound that holds for any schedule. None if that bound is 0 or the
    /// largest of all, or if some bound does not name its scope.
    pub fn ratio_to_any(&self, cycles: u32) -> Option<f64> {
        if self.0.iter().any(|bound| bound.holds_for.is_none()) {
            return None;
        }
        let any = self.0.iter().filter(|bound| bound.holds_for == Some(Scope::ANY_SCHEDULE));
        let largest = any.map(|bound| bound.cycles).max().filter(|&largest| 0 < largest && largest < self.largest())?;
        Some(f64::from(cycles) / largest as f64)
    }

    /// The ratios of a schedule in words: `12, 1.000 times the largest bound, 1.091 times the largest of any schedule`.
    /// The cycles alone without a bound.
    pub fn ratios(&self, cycles: u32) -> String {
        if self.0.is_empty() {
            return cycles.to_string();
        }
        let any = self.ratio_to_any(cycles).map(|ratio| format!(", {ratio:.3} times the largest of any schedule"));
        format!("{cycles}, {:.3} times the largest bound{}", self.ratio(cycles), any.unwrap_or_default())
    }
}

impl Serialize for BoundList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for bound in &self.0 {
            map.serialize_entry(bound.name, &bound.cycles)?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(bounds: &[(u64, Option<Scope>)]) -> BoundList {
        let bound = |&(cycles, holds_for)| NamedBound { name: "bound", cycles, holds_for, reason: String::new() };
        BoundList::new(bounds.iter().map(bound).collect())
    }

    #[test]
    fn a_ratio_to_any_schedule_is_said_where_it_differs() {
        let (any, uniform) = (Some(Scope::ANY_SCHEDULE), Some(Scope { name: "uniform", words: "", meaning: "" }));
        let both = list(&[(10, any), (8, any), (12, uniform)]);
        assert_eq!(both.ratios(15), "15, 1.250 times the largest bound, 1.500 times the largest of any schedule");
        for alone in [list(&[(10, any)]), list(&[(12, any), (12, uniform)]), list(&[(10, any), (12, None)]), list(&[])]
        {
            assert_eq!(alone.ratio_to_any(15), None);
        }
        assert_eq!(list(&[(10, any)]).ratios(15), "15, 1.500 times the largest bound");
    }
}
