//! What the spelling of a type shows: borrows, and where its parts stand. What a type is, only the compiler knows.

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{GenericArgument, Ident, PathArguments, ReturnType, Type, TypePath, spanned::Spanned};

/// Without the invisible groups that a `macro_rules!` puts around `$ty`, and without parentheses.
pub(crate) fn ungrouped(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => ungrouped(&group.elem),
        Type::Paren(paren) => ungrouped(&paren.elem),
        ty => ty,
    }
}

/// A type with its borrows replaced by what owns the same data.
#[derive(Default)]
pub(crate) struct Owned {
    tokens: TokenStream,
    /// There was a borrow to replace.
    pub(crate) borrows: bool,
    /// A type that is not known had a lifetime: what it is without, nobody knows.
    pub(crate) is_guess: bool,
}

impl Owned {
    pub(crate) fn of(ty: &Type) -> Self {
        let mut owned = Self::default();
        owned.tokens = owned.replace(ty);
        owned
    }

    pub(crate) fn spelled(&self) -> String {
        spelled(&self.tokens)
    }

    fn replace(&mut self, ty: &Type) -> TokenStream {
        match ty {
            Type::Reference(reference) => {
                self.borrows = true;
                self.unborrowed(&reference.elem)
            }
            Type::Path(path) => self.replace_path(path),
            Type::Tuple(tuple) => {
                let elements = tuple.elems.iter().map(|ty| self.replace(ty)).collect::<Vec<_>>();
                quote!((#(#elements),*))
            }
            Type::Array(array) => {
                let (element, length) = (self.replace(&array.elem), &array.len);
                quote!([#element; #length])
            }
            Type::Slice(slice) => {
                let element = self.replace(&slice.elem);
                quote!([#element])
            }
            Type::Group(group) => self.replace(&group.elem),
            Type::Paren(paren) => self.replace(&paren.elem),
            ty => ty.to_token_stream(),
        }
    }

    fn replace_path(&mut self, path: &TypePath) -> TokenStream {
        let mut path = path.clone();
        for segment in &mut path.path.segments {
            let PathArguments::AngleBracketed(arguments) = &mut segment.arguments else { continue };
            let borrows = |argument: &_| matches!(argument, GenericArgument::Lifetime(l) if l.ident != "static");
            if arguments.args.iter().any(borrows) {
                self.borrows = true;
                if let (true, Some(GenericArgument::Type(ty))) = (segment.ident == "Cow", arguments.args.last()) {
                    return self.unborrowed(ty);
                }
                self.is_guess = true;
            }
            for argument in &mut arguments.args {
                if let GenericArgument::Type(ty) = argument {
                    *ty = Type::Verbatim(self.replace(ty));
                }
            }
        }
        path.into_token_stream()
    }

    /// What owns the data behind a reference.
    fn unborrowed(&mut self, ty: &Type) -> TokenStream {
        match ungrouped(ty) {
            Type::Path(path) if path.path.is_ident("str") => quote!(String),
            Type::Path(path) if path.path.is_ident("Path") => quote!(PathBuf),
            Type::Slice(slice) => {
                let element = self.replace(&slice.elem);
                quote!(Vec<#element>)
            }
            ty => self.replace(ty),
        }
    }
}

/// A type as one would write it.
pub(crate) fn spelled(ty: &impl ToTokens) -> String {
    let tight =
        [(" :: ", "::"), (":: ", "::"), (" <", "<"), ("< ", "<"), (" >", ">"), ("& ", "&"), (" ,", ","), (" ;", ";")];
    tight.iter().fold(ty.to_token_stream().to_string(), |text, (loose, tight)| text.replace(loose, tight))
}

/// A return type, spelled where its lifetimes have no names; none where it is `()`, or says no more than a trait.
pub(crate) fn nameable(output: &ReturnType) -> Option<TokenStream> {
    let ReturnType::Type(_, ty) = output else { return None };
    anonymous(ty.to_token_stream())
}

fn anonymous(tokens: TokenStream) -> Option<TokenStream> {
    let mut after_quote = false;
    let mut renamed = Vec::new();
    for token in tokens {
        renamed.push(match token {
            TokenTree::Ident(ident) if after_quote && ident != "static" => Ident::new("_", ident.span()).into(),
            TokenTree::Ident(ident) if ident == "impl" || ident == "for" => return None,
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), anonymous(group.stream())?);
                inner.set_span(group.span());
                inner.into()
            }
            token => token,
        });
        after_quote = matches!(renamed.last(), Some(TokenTree::Punct(punct)) if punct.as_char() == '\'');
    }
    Some(renamed.into_iter().collect())
}

/// Where errors about the return type should point.
pub(crate) struct OutputSpans {
    /// What the tool answers.
    pub(crate) answer: Span,
    /// How it fails.
    pub(crate) error: Span,
}

/// Points at the answer and the error apart where the return type is spelled as a `Result`, and else at all of it.
pub(crate) fn output_spans(output: &ReturnType, function: &Ident) -> OutputSpans {
    let ReturnType::Type(_, ty) = output else {
        return OutputSpans { answer: function.span(), error: function.span() };
    };
    let whole = OutputSpans { answer: ty.span(), error: ty.span() };
    let Type::Path(path) = ungrouped(ty) else { return whole };
    match path.path.segments.last().map(|segment| (&segment.ident, &segment.arguments)) {
        Some((name, PathArguments::AngleBracketed(arguments))) if name == "Result" => {
            let mut spans = arguments.args.iter().map(Spanned::span);
            let answer = spans.next().unwrap_or(whole.answer);
            OutputSpans { answer, error: spans.next().unwrap_or(whole.error) }
        }
        _ => whole,
    }
}

#[cfg(test)]
mod tests {
    use syn::parse_str;

    use super::*;

    fn owned(ty: &str) -> (String, bool) {
        let owned = Owned::of(&parse_str(ty).unwrap());
        assert!(!owned.is_guess);
        (owned.spelled(), owned.borrows)
    }

    #[test]
    fn borrows_are_replaced_by_what_owns_the_data() {
        assert_eq!(owned("Option<&str>"), ("Option<String>".into(), true));
        assert_eq!(
            owned("std::collections::HashMap<String, Vec<&'a [u8]>>").0,
            "std::collections::HashMap<String, Vec<Vec<u8>>>"
        );
        assert_eq!(owned("Cow<'_, str>").0, "String");
        assert_eq!(owned("(u8, [&Path; 2])").0, "(u8, [PathBuf; 2])");
    }

    #[test]
    fn what_owns_its_data_is_left_alone() {
        assert_eq!(owned("Cow<'static, str>"), ("Cow<'static, str>".into(), false));
        assert_eq!(owned("Vec<[u8; 4]>"), ("Vec<[u8; 4]>".into(), false));
    }

    #[test]
    fn a_return_type_is_spelled_without_its_lifetimes() {
        let named = |output: &str| nameable(&parse_str(output).unwrap()).map(|ty| spelled(&ty));
        assert_eq!(named("-> Result<&'a [Cow<'static, str>], E>").unwrap(), "Result<&'_ [Cow<'static, str>], E>");
        assert_eq!(named("-> Vec<ty!(\"a\")>"), Some("Vec<ty ! (\"a\")>".into()));
        assert_eq!(named("-> Result<(impl Serialize, u8), E>"), None);
        assert_eq!(named(""), None);
    }

    #[test]
    fn nobody_knows_what_a_type_is_without_its_lifetime() {
        assert!(Owned::of(&parse_str("Filter<'_>").unwrap()).is_guess);
    }
}
