//! The application's own list of tools, filled when the program is linked.

use std::fmt;

use crate::tool::Entry;

/// A list of tools that share a state: `#[tool(in = LIST)]` puts a function on it from anywhere in the program.
///
/// Declare one with [`toolbox!`](crate::toolbox). A registry takes the tools of the lists it is given and no others, so a
/// dependency's tools reach a model only where the application names the dependency's list.
pub struct Toolbox<S: ?Sized + 'static> {
    name: &'static str,
    entries: fn() -> Vec<Entry<S>>,
}

impl<S: ?Sized> Toolbox<S> {
    /// What [`toolbox!`](crate::toolbox) expands to.
    #[doc(hidden)]
    pub const fn new(name: &'static str, entries: fn() -> Vec<Entry<S>>) -> Self {
        Self { name, entries }
    }

    /// The list's own name, as declared.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The names of the tools that are linked into this program, sorted.
    pub fn tool_names(&self) -> Vec<&'static str> {
        self.entries().iter().map(|entry| entry.declaration.name).collect()
    }

    /// The tools, sorted by name: the order of linking says nothing and changes from build to build.
    pub(crate) fn entries(&self) -> Vec<Entry<S>> {
        let mut entries = (self.entries)();
        entries.sort_by_key(|entry| entry.declaration.name);
        entries
    }
}

impl<S: ?Sized> fmt::Debug for Toolbox<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Toolbox").field("name", &self.name).field("tools", &self.tool_names()).finish_non_exhaustive()
    }
}

/// What `#[tool(in = …)]` may not name: no type implements this, and a list does without. It is a trait for the sake of the
/// error.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of tools",
    label = "not declared with `toolbox!`",
    note = "declare a list, `toolbox! {{ static LIST: TheState; }}`, and name it: `#[tool(in = LIST)]`"
)]
pub trait Lists {
    /// What is linked.
    type Linked;
}

/// The function for what is not a list, which has one of its own: that wins over a trait's function of the same name.
pub trait AnyList {
    /// Cannot be called.
    fn __link<S: ?Sized>(entry: Entry<S>) -> Self::Linked
    where
        Self: Lists;
}

impl<T> AnyList for T {
    fn __link<S: ?Sized>(_: Entry<S>) -> T::Linked
    where
        T: Lists,
    {
        unreachable!("no type is a `Lists`")
    }
}

/// The entries on a list, taken out of what [`toolbox!`](crate::toolbox) declares to hold them.
///
/// It is a function for the places where `Iterator` is not in scope.
pub fn linked<L: 'static, S: ?Sized>(
    list: impl IntoIterator<Item = &'static L>,
    entry: fn(&L) -> Entry<S>,
) -> Vec<Entry<S>> {
    list.into_iter().map(entry).collect()
}

/// Declares the application's list of tools and the state they borrow from.
///
/// ```
/// use tool_gate::{tool, toolbox};
///
/// pub struct Session;
///
/// toolbox! {
///     /// What our support agent may do.
///     pub static SUPPORT: Session;
/// }
///
/// /// Tell the time in UTC.
/// #[tool(in = SUPPORT, read_only)]
/// fn time() -> &'static str {
///     "12:00"
/// }
///
/// assert_eq!(SUPPORT.tool_names(), ["time"]);
/// ```
///
/// The static and a hidden struct share the name, so that `#[tool(in = path::to::SUPPORT)]` finds both with one path.
#[macro_export]
macro_rules! toolbox {
    ($(#[$attribute:meta])* $visibility:vis static $name:ident : $state:ty $(;)?) => {
        #[doc(hidden)]
        #[allow(non_camel_case_types, missing_debug_implementations, clippy::exhaustive_structs, clippy::upper_case_acronyms)]
        $visibility struct $name {
            #[doc(hidden)]
            pub entry: $crate::__private::Entry<$state>,
        }

        $crate::__private::inventory::collect!($name);

        impl $name {
            #[doc(hidden)]
            #[allow(dead_code, reason = "a list may have no tools yet")]
            pub const fn __link(entry: $crate::__private::Entry<$state>) -> Self {
                Self { entry }
            }
        }

        $(#[$attribute])*
        $visibility static $name: $crate::Toolbox<$state> = $crate::Toolbox::new(::core::stringify!($name), || {
            $crate::__private::linked($crate::__private::inventory::iter::<$name>, |linked| linked.entry)
        });
    };
}
