//! The attributes and the derive of the `tool-gate` crate, which re-exports and documents them.

mod attr;
mod beside;
mod docs;
mod errors;
mod expand;
mod fallback;
mod methods;
mod print;
mod provides;
mod signature;
mod types;
mod validate;

#[cfg(test)]
mod half_typed;
#[cfg(test)]
mod messages;

use proc_macro::TokenStream;

#[allow(missing_docs, reason = "the runtime crate documents its re-export, where examples can use it")]
#[proc_macro_attribute]
pub fn tool(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::tool(options.into(), &item.into()).into()
}

/// What `#[tool]` attaches to the struct that it puts beside a function. Not part of the public API.
#[doc(hidden)]
#[proc_macro_attribute]
pub fn beside(declaration: TokenStream, marker: TokenStream) -> TokenStream {
    beside::detach(&declaration.into(), &marker.into()).into()
}

#[allow(missing_docs, reason = "the runtime crate documents its re-export, where examples can use it")]
#[proc_macro_attribute]
pub fn tools(options: TokenStream, item: TokenStream) -> TokenStream {
    methods::tools(options.into(), &item.into()).into()
}

#[allow(missing_docs, reason = "the runtime crate documents its re-export, where examples can use it")]
#[proc_macro_derive(Provides, attributes(provide, provides))]
pub fn provides(item: TokenStream) -> TokenStream {
    provides::derive(item.into()).into()
}
