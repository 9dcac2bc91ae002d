//! `#[tools] impl Type`: methods as tools, with `&self` as their state.

use std::collections::HashSet;

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{
    Attribute, Generics, Meta, Token, Type, WhereClause, braced,
    parse::{Parse, ParseStream},
    spanned::Spanned,
};

use crate::{
    attr::{Given, ToolOptions, ToolsOptions},
    errors::Errors,
    expand, fallback, print,
    signature::Function,
    types::spelled,
    validate::{self, Host, Tool},
};

/// The annotated `impl` as it was written: the signatures of its functions parsed, their bodies not looked at.
struct Impl {
    attributes: Vec<Attribute>,
    unsafety: Option<Token![unsafe]>,
    keyword: Token![impl],
    generics: Generics,
    ty: Type,
    /// `for Type`, where the first one is a trait.
    of_trait: Option<(Token![for], Type)>,
    bounds: Option<WhereClause>,
    items: Vec<Item>,
}

enum Item {
    Function(Box<Function>),
    Other(TokenStream),
}

impl Parse for Impl {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let unsafety = input.parse()?;
        let keyword = input.parse()?;
        let generics = input.parse()?;
        let ty = input.parse()?;
        let of_trait = match input.parse::<Option<Token![for]>>()? {
            Some(keyword) => Some((keyword, input.parse()?)),
            None => None,
        };
        let bounds = input.parse()?;
        let body;
        braced!(body in input);
        let mut items = Vec::new();
        while !body.is_empty() {
            items.push(item(&body)?);
        }
        Ok(Self { attributes, unsafety, keyword, generics, ty, of_trait, bounds, items })
    }
}

/// A function; or whatever else there is, to its semicolon or brace.
fn item(input: ParseStream<'_>) -> syn::Result<Item> {
    if Function::method(&input.fork()).is_ok() {
        return Function::method(input).map(Box::new).map(Item::Function);
    }
    let mut tokens = TokenStream::new();
    while !input.is_empty() {
        let token = input.parse::<TokenTree>()?;
        let is_end = match &token {
            TokenTree::Punct(punct) => punct.as_char() == ';',
            TokenTree::Group(group) => group.delimiter() == Delimiter::Brace && !input.peek(Token![;]),
            _ => false,
        };
        token.to_tokens(&mut tokens);
        if is_end {
            break;
        }
    }
    Ok(Item::Other(tokens))
}

impl ToTokens for Impl {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self { attributes, unsafety, keyword, generics, ty, of_trait, bounds, items } = self;
        let of_trait = of_trait.iter().map(|(keyword, ty)| quote!(#keyword #ty));
        quote!(#(#attributes)* #unsafety #keyword #generics #ty #(#of_trait)* #bounds { #(#items)* }).to_tokens(tokens);
    }
}

impl ToTokens for Item {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Self::Function(function) => function.to_tokens(tokens),
            Self::Other(other) => other.to_tokens(tokens),
        }
    }
}

/// `#[tools(options)] impl Type { … }`.
pub(crate) fn tools(options: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::new();
    let mut read = ToolsOptions::default();
    read.read(options, &mut errors);
    let Ok(mut block) = syn::parse2::<Impl>(item.clone()) else {
        return fallback::not_an_impl(item, errors);
    };
    check(&block, &mut errors);
    let host = Host { alias: Ident::new("__Self", Span::mixed_site()), spelled: spelled(&block.ty) };
    let mut tools = Vec::new();
    for item in &mut block.items {
        if let Item::Function(function) = item
            && let Some(options) = tool_options(function, &read, &mut errors)
        {
            tools.push(tool(function, &host, options, &mut errors));
        }
    }
    if tools.is_empty() {
        errors.at(block.keyword.span, "no method of this `impl` is a tool: put `#[tool]` on those that are");
    }
    let implementation = match errors.finish() {
        None => implementation(&block, &tools, &read),
        Some(errors) => fallback(&block, &read, &errors),
    };
    quote!(#block #implementation)
}

/// The errors, and a type that has methods all the same, so that nobody complains of that as well.
fn fallback(block: &Impl, options: &ToolsOptions, errors: &TokenStream) -> TokenStream {
    if block.of_trait.is_some() {
        return errors.clone();
    }
    let Impl { ty, bounds, .. } = block;
    let (parameters, private) = (block.generics.params.iter(), expand::private(options.krate.as_ref()));
    quote! {
        #errors

        impl<#(#parameters,)* __S: ?::core::marker::Sized> #private::Methods<__S> for #ty #bounds {
            fn entries() -> ::std::vec::Vec<#private::Entry<__S>> {
                ::core::unreachable!()
            }
        }
    }
}

fn check(block: &Impl, errors: &mut Errors) {
    if let Some((keyword, _)) = &block.of_trait {
        let message = "the methods of a trait cannot be tools: move them to an `impl` of the type itself";
        errors.at(keyword.span, message);
    }
    if !block.generics.params.is_empty() {
        let message = "the state of a tool is one type: write it out, as in `impl Store<Sqlite>`";
        errors.on(&block.generics.params, message);
    }
}

/// The options of a method that is a tool; takes the attribute off.
fn tool_options(function: &mut Function, of_impl: &ToolsOptions, errors: &mut Errors) -> Option<ToolOptions> {
    let is_tool = |attribute: &Attribute| attribute.path().segments.last().is_some_and(|last| last.ident == "tool");
    let mut options = ToolOptions::default();
    let mut found = false;
    for attribute in function.attributes.iter().filter(|attribute| is_tool(attribute)) {
        found = true;
        match &attribute.meta {
            Meta::Path(_) => {}
            Meta::List(list) => options.read(list.tokens.clone(), errors),
            meta @ Meta::NameValue(_) => errors.on(meta, "`#[tool]` takes options: `#[tool(read_only)]`"),
        }
    }
    function.attributes.retain(|attribute| !is_tool(attribute));
    let inherit = |given: &Given<syn::Path>| Given { key: given.key.clone(), value: given.value.clone() };
    options.list = options.list.or_else(|| of_impl.list.as_ref().map(inherit));
    options.krate = options.krate.or_else(|| of_impl.krate.as_ref().map(inherit));
    found.then_some(options)
}

fn tool(function: &mut Function, host: &Host, options: ToolOptions, errors: &mut Errors) -> (Tool, bool) {
    // The generated code stands outside of the `impl`, where `Self` has no meaning.
    let aliased = syn::parse2::<Function>(with_alias(function.to_token_stream(), &host.alias));
    let read = aliased.as_ref().unwrap_or(function);
    let parameters = read.parameters(errors);
    let is_named = options.marker.is_some();
    let mut tool = validate::tool(read, Some(host), parameters, with_aliases(options, &host.alias), errors);
    if !is_named {
        // It is registered by its type or its list, so its name is nobody's business.
        tool.marker = format_ident!("__tool_{}", tool.function, span = tool.function.span());
    }
    function.strip();
    (tool, is_named)
}

/// The same tokens, with another name for `Self`.
fn with_alias(tokens: TokenStream, alias: &Ident) -> TokenStream {
    let renamed = tokens.into_iter().map(|token| match token {
        TokenTree::Ident(ident) if ident == "Self" => Ident::new(&alias.to_string(), ident.span()).into(),
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), with_alias(group.stream(), alias));
            inner.set_span(group.span());
            inner.into()
        }
        token => token,
    });
    renamed.collect()
}

fn with_aliases(mut options: ToolOptions, alias: &Ident) -> ToolOptions {
    if let Some(check) = &mut options.check
        && let Ok(aliased) = syn::parse2(with_alias(check.value.to_token_stream(), alias))
    {
        check.value = aliased;
    }
    options
}

fn implementation(block: &Impl, tools: &[(Tool, bool)], options: &ToolsOptions) -> TokenStream {
    let ty = &block.ty;
    let of_impl: Vec<_> = block.attributes.iter().filter_map(validate::allowed).collect();
    let preamble = expand::preamble(options.krate.as_ref());
    let alias = Ident::new("__Self", Span::mixed_site());
    let (named, hidden): (Vec<_>, Vec<_>) = tools.iter().partition(|(_, is_named)| *is_named);
    let named = named.iter().map(|(tool, _)| expand::marker(tool));
    let hidden = hidden.iter().map(|(tool, _)| {
        let Tool { marker, cfgs, .. } = tool;
        quote!(#(#cfgs)* #[allow(non_camel_case_types)] struct #marker {})
    });
    let implementations = tools.iter().map(|(tool, _)| {
        let implementation = expand::implementation(tool);
        print::if_asked_for(&tool.name, &implementation);
        let Tool { cfgs, allowed, .. } = tool;
        quote!(#(#cfgs)* #(#allowed)* const _: () = { #implementation };)
    });
    let (conditional, states): (Vec<_>, Vec<_>) =
        tools.iter().enumerate().map(|(place, (tool, _))| asked_of_state(place, tool)).unzip();
    // Each once: clippy has something to say of bounds that are repeated.
    let mut states: Vec<_> = states.into_iter().flatten().collect();
    let mut seen = HashSet::new();
    states.retain(|state| seen.insert(state.to_string()));
    let entries = tools.iter().map(|(tool, _)| {
        let Tool { marker, cfgs, .. } = tool;
        quote_spanned!(tool.function.span()=> #(#cfgs)* __gate::Entry::of::<#marker>())
    });
    quote_spanned! {ty.span()=>
        #(#named)*

        #(#of_impl)*
        const _: () = {
            #preamble
            type #alias = #ty;
            #(#hidden)*
            #(#conditional)*
            #(#implementations)*

            impl<__S: ?::core::marker::Sized #(+ #states)*> __gate::Methods<__S> for #ty {
                fn entries() -> ::std::vec::Vec<__gate::Entry<__S>> {
                    ::core::convert::From::from([#(#entries),*])
                }
            }
        };
    }
}

/// What a tool asks of the state. A bound cannot be conditional, so where the tool is, a trait that asks for it is.
fn asked_of_state(place: usize, tool: &Tool) -> (TokenStream, Vec<TokenStream>) {
    let states: Vec<_> = expand::states(tool).collect();
    if tool.cfgs.is_empty() || states.is_empty() {
        return (TokenStream::new(), states);
    }
    let cfgs = &tool.cfgs;
    let conditions = cfgs.iter().filter_map(|cfg| Some(&cfg.meta.require_list().ok()?.tokens));
    let none = quote!(#[cfg(not(all(#(#conditions),*)))]);
    let asks = format_ident!("__Asks{place}");
    let traits = quote! {
        #(#cfgs)*
        trait #asks: #(#states)+* {}
        #(#cfgs)*
        impl<__S: ?::core::marker::Sized #(+ #states)*> #asks for __S {}
        #none
        trait #asks {}
        #none
        impl<__S: ?::core::marker::Sized> #asks for __S {}
    };
    (traits, vec![quote!(#asks)])
}
