//! What stands beside the user's function: a struct, and what is declared of it.
//!
//! The declaration goes along as an attribute of the struct. In an `impl` or a trait, where `#[tool]` cannot know that it is,
//! the compiler takes no struct and drops it with its attributes, which is one error. The declaration by itself would be three
//! more.

use proc_macro2::TokenStream;
use quote::quote;

/// The struct with its declaration.
pub(crate) fn attach(private: &TokenStream, marker: &TokenStream, declaration: &TokenStream) -> TokenStream {
    quote!(#[#private::beside(#declaration)] #marker)
}

/// `#[beside(declaration)] marker`, where there may be structs.
pub(crate) fn detach(declaration: &TokenStream, marker: &TokenStream) -> TokenStream {
    quote!(#marker #declaration)
}

/// All that is emitted, as the compiler sees it in the end.
#[cfg(test)]
pub(crate) fn expanded(emitted: TokenStream) -> syn::File {
    let mut file: syn::File = syn::parse2(emitted).unwrap();
    let mut items = Vec::new();
    for mut item in file.items {
        let mut declaration = TokenStream::new();
        if let syn::Item::Struct(marker) = &mut item {
            let is_ours = |attribute: &mut syn::Attribute| attribute.path().segments.last().unwrap().ident == "beside";
            for attribute in marker.attrs.extract_if(.., is_ours) {
                declaration = attribute.meta.require_list().unwrap().tokens.clone();
            }
        }
        items.push(item);
        items.extend(syn::parse2::<syn::File>(declaration).unwrap().items);
    }
    file.items = items;
    file
}
