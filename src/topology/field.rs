//! Finite fields GF(q): sums, and multiplication by a primitive element.

/// The field of q elements. Element e is the polynomial whose coefficients are the digits of e in base p, the constant first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    q: u32,
    p: u32,
    /// Product of each element with the primitive element, by element.
    times: Vec<u32>,
    /// Powers of the primitive element, from exponent 0 on.
    powers: Vec<u32>,
}

impl Field {
    /// The field of q elements, if q is a power of a prime. Its primitive element ξ is the least one for a prime q. For q = p^k it is x modulo
    /// the first polynomial x^k + r that makes it primitive, in the order of the numbers r.
    pub fn new(q: u32) -> Option<Self> {
        let p = (2..=q).find(|p| q.is_multiple_of(*p))?;
        let mut power = p;
        while power < q {
            power = power.checked_mul(p)?;
        }
        if power != q {
            return None;
        }
        (1..q).map(|r| Self::with(q, p, r)).find(|field| field.powers.len() as u32 == q - 1)
    }

    /// Powers of the element r of a prime field, or of x modulo x^k + r.
    fn with(q: u32, p: u32, r: u32) -> Self {
        let mut field = Self { q, p, times: Vec::new(), powers: vec![1] };
        let times = |x: u32| match p == q {
            true => (u64::from(x) * u64::from(r) % u64::from(q)) as u32,
            false => field.add((u64::from(x) * u64::from(p) % u64::from(q)) as u32, p - x / (q / p), r),
        };
        field.times = (0..q).map(times).collect();
        let mut next = field.times[1];
        while next != 1 && (field.powers.len() as u32) < q {
            field.powers.push(next);
            next = field.times[next as usize];
        }
        field
    }

    /// Number of elements, q.
    pub fn size(&self) -> u32 {
        self.q
    }

    /// The product of an element and the primitive element ξ.
    pub fn times_primitive(&self, x: u32) -> u32 {
        self.times[x as usize]
    }

    /// ξ to a power.
    pub fn power(&self, exponent: u32) -> u32 {
        self.powers[exponent as usize % self.powers.len()]
    }

    /// The sum x + y.
    pub fn plus(&self, x: u32, y: u32) -> u32 {
        self.add(x, 1, y)
    }

    /// The difference x - y.
    pub fn minus(&self, x: u32, y: u32) -> u32 {
        self.add(x, self.p - 1, y)
    }

    /// x + c·y, digit by digit modulo p.
    fn add(&self, x: u32, c: u32, y: u32) -> u32 {
        let (mut sum, mut place) = (0, 1);
        while place < self.q {
            let digits = u64::from(x / place % self.p) + u64::from(c) * u64::from(y / place % self.p);
            sum += (digits % u64::from(self.p)) as u32 * place;
            place *= self.p;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prime_powers_have_a_field_and_other_numbers_none() {
        let sizes: Vec<u32> = (0..=32).filter(|&q| Field::new(q).is_some()).collect();
        assert_eq!(sizes, [2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 23, 25, 27, 29, 31, 32]);
    }

    #[test]
    fn powers_of_the_primitive_element_are_all_elements_but_zero() {
        for q in [4, 5, 8, 9, 13, 16, 25, 27, 49] {
            let field = Field::new(q).expect("a prime power");
            let mut powers: Vec<u32> = (0..q - 1).map(|exponent| field.power(exponent)).collect();
            powers.sort_unstable();
            assert_eq!(powers, (1..q).collect::<Vec<u32>>());
        }
    }

    /// Multiplication by ξ distributes over sums, so the tables are those of a field.
    #[test]
    fn multiplication_distributes() {
        for q in [3, 4, 8, 9, 11, 16, 25, 27] {
            let field = Field::new(q).expect("a prime power");
            for (x, y) in (0..q).flat_map(|x| (0..q).map(move |y| (x, y))) {
                let [left, right] = [x, y].map(|element| field.times_primitive(element));
                assert_eq!(field.times_primitive(field.plus(x, y)), field.plus(left, right));
                assert_eq!(field.minus(field.plus(x, y), y), x);
            }
        }
    }

    #[test]
    fn the_primitive_element_is_the_documented_one() {
        let first = |q| Field::new(q).map(|field| field.power(1));
        assert_eq!([3, 5, 7, 13, 4, 9, 27].map(first), [2, 2, 3, 2, 2, 3, 3].map(Some));
    }
}
