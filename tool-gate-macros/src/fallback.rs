//! What is emitted beside the errors, so that one mistake is one error: the user's item stays, and so does its tool.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Ident, Visibility};

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
            marker: options
                .marker
                .as_ref()
                .map_or_else(|| function.signature.ident.clone(), |given| given.value.clone()),
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
                    const DECLARATION: __gate::Declaration = __gate::Declaration::new("", "");

                    fn parameters(_: &mut __gate::Parameters) {}
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
pub(crate) fn not_a_function(item: &TokenStream, mut errors: Errors) -> TokenStream {
    errors.on(item, "`#[tool]` goes on a function");
    let errors = errors.finish();
    quote!(#item #errors)
}
