//! `#[derive(Provides)]`.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, Data, DataStruct, DeriveInput, Field, Generics, Member, Meta, Type};

use crate::{attr::ProvidesOptions, errors::Errors, types::spelled};

/// One impl for each marked field.
pub(crate) fn derive(item: TokenStream) -> TokenStream {
    let input = match syn::parse2::<DeriveInput>(item) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let mut errors = Errors::new();
    let options = options(&input.attrs, &mut errors);
    let provided = provided(&input, &mut errors);
    let krate = options.krate.map_or_else(|| quote!(::tool_gate), ToTokens::into_token_stream);
    let ident = &input.ident;
    let (impl_generics, type_generics, bounds) = input.generics.split_for_impl();
    let impls = provided.iter().map(|(member, ty)| {
        quote! {
            impl #impl_generics #krate::Provides<#ty> for #ident #type_generics #bounds {
                fn provide(&self) -> &#ty {
                    &self.#member
                }
            }
        }
    });
    // What is right stays, so that the tools that borrow it do not complain as well.
    let errors = errors.finish();
    quote!(#errors #(#impls)*)
}

fn options(attributes: &[Attribute], errors: &mut Errors) -> ProvidesOptions {
    let mut options = ProvidesOptions::default();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("provides")) {
        match &attribute.meta {
            Meta::List(list) => options.read(list.tokens.clone(), errors),
            meta => {
                let message = "`#[provides]` takes the struct's options, `#[provides(crate = path::to::it)]`: mark a field with `#[provide]`";
                errors.on(meta, message);
            }
        }
    }
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("provide")) {
        errors.on(attribute, "`#[provide]` marks a field: put it on those that tools may borrow, not on the struct");
    }
    options
}

fn provided<'i>(input: &'i DeriveInput, errors: &mut Errors) -> Vec<(Member, &'i Type)> {
    let ident = &input.ident;
    let by_hand = format!("`Provides` is derived for structs: implement it for `{ident}` by hand");
    let fields = match &input.data {
        Data::Struct(DataStruct { fields, .. }) => fields,
        Data::Enum(data) => {
            errors.on(data.enum_token, by_hand);
            return Vec::new();
        }
        Data::Union(data) => {
            errors.on(data.union_token, by_hand);
            return Vec::new();
        }
    };
    let mut provided: Vec<(Member, &Type)> = Vec::new();
    let mut is_marked = false;
    for (member, field) in fields.members().zip(fields) {
        if !marked(field, errors) {
            continue;
        }
        is_marked = true;
        if let Some((_, first)) = provided.iter().find(|(_, other)| may_be_same(other, &field.ty, &input.generics)) {
            let (first, second) = (spelled(first), spelled(&field.ty));
            let mistake = if first == second {
                format!("two fields of `{ident}` provide `{second}`")
            } else {
                format!("`{first}` and `{second}` may be one type")
            };
            errors.on(&field.ty, format!("{mistake}, and tools find state by type: wrap one in a type of its own"));
            continue;
        }
        provided.push((member, &field.ty));
    }
    // Who marked the struct has been told.
    is_marked |= input.attrs.iter().any(|attribute| attribute.path().is_ident("provide"));
    if !is_marked {
        let message = format!("`{ident}` provides nothing: mark the fields that tools may borrow with `#[provide]`");
        errors.on(ident, message);
    }
    provided
}

fn marked(field: &Field, errors: &mut Errors) -> bool {
    let mut marked = false;
    for attribute in &field.attrs {
        if attribute.path().is_ident("provide") {
            if marked {
                errors.on(attribute, "`#[provide]` is given twice: remove one");
            } else if !matches!(attribute.meta, Meta::Path(_)) {
                errors.on(attribute, "`#[provide]` takes no options: write it alone");
            }
            marked = true;
        } else if attribute.path().is_ident("provides") {
            errors.on(attribute, "`#[provides]` takes the struct's options: mark the field with `#[provide]`");
            marked = true;
        }
    }
    marked
}

/// Two impls would overlap: the types are spelled alike, or one is a type parameter, which stands for any type.
fn may_be_same(left: &Type, right: &Type, generics: &Generics) -> bool {
    let is_parameter = |ty: &Type| matches!(ty, Type::Path(path) if generics.type_params().any(|parameter| path.path.is_ident(&parameter.ident)));
    is_parameter(left) || is_parameter(right) || spelled(left) == spelled(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_marked_field_is_provided() {
        let item = quote! {
            #[provides(crate = gate)]
            struct Session<D: Send>(#[provide] Vec<D>, u8, #[provide] String) where D: Sync;
        };
        let expected = quote! {
            impl<D: Send> gate::Provides<Vec<D> > for Session<D> where D: Sync {
                fn provide(&self) -> &Vec<D> {
                    &self.0
                }
            }
            impl<D: Send> gate::Provides<String> for Session<D> where D: Sync {
                fn provide(&self) -> &String {
                    &self.2
                }
            }
        };
        assert_eq!(derive(item).to_string(), expected.to_string());
    }

    #[test]
    fn a_misplaced_mark_is_one_mistake() {
        for item in [
            quote!(
                #[provide]
                struct S {
                    a: u8,
                }
            ),
            quote!(
                struct S {
                    #[provides]
                    a: u8,
                }
            ),
            quote!(
                #[provides]
                struct S(#[provide] u8);
            ),
            quote!(
                struct S(u8);
            ),
            quote!(
                enum S {
                    A(#[provide] u8),
                }
            ),
        ] {
            assert_eq!(derive(item.clone()).to_string().matches("compile_error").count(), 1, "{item}");
        }
    }

    #[test]
    fn mistakes_are_told_together() {
        let item = quote! {
            #[provide]
            struct Session<D> {
                #[provide(x)]
                a: D,
                #[provide]
                b: u8,
            }
        };
        assert_eq!(derive(item).to_string().matches("compile_error").count(), 3);
    }
}
