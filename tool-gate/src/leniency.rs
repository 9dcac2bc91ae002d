//! What an offer forgives, and the record of each time it did.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::schema::Path;

/// What an [`Offer`](crate::Offer) forgives in a call that the gates refuse: nothing, unless it is asked for.
///
/// ```
/// use tool_gate::{EasedKind, Leniency, Registry, Select, tool, wire::{self, Call}};
///
/// /// Find orders.
/// #[tool(read_only)]
/// fn search_orders(customer_id: &str, #[arg(default = 20, range = 1..=100)] limit: u32) {
///     let _ = (customer_id, limit);
/// }
///
/// let registry = Registry::<()>::builder().tool::<search_orders>().build()?;
/// let careful = registry.offer(wire::OpenAiChat::default(), Select::All)?;
/// let small = careful.clone().lenient(Leniency::none().schema_guided().fence());
///
/// let call = Call::new(None, "search_orders", r#"{"customer_id": "7", "limit": "5"}"#.into());
/// assert!(careful.check(&call).is_err());
/// let admitted = small.check(&call).unwrap();
/// // A string stays a string where the schema takes one.
/// assert_eq!(admitted.arguments(), &serde_json::json!({"customer_id": "7", "limit": 5}));
/// assert_eq!(admitted.eased()[0].kind, EasedKind::SchemaGuided);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
///
/// It belongs to the offer, since one registry may be offered to a careful model and to a small one. A call that the gates
/// admit is never touched. One that they refuse is read anew with what is switched on here, and that reading goes through
/// the same gates: where they refuse it too, the first rejection stands, so that the model is told of what it sent. What was
/// forgiven is in [`Admitted::eased`](crate::Admitted::eased) and in the [`Counters`](crate::Counters).
///
/// The order is fixed, each step is taken at most once, and what conforms by then is left as it is: the name, the fence, the
/// whole object in a string, the key around it, and last, from the outside in, keys' case and values in strings.
///
/// # What is never forgiven
///
/// Each kind has one reading, and the schema or the offer confirms it. Nothing else is done, because it would be a guess, and
/// a guess that conforms runs: no near name is called, no bracket closed, no quote or comma mended, no `1,000`, `0x10` or
/// `yes` read as what it may mean, no prose around an object passed over. Text that ends early, a call that was cut, a key
/// that stands twice, `NaN` and what a type or a check of yours refuses are refused whatever is switched on here.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Leniency([bool; EasedKind::ALL.len()]);

impl Leniency {
    /// Nothing is forgiven. That is what an offer has where none is named.
    pub const fn none() -> Self {
        Self([false; EasedKind::ALL.len()])
    }

    /// All five kinds.
    pub const fn all() -> Self {
        Self([true; EasedKind::ALL.len()])
    }

    /// A JSON string where the schema takes no string is read as the JSON it holds: `"5"`, `"true"`, `"[1,2]"`, an object, or
    /// all of the arguments as one object's text.
    ///
    /// Only exact JSON is read, and once: a string in what was a string stays one. Where one branch of a union takes a
    /// string, it stays one as well. A null, or an empty string, for an optional property that does not take it is left
    /// out, as if it had not been sent.
    #[must_use]
    pub const fn schema_guided(self) -> Self {
        self.with(EasedKind::SchemaGuided)
    }

    /// An offered name with what a chat template puts around it is that name: `functions.x`, `default_api.x`,
    /// `default_api:x`, and `x<…` as in `x<|channel|>commentary` or `x</arg_value>`.
    ///
    /// What is left must be an offered name to the letter. The call is written back under that name.
    #[must_use]
    pub const fn name_affix(self) -> Self {
        self.with(EasedKind::NameAffix)
    }

    /// Arguments that are one Markdown code block, from first line to last, are what the block holds. Its language is `json`
    /// or none.
    #[must_use]
    pub const fn fence(self) -> Self {
        self.with(EasedKind::Fence)
    }

    /// Arguments whose only key is undeclared, as in `{"arguments": {…}}` or `{"input": {…}}`, are the object under it.
    ///
    /// Not where the key resembles a declared one that is missing from the object: then it was meant to be that.
    #[must_use]
    pub const fn wrapper_key(self) -> Self {
        self.with(EasedKind::WrapperKey)
    }

    /// An undeclared key whose snake case is declared, and not there, is that key, at every depth: `orderId`, `OrderId`,
    /// `order-id` and `ORDER_ID` are `order_id`.
    ///
    /// Not where two keys would be one.
    #[must_use]
    pub const fn key_case(self) -> Self {
        self.with(EasedKind::KeyCase)
    }

    /// Whether this kind is forgiven.
    pub const fn allows(self, kind: EasedKind) -> bool {
        self.0[kind as usize]
    }

    const fn with(mut self, kind: EasedKind) -> Self {
        self.0[kind as usize] = true;
        self
    }
}

impl fmt::Debug for Leniency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Leniency")?;
        f.debug_set().entries(EasedKind::ALL.iter().filter(|kind| self.allows(**kind))).finish()
    }
}

/// The kinds of what a [`Leniency`] forgives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum EasedKind {
    /// See [`Leniency::schema_guided`].
    SchemaGuided,
    /// See [`Leniency::name_affix`].
    NameAffix,
    /// See [`Leniency::fence`].
    Fence,
    /// See [`Leniency::wrapper_key`].
    WrapperKey,
    /// See [`Leniency::key_case`].
    KeyCase,
}

impl EasedKind {
    /// All of them, in the order of their declaration.
    pub(crate) const ALL: [Self; 5] =
        [Self::SchemaGuided, Self::NameAffix, Self::Fence, Self::WrapperKey, Self::KeyCase];

    /// The kind, as a word that is safe as a metric label.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::SchemaGuided => "schema_guided",
            Self::NameAffix => "name_affix",
            Self::Fence => "fence",
            Self::WrapperKey => "wrapper_key",
            Self::KeyCase => "key_case",
        }
    }
}

impl fmt::Display for EasedKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// One thing that was forgiven in an admitted call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Eased {
    /// What it was.
    pub kind: EasedKind,
    /// Where in the arguments, as they were admitted: the value that stood in a string or the key that was written in another
    /// case; a key that was left out, where it would be. Of a `sensitive` argument no more than its name. None for the kinds
    /// that are about the call as a whole.
    pub path: Option<Path>,
}

impl Eased {
    /// One that is about the call as a whole.
    pub(crate) fn whole(kind: EasedKind) -> Self {
        Self { kind, path: None }
    }

    /// Whether it is about the form of all arguments, which were no object before.
    pub(crate) fn is_of_all(&self) -> bool {
        self.kind == EasedKind::Fence || self.path.as_ref().is_some_and(Path::is_root)
    }

    /// One that is about a place in the arguments.
    pub(crate) fn at(kind: EasedKind, path: Path) -> Self {
        Self { kind, path: Some(path) }
    }
}
