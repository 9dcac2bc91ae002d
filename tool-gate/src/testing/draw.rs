//! Choices that are the same on every machine and every day.

/// A source of choices: a small generator that gives the same draws for the same seed.
#[derive(Debug)]
pub(super) struct Draw(u64);

impl Draw {
    /// Draws from this seed.
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `bound`; 0 where that is 0.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        // xorshift64*: good enough to choose by.
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let drawn = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32;
        usize::try_from(drawn).unwrap_or_default() % bound.max(1)
    }

    /// One of two.
    pub(super) fn coin(&mut self) -> bool {
        self.below(2) == 0
    }

    /// One of them, if there are any.
    pub(super) fn choose<'i, T>(&mut self, items: &'i [T]) -> Option<&'i T> {
        let place = self.below(items.len());
        items.get(place)
    }

    /// At most so many of them, in the order in which they stand.
    pub(super) fn sample<T>(&mut self, mut items: Vec<T>, most: usize) -> Vec<T> {
        let mut left = items.len();
        let mut wanted = most;
        items.retain(|_| {
            // Each is taken with the chance that as many as are wanted are among those that are left.
            let taken = self.below(left) < wanted;
            left -= 1;
            wanted -= usize::from(taken);
            taken
        });
        items
    }
}
