//! The code that stands for a declaration: calls of named functions of the runtime crate, and nothing of their work.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::{Expr, ExprLit, Ident, Lit, Path, ReturnType, Type, spanned::Spanned};

use crate::{
    attr::{DefaultValue, Given, ToolOptions},
    errors::Errors,
    fallback,
    signature::Function,
    validate::{self, Argument, Takes, Tool},
};

/// `#[tool(options)] item`.
pub(crate) fn tool(options: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::new();
    let mut read = ToolOptions::default();
    read.read(options, &mut errors);
    let Ok(mut function) = syn::parse2::<Function>(item.clone()) else {
        return fallback::not_a_function(&item, errors);
    };
    let parameters = function.parameters(&mut errors);
    let fallback = fallback::Fallback::of(&function, &read);
    let tool = validate::tool(&function, parameters, read, &mut errors);
    match errors.finish() {
        Some(errors) => fallback.expand(&function, &errors),
        None => {
            let declared = declare(&tool);
            quote!(#function #declared)
        }
    }
}

/// The hidden module of the runtime crate.
pub(crate) fn private(krate: Option<&Given<Path>>) -> TokenStream {
    match krate {
        Some(given) => quote!(#given::__private),
        None => quote!(::tool_gate::__private),
    }
}

/// The type that names the tool.
pub(crate) fn marker(tool: &Tool) -> TokenStream {
    let Tool { marker, visibility, function, .. } = tool;
    let doc = format!("The tool [`{function}`](fn@{function}), as a type: what a registry is given to take it.");
    quote! {
        #[doc = #doc]
        #[allow(non_camel_case_types, missing_debug_implementations, unreachable_pub)]
        #visibility struct #marker {}
    }
}

fn declare(tool: &Tool) -> TokenStream {
    let marker_struct = marker(tool);
    let Tool { marker, name, description, options, .. } = tool;
    let private = private(options.krate.as_ref());
    let effects = [&options.read_only, &options.destructive].into_iter().flatten().map(Given::method);
    let requires = options.requires.iter().map(|scope| quote!(.requires(#scope)));
    let arguments = tool.takes.iter().filter_map(|takes| match takes {
        Takes::Argument(argument) => Some(argument),
        Takes::State(_) => None,
    });
    let parameters = arguments.clone().map(|argument| parameter(argument));
    let binds = arguments.map(|argument| bind(argument));
    let states = tool.takes.iter().filter_map(|takes| match takes {
        Takes::State(ty) => Some(quote_spanned!(ty.span()=> __gate::Provides<#ty>)),
        Takes::Argument(_) => None,
    });
    let start = start(tool);
    let submit = options.list.as_ref().map(|list| {
        quote_spanned! {marker.span()=>
            __gate::inventory::submit! { #list { entry: __gate::Entry::of::<#marker>() } }
        }
    });
    quote! {
        #marker_struct

        const _: () = {
            use #private as __gate;

            impl __gate::Declare for #marker {
                const DECLARATION: __gate::Declaration =
                    __gate::Declaration::new(#name, #description) #(.#effects())* #(#requires)*;

                fn parameters(__list: &mut __gate::Parameters) {
                    #(__list.add(#parameters);)*
                }
            }

            impl<__S: ?::core::marker::Sized #(+ #states)*> __gate::Tool<__S> for #marker {
                fn bind(
                    __arguments: &mut __gate::Binding<'_>,
                ) -> ::core::result::Result<__gate::Bound<__S>, __gate::Unbound> {
                    #(#binds)*
                    ::core::result::Result::Ok(__gate::Bound::new(move |__state, __call| #start))
                }
            }

            #submit
        };
    }
}

/// The parameter's name and type: what binding needs of it.
fn constructor(argument: &Argument) -> TokenStream {
    let Argument { ty, key, .. } = argument;
    let constructor = Ident::new(if argument.is_borrowed { "lent" } else { "arg" }, ty.span());
    let default = argument.options.default.as_ref().map(default);
    quote!(__gate::#constructor::<#ty>(#key) #default)
}

fn default(given: &Given<DefaultValue>) -> TokenStream {
    let method = given.method();
    match &given.value.0 {
        None => quote_spanned!(given.span()=> .#method(::core::default::Default::default)),
        // A text literal stands for a `String` and its like as well.
        Some(Expr::Lit(ExprLit { lit: Lit::Str(text), .. })) => {
            let text_default = Ident::new("text_default", text.span());
            quote!(.#method(|| __gate::#text_default(#text)))
        }
        Some(value) => quote!(.#method(|| #value)),
    }
}

/// All that the parameter's attributes say.
fn parameter(argument: &Argument) -> TokenStream {
    let constructor = constructor(argument);
    let options = &argument.options;
    let doc = Some(&argument.doc).filter(|doc| !doc.is_empty()).map(|doc| quote!(.doc(#doc)));
    let sensitive = options.sensitive.as_ref().map(|_| quote!(.sensitive()));
    let ranges = [&options.range, &options.length, &options.items].into_iter().flatten().map(|given| {
        let method = given.method();
        quote!(.#method(#given))
    });
    let texts = [&options.pattern, &options.format].into_iter().flatten().map(|given| {
        let method = given.method();
        quote!(.#method(#given))
    });
    quote!(#constructor #doc #(#ranges)* #(#texts)* #sensitive)
}

fn bind(argument: &Argument) -> TokenStream {
    let local = local(argument);
    let constructor = constructor(argument);
    quote!(let #local = __arguments.take(#constructor)?;)
}

fn local(argument: &Argument) -> Ident {
    format_ident!("__arg_{}", argument.ident, span = proc_macro2::Span::mixed_site())
}

/// From the state and the bound arguments to the future that answers.
fn start(tool: &Tool) -> TokenStream {
    let Tool { function, .. } = tool;
    let mut lends = Vec::new();
    let mut passed = Vec::new();
    for (index, takes) in tool.takes.iter().enumerate() {
        match takes {
            Takes::State(ty) => {
                let local = format_ident!("__state_{index}");
                // Outside the future, so that the future holds the part and not the whole state, which need not be `Sync`.
                lends.push(quote_spanned!(ty.span()=> let #local = __gate::Provides::<#ty>::provide(__state);));
                passed.push(quote!(#local));
            }
            Takes::Argument(argument) => {
                let (local, ty) = (local(argument), &argument.ty);
                passed.push(if argument.is_borrowed { quote!(__gate::lend::<#ty>(&#local)) } else { quote!(#local) });
            }
        }
    }
    let wait = tool.is_async.then(|| quote!(.await));
    let (answer_span, error_span) = validate::output_spans(&tool.output, function);
    let output = Ident::new("output", error_span);
    let answer = Ident::new("answer", answer_span);
    let never = match &tool.output {
        ReturnType::Type(_, ty) if matches!(**ty, Type::Never(_)) => Some(quote!(: ::core::convert::Infallible)),
        _ => None,
    };
    let boxed = quote_spanned!(function.span()=> ::std::boxed::Box::pin);
    quote! {{
        use __gate::{AnyAnswer as _, AnyOutput as _};
        #(#lends)*
        #boxed(async move {
            let __output #never = #function(#(#passed),*) #wait;
            let __answer = __gate::Probe::of(&__output).#output(__output)?;
            __gate::Probe::of(&__answer).#answer(&__answer)
        })
    }}
}
