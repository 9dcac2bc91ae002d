//! `#[derive(Provides)]`.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, Data, DataStruct, DeriveInput, Field, Generics, Member, Meta, Type};

use crate::{attr::ProvidesOptions, errors::Errors};

/// One impl for each marked field.
pub(crate) fn derive(item: TokenStream) -> TokenStream {
    let input = match syn::parse2::<DeriveInput>(item) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let mut errors = Errors::new();
    let options = options(&input.attrs, &mut errors);
    let provided = provided(&input, &mut errors);
    if let Some(errors) = errors.finish() {
        return errors;
    }
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
    quote!(#(#impls)*)
}

fn options(attributes: &[Attribute], errors: &mut Errors) -> ProvidesOptions {
    let mut options = ProvidesOptions::default();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("provides")) {
        match &attribute.meta {
            Meta::List(list) => options.read(list.tokens.clone(), errors),
            meta => errors
                .on(meta, "`#[provides]` takes options: `#[provides(crate = path)]`; a field is marked `#[provide]`"),
        }
    }
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("provide")) {
        errors.on(attribute, "`#[provide]` marks a field, not the struct");
    }
    options
}

fn provided<'i>(input: &'i DeriveInput, errors: &mut Errors) -> Vec<(Member, &'i Type)> {
    let ident = &input.ident;
    let fields = match &input.data {
        Data::Struct(DataStruct { fields, .. }) => fields,
        Data::Enum(data) => {
            errors
                .on(data.enum_token, format!("`Provides` is derived for structs: implement it for `{ident}` by hand"));
            return Vec::new();
        }
        Data::Union(data) => {
            errors
                .on(data.union_token, format!("`Provides` is derived for structs: implement it for `{ident}` by hand"));
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
            let message = if first == second {
                format!(
                    "two fields of `{ident}` provide `{second}`, and tools find state by type: give one a type of its own"
                )
            } else {
                format!("`{first}` and `{second}` may be one type, and tools find state by type: provide one of them")
            };
            errors.on(&field.ty, message);
            continue;
        }
        provided.push((member, &field.ty));
    }
    if !is_marked {
        errors
            .on(ident, format!("`{ident}` provides nothing: mark the fields that tools may borrow with `#[provide]`"));
    }
    provided
}

fn marked(field: &Field, errors: &mut Errors) -> bool {
    let mut marked = false;
    for attribute in &field.attrs {
        if attribute.path().is_ident("provide") {
            if marked {
                errors.on(attribute, "`#[provide]` is given twice");
            } else if !matches!(attribute.meta, Meta::Path(_)) {
                errors.on(attribute, "`#[provide]` takes no options");
            }
            marked = true;
        } else if attribute.path().is_ident("provides") {
            errors.on(attribute, "a field is marked `#[provide]`");
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

fn spelled(ty: &Type) -> String {
    ty.to_token_stream().to_string()
}
