//! Ranges as they stand in `range = …`, `length = …` and `items = …`.

use std::ops::{Bound, Range, RangeFrom, RangeInclusive, RangeTo, RangeToInclusive};

use serde_json::Number;

use super::Constraints;

/// A range whose ends are of the type `N`.
///
/// A trait of our own, since `RangeBounds` takes ranges of references too and speaks of itself in errors.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a range of `{N}`",
    label = "expected a range of `{N}`",
    note = "write `low..=high`, `low..`, `..=high` or `low..high`, with decimals (`1.0`) for a float"
)]
pub trait Bounds<N> {
    /// Its start and its end.
    fn bounds(self) -> (Bound<N>, Bound<N>);
}

#[diagnostic::do_not_recommend]
impl<N> Bounds<N> for Range<N> {
    fn bounds(self) -> (Bound<N>, Bound<N>) {
        (Bound::Included(self.start), Bound::Excluded(self.end))
    }
}

#[diagnostic::do_not_recommend]
impl<N> Bounds<N> for RangeFrom<N> {
    fn bounds(self) -> (Bound<N>, Bound<N>) {
        (Bound::Included(self.start), Bound::Unbounded)
    }
}

#[diagnostic::do_not_recommend]
impl<N> Bounds<N> for RangeInclusive<N> {
    fn bounds(self) -> (Bound<N>, Bound<N>) {
        let (start, end) = self.into_inner();
        (Bound::Included(start), Bound::Included(end))
    }
}

#[diagnostic::do_not_recommend]
impl<N> Bounds<N> for RangeTo<N> {
    fn bounds(self) -> (Bound<N>, Bound<N>) {
        (Bound::Unbounded, Bound::Excluded(self.end))
    }
}

#[diagnostic::do_not_recommend]
impl<N> Bounds<N> for RangeToInclusive<N> {
    fn bounds(self) -> (Bound<N>, Bound<N>) {
        (Bound::Unbounded, Bound::Included(self.end))
    }
}

/// A number of Rust that JSON has too.
#[diagnostic::on_unimplemented(
    message = "a range cannot be written in `{Self}`",
    label = "not a number of Rust's that JSON has too",
    note = "an integer of up to 64 bits, `f32` or `f64` is one"
)]
pub trait Primitive: Copy + sealed::Sealed {
    /// The same number in JSON; nothing for what is not finite, and bounds nothing.
    #[doc(hidden)]
    fn json(self) -> Option<Number>;

    /// The greatest number below, if that is a matter of counting.
    #[doc(hidden)]
    fn below(self) -> Option<Self>;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! integers {
    ($($integer:ty)*) => {$(
        impl sealed::Sealed for $integer {}

        #[diagnostic::do_not_recommend]
        impl Primitive for $integer {
            fn json(self) -> Option<Number> {
                Some(self.into())
            }

            fn below(self) -> Option<Self> {
                self.checked_sub(1)
            }
        }
    )*};
}

integers!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize);

impl sealed::Sealed for f64 {}

#[diagnostic::do_not_recommend]
impl Primitive for f64 {
    fn json(self) -> Option<Number> {
        Number::from_f64(self)
    }

    fn below(self) -> Option<Self> {
        None
    }
}

impl sealed::Sealed for f32 {}

#[diagnostic::do_not_recommend]
impl Primitive for f32 {
    /// Through the shortest decimals: 0.1 is published as 0.1 and not as what the nearest `f32` is in an `f64`.
    fn json(self) -> Option<Number> {
        self.to_string().parse::<f64>().ok().and_then(Number::from_f64)
    }

    fn below(self) -> Option<Self> {
        None
    }
}

impl Constraints {
    /// Sets the bounds of a number, inclusive where the type can count.
    pub(super) fn between<N: Primitive>(&mut self, range: impl Bounds<N>) {
        let (start, end) = range.bounds();
        match start {
            Bound::Included(start) => self.minimum = start.json(),
            Bound::Excluded(start) => self.exclusive_minimum = start.json(),
            Bound::Unbounded => {}
        }
        match end {
            Bound::Included(end) => self.maximum = end.json(),
            Bound::Excluded(end) => match end.below() {
                Some(last) => self.maximum = last.json(),
                None => self.exclusive_maximum = end.json(),
            },
            Bound::Unbounded => {}
        }
    }
}

/// The least and the greatest count in a range.
pub(super) fn count(range: impl Bounds<usize>) -> (Option<u64>, Option<u64>) {
    let count = |count: usize| u64::try_from(count).unwrap_or(u64::MAX);
    let (start, end) = range.bounds();
    let least = match start {
        Bound::Included(start) => Some(count(start)),
        Bound::Excluded(start) => Some(count(start).saturating_add(1)),
        Bound::Unbounded => None,
    };
    let greatest = match end {
        Bound::Included(end) => Some(count(end)),
        Bound::Excluded(end) => Some(count(end).saturating_sub(1)),
        Bound::Unbounded => None,
    };
    (least, greatest)
}
