//! The carriers' tracking services. One is down, one never answers, and one's client has a bug.

use std::{error::Error, fmt, future};

use serde::Serialize;

use super::shop::Parcel;

/// A stand-in for the carriers' web services: it knows a few parcels by heart.
#[derive(Clone, Debug)]
pub struct Carriers {
    answers: &'static [(&'static str, Answer)],
}

/// What becomes of a question about one parcel.
#[derive(Clone, Copy, Debug)]
enum Answer {
    Here(Whereabouts),
    Panic,
    Silence,
}

/// Where a parcel is, in its carrier's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Whereabouts {
    /// What the carrier does with it.
    pub state: &'static str,
    /// Where it was seen last.
    pub place: &'static str,
    /// The day it arrives, or did.
    pub arrives_on: &'static str,
}

impl Carriers {
    /// The carriers of the seeded parcels.
    pub const fn seeded() -> Self {
        const ANSWERS: &[(&str, Answer)] = &[
            ("SP-310", here("delivered", "Bern", "2026-11-03")),
            ("SP-344", here("in transit", "Basel", "2026-12-02")),
            ("SP-351", here("in transit", "Milan", "2026-12-04")),
            ("BC-118", Answer::Panic),
            ("MF-902", Answer::Silence),
        ];
        Self { answers: ANSWERS }
    }

    /// Asks the parcel's carrier where it is. It may take as long as it likes.
    ///
    /// # Errors
    ///
    /// [`NoAnswer`] where the carrier's service is down.
    ///
    /// # Panics
    ///
    /// Where the carrier leaves out what its client relies on.
    pub async fn locate(&self, parcel: &Parcel) -> Result<Whereabouts, NoAnswer> {
        let known = self.answers.iter().find(|(tracking, _)| *tracking == parcel.tracking);
        // Where a real one waits for the network.
        match known {
            Some((_, Answer::Here(whereabouts))) => future::ready(Ok(*whereabouts)).await,
            Some((_, Answer::Panic)) => panic!("the carrier's answer holds no place"),
            Some((_, Answer::Silence)) => future::pending().await,
            None => Err(NoAnswer),
        }
    }
}

const fn here(state: &'static str, place: &'static str, arrives_on: &'static str) -> Answer {
    Answer::Here(Whereabouts { state, place, arrives_on })
}

/// The carrier's service did not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoAnswer;

impl fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("connection to tracking.internal:8443 timed out")
    }
}

impl Error for NoAnswer {}
