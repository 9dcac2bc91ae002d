//! What is emitted beside the errors, so that one mistake is one error: the user's item stays, and so does its tool.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{
    Attribute, Ident, LitStr, Token, Visibility,
    parse::{ParseStream, Parser},
};

use crate::{attr::ToolOptions, beside, errors::Errors, expand, signature::Function, validate};

/// What a tool looks like, for who wrote something else.
pub(crate) const USAGE: &str =
    "`#[tool(read_only)] async fn name(#[state] db: &Db, limit: u32) -> Result<Answer, ToolError> { … }`";

/// A tool that is named elsewhere and never runs.
pub(crate) struct Fallback {
    marker: Ident,
    visibility: Visibility,
    private: TokenStream,
    /// The struct would be one mistake more.
    stands_alone: bool,
}

impl Fallback {
    pub(crate) fn of(function: &Function, options: &ToolOptions) -> Self {
        Self {
            marker: function.marker(options),
            visibility: function.visibility.clone(),
            private: expand::private(options.krate.as_ref()),
            stands_alone: validate::is_associated(function) || validate::hides_another(&function.marker(options)),
        }
    }

    pub(crate) fn expand(&self, function: &Function, errors: &TokenStream) -> TokenStream {
        let Self { marker, visibility, private, stands_alone } = self;
        if *stands_alone {
            return quote!(#function #errors);
        }
        let marker_struct = quote! {
            #[doc(hidden)]
            #[allow(non_camel_case_types, missing_debug_implementations, unreachable_pub)]
            #visibility struct #marker {}
        };
        let declaration = quote! {
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
        };
        let marker = beside::attach(private, &marker_struct, &declaration);
        quote!(#errors #function #marker)
    }
}

/// The item as it was, and that it is not a function, or not one that can be read.
pub(crate) fn not_a_function(item: &TokenStream, unread: &syn::Error, errors: Errors) -> TokenStream {
    match keyword.parse2(item.clone()) {
        Ok((_, true)) => {
            let message = format!("the signature cannot be read from here on; a tool is {USAGE}");
            misplaced(item, unread.span(), &message, errors)
        }
        Ok((span, false)) => misplaced(item, span, &format!("`#[tool]` goes on a function: {USAGE}"), errors),
        Err(_) => misplaced(item, Span::call_site(), &format!("`#[tool]` goes on a function: {USAGE}"), errors),
    }
}

/// The item as it was, and that it is not an `impl`.
pub(crate) fn not_an_impl(item: &TokenStream, errors: Errors) -> TokenStream {
    let span = keyword.parse2(item.clone()).map_or_else(|_| Span::call_site(), |(span, _)| span);
    let message = "`#[tools]` goes on an `impl`: `#[tools] impl Type { #[tool] fn name(&self) {} }`";
    misplaced(item, span, message, errors)
}

fn misplaced(item: &TokenStream, span: Span, message: &str, mut errors: Errors) -> TokenStream {
    errors.at(span, message);
    let errors = errors.finish();
    quote!(#item #errors)
}

/// Where the item's keywords begin, and whether they are those of a function.
fn keyword(input: ParseStream<'_>) -> syn::Result<(Span, bool)> {
    input.call(Attribute::parse_outer)?;
    input.parse::<Visibility>()?;
    let span = input.span();
    input.parse::<Option<Token![const]>>()?;
    input.parse::<Option<Token![async]>>()?;
    input.parse::<Option<Token![unsafe]>>()?;
    if input.parse::<Option<Token![extern]>>()?.is_some() {
        input.parse::<Option<LitStr>>()?;
    }
    let is_function = input.peek(Token![fn]);
    input.parse::<TokenStream>().map(|_| (span, is_function))
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
