//! What is emitted beside the errors, so that one mistake is one error: the user's item stays, and so does its tool.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{
    Attribute, Ident, Visibility,
    parse::{ParseStream, Parser},
};

use crate::{attr::ToolOptions, errors::Errors, expand, signature::Function};

/// A tool that is named elsewhere and never runs.
pub(crate) struct Fallback {
    marker: Ident,
    visibility: Visibility,
    private: TokenStream,
    /// A method stands where no struct may.
    is_method: bool,
}

impl Fallback {
    pub(crate) fn of(function: &Function, options: &ToolOptions) -> Self {
        Self {
            marker: function.marker(options),
            visibility: function.visibility.clone(),
            private: expand::private(options.krate.as_ref()),
            is_method: function.signature.receiver().is_some(),
        }
    }

    pub(crate) fn expand(&self, function: &Function, errors: &TokenStream) -> TokenStream {
        let Self { marker, visibility, private, is_method } = self;
        if *is_method {
            return quote!(#function #errors);
        }
        quote! {
            #errors
            #function

            #[doc(hidden)]
            #[allow(non_camel_case_types, missing_debug_implementations, unreachable_pub)]
            #visibility struct #marker {}

            const _: () = {
                use #private as __gate;

                impl __gate::Declare for #marker {
                    const DECLARATION: __gate::Declaration = __gate::Declaration::new("", "", "");

                    fn parameters(_: &mut __gate::Parameters) {}

                    fn output() -> ::core::option::Option<__gate::Value> {
                        ::core::option::Option::None
                    }
                }

                impl<__S: ?::core::marker::Sized> __gate::Tool<__S> for #marker {
                    fn bind(
                        _: &mut __gate::Binding<'_>,
                    ) -> ::core::result::Result<__gate::Bound<__S>, __gate::Unbound> {
                        ::core::unreachable!()
                    }
                }
            };
        }
    }
}

/// The item as it was, and that it is not a function.
pub(crate) fn not_a_function(item: &TokenStream, errors: Errors) -> TokenStream {
    misplaced(item, "`#[tool]` goes on a function", errors)
}

/// The item as it was, and that it is not an `impl`.
pub(crate) fn not_an_impl(item: &TokenStream, errors: Errors) -> TokenStream {
    misplaced(item, "`#[tools]` goes on an `impl`: `#[tools] impl Type { #[tool] fn name(&self) {} }`", errors)
}

fn misplaced(item: &TokenStream, message: &str, mut errors: Errors) -> TokenStream {
    let keyword = |input: ParseStream<'_>| {
        input.call(Attribute::parse_outer)?;
        input.parse::<Visibility>()?;
        let span = input.span();
        input.parse::<TokenStream>().map(|_| span)
    };
    let span = keyword.parse2(item.clone()).unwrap_or_else(|_| Span::call_site());
    errors.at(span, message);
    let errors = errors.finish();
    quote!(#item #errors)
}

#[cfg(test)]
mod tests {
    use quote::quote;

    #[test]
    fn the_function_and_its_tool_outlive_a_mistake() {
        let emitted = crate::expand::tool(
            quote!(in = L),
            &quote!(
                pub fn f(#[state] a: Db) {}
            ),
        )
        .to_string();
        for part in ["compile_error", "pub fn f (a : Db) { }", "pub struct f { }", "Tool < __S > for f"] {
            assert!(emitted.contains(part), "{part}\n{emitted}");
        }
        assert!(!emitted.contains("submit"), "{emitted}");
    }

    #[test]
    fn a_method_gets_no_struct_beside_it() {
        let emitted = crate::expand::tool(
            quote!(),
            &quote!(
                fn f(&self) {}
            ),
        )
        .to_string();
        assert!(emitted.starts_with("fn f (& self) { }") && !emitted.contains("struct"), "{emitted}");
    }

    #[test]
    fn what_is_no_function_stays_as_it_is() {
        let emitted = crate::expand::tool(
            quote!(),
            &quote!(
                struct S {
                    a: u8,
                }
            ),
        )
        .to_string();
        assert!(emitted.starts_with("struct S {") && emitted.contains("goes on a function"), "{emitted}");
    }
}
