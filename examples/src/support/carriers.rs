//! The carriers' tracking services, of which one never answers.

use std::{error::Error, fmt, future};

use serde::Serialize;

use super::shop::Parcel;

/// A stand-in for the carriers' web services: it knows a few parcels by heart.
#[derive(Clone, Debug)]
pub struct Carriers {
    answers: &'static [(&'static str, Whereabouts)],
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
        const ANSWERS: &[(&str, Whereabouts)] = &[
            ("SP-310", Whereabouts { state: "delivered", place: "Bern", arrives_on: "2026-11-03" }),
            ("SP-344", Whereabouts { state: "in transit", place: "Basel", arrives_on: "2026-12-02" }),
            ("SP-351", Whereabouts { state: "in transit", place: "Milan", arrives_on: "2026-12-04" }),
        ];
        Self { answers: ANSWERS }
    }

    /// Asks the parcel's carrier where it is.
    ///
    /// # Errors
    ///
    /// [`NoAnswer`] where the carrier's service is down.
    pub async fn locate(&self, parcel: &Parcel) -> Result<Whereabouts, NoAnswer> {
        let known = self.answers.iter().find(|(tracking, _)| *tracking == parcel.tracking);
        // Where a real one waits for the network.
        future::ready(known.map(|(_, whereabouts)| *whereabouts).ok_or(NoAnswer)).await
    }
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
