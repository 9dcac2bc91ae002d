//! The code that stands for a declaration: calls of named functions of the runtime crate, and nothing of their work.

use proc_macro2::{Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Expr, ExprLit, ExprPath, ExprUnary, Ident, Lit, LitInt, Path, UnOp, spanned::Spanned};

use crate::{
    attr::{DefaultValue, Given, ToolOptions},
    beside,
    errors::Errors,
    fallback, print,
    signature::Function,
    types,
    validate::{self, Argument, Takes, Tool},
};

/// `#[tool(options)] item`.
pub(crate) fn tool(options: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::new();
    let mut read = ToolOptions::default();
    read.read(options, &mut errors);
    let mut function = match syn::parse2::<Function>(item.clone()) {
        Ok(function) => function,
        Err(unread) => return fallback::not_a_function(item, &unread, errors),
    };
    function.take_repetitions(&mut errors);
    let parameters = function.parameters(&mut errors);
    function.strip();
    let fallback = fallback::Fallback::of(&function, &read);
    let tool = validate::tool(&function, None, parameters, read, &mut errors);
    if let Some(errors) = errors.finish() {
        return fallback.expand(&function, &errors);
    }
    let (marker, declaration) = (marker(&tool), alone(&tool));
    print::if_asked_for(&tool.name, &beside::detach(&declaration, &marker));
    let marker = beside::attach(&private(tool.options.krate.as_ref()), &marker, &declaration);
    quote!(#function #marker)
}

/// The hidden module of the runtime crate.
pub(crate) fn private(krate: Option<&Given<Path>>) -> TokenStream {
    let krate = krate.map_or_else(|| quote!(::tool_gate), Given::to_token_stream);
    quote!(#krate::__private)
}

/// The tool of one function: what the type that names it is.
fn alone(tool: &Tool) -> TokenStream {
    let preamble = preamble(tool.options.krate.as_ref());
    let implementation = implementation(tool);
    let Tool { cfgs, allowed, .. } = tool;
    quote! {
        #(#cfgs)*
        #(#allowed)*
        const _: () = {
            #preamble
            #implementation
        };
    }
}

/// The type that names the tool.
pub(crate) fn marker(tool: &Tool) -> TokenStream {
    let Tool { marker, visibility, cfgs, name, .. } = tool;
    let doc = format!(" The tool `{name}`, as a type: what a registry is given to take it.");
    quote_spanned! {marker.span()=>
        #(#cfgs)*
        #[doc = #doc]
        #[allow(non_camel_case_types, missing_copy_implementations, missing_debug_implementations, unreachable_pub, clippy::exhaustive_structs)]
        #visibility struct #marker {}
    }
}

/// The names that implementations use.
pub(crate) fn preamble(krate: Option<&Given<Path>>) -> TokenStream {
    let private = private(krate);
    quote! {
        use #private as __gate;
        #[allow(unused_imports)]
        use __gate::probing::*;
    }
}

/// What makes a tool of the type that names it, and puts it on its list.
pub(crate) fn implementation(tool: &Tool) -> TokenStream {
    let Tool { marker, name, description, options, path, .. } = tool;
    let effects = [&options.read_only, &options.destructive, &options.idempotent, &options.open_world];
    let effects = effects.into_iter().flatten().map(|given| &given.key);
    let texts = [&options.title, &options.requires].into_iter().flatten().map(|given| {
        let method = &given.key;
        quote!(.#method(#given))
    });
    let timeout = tool.timeout.map(|milliseconds| {
        let milliseconds = Literal::u64_unsuffixed(milliseconds);
        quote!(.timeout(::core::time::Duration::from_millis(#milliseconds)))
    });
    let parameters = tool.arguments().map(parameter);
    let output = types::nameable(&tool.output).map_or_else(
        || quote!(::core::option::Option::None),
        |ty| quote_spanned!(ty.span()=> __gate::Probe::<#ty>::TYPE.answers().schema_of()),
    );
    let binds = tool.arguments().map(bind);
    let check = options.check.as_ref().map(|given| check_all(&given.value, tool));
    let states = states(tool);
    let start = start(tool);
    let submit = options.list.as_ref().map(|list| {
        // What is no list is blamed on the path, and what its state lacks on the function.
        let entry = quote_spanned!(marker.span()=> __gate::Entry::of::<#marker>());
        let link = quote_spanned!(list.value.span()=> <#list>::__link(#entry));
        quote!(__gate::inventory::submit! { #link })
    });
    quote! {
        impl __gate::Declare for #marker {
            const DECLARATION: __gate::Declaration = __gate::Declaration::new(
                #name,
                #description,
                ::core::concat!(::core::module_path!(), "::", #path),
            ) #(.#effects())* #(#texts)* #timeout;

            fn parameters(__list: &mut __gate::Parameters) {
                #(__list.add(#parameters);)*
            }

            fn output() -> ::core::option::Option<__gate::Value> {
                #output
            }
        }

        impl<__S: ?::core::marker::Sized #(+ #states)*> __gate::Tool<__S> for #marker {
            fn bind(__arguments: &mut __gate::Binding<'_>) -> __gate::Taken<__S> {
                #(#binds)*
                #check
                ::core::result::Result::Ok(__gate::Bound::new(#start))
            }
        }

        #submit
    }
}

/// What a state has to provide for the tool.
pub(crate) fn states(tool: &Tool) -> impl Iterator<Item = TokenStream> {
    tool.takes.iter().filter_map(|takes| match takes {
        Takes::State(ty) => Some(quote_spanned!(ty.span()=> __gate::ProvidesState<#ty>)),
        Takes::Argument(_) | Takes::Call(_) => None,
    })
}

/// The parameter's name, type and default: what it takes to bind it.
///
/// It stands where the type stands, so that an option that does not apply to the type is blamed on both.
fn constructor(argument: &Argument) -> TokenStream {
    let Argument { ty, key, options, .. } = argument;
    let constructor = Ident::new(if argument.is_borrowed { "lent" } else { "arg" }, ty.span());
    let default = options.default.as_ref().map(default);
    quote_spanned!(ty.span()=> __gate::#constructor::<#ty>(#key) #default)
}

/// The check of one argument, which sees what an `Option` holds.
fn check(given: &Given<ExprPath>, argument: &Argument) -> TokenStream {
    let method = &given.key;
    let span = function_span(&given.value);
    let owned = Ident::new("__owned", Span::mixed_site());
    let value = Ident::new("__value", span);
    let seen = seen(argument, &owned, span);
    let checked = checked(&given.value, &[value.to_token_stream()]);
    quote_spanned!(given.span()=> .#method(|#owned| __gate::Given(#seen).check_given(|#value| { #checked })))
}

/// The check of all arguments together.
fn check_all(function: &ExprPath, tool: &Tool) -> TokenStream {
    let span = function_span(function);
    let arguments = tool.arguments().map(|argument| {
        let local = local(argument);
        seen(argument, &quote_spanned!(span=> &#local), span)
    });
    let checked = checked(function, &arguments.collect::<Vec<_>>());
    quote!(__gate::together({ #checked })?;)
}

/// A call of the user's check.
///
/// The pointer's type says what a check is where the function is another. It leaves open what the function borrows, so that
/// a `&String` may become the `&str` that it takes.
fn checked(function: &ExprPath, arguments: &[TokenStream]) -> TokenStream {
    let span = function_span(function);
    let borrowed = arguments.iter().map(|_| quote!(&_));
    quote_spanned! {span=>
        let __check: fn(#(#borrowed),*) -> ::core::result::Result<(), _> = #function;
        __gate::checked(__check(#(#arguments),*))
    }
}

/// What a function is shown of an argument: the same as the tool, or a reference where the tool takes the value.
fn seen(argument: &Argument, owned: &impl ToTokens, span: Span) -> TokenStream {
    let ty = &argument.ty;
    if argument.is_borrowed { quote_spanned!(span=> __gate::lend::<#ty>(#owned)) } else { quote!(#owned) }
}

/// The name of the function, which is what errors should point at.
fn function_span(function: &ExprPath) -> Span {
    function.path.segments.last().map_or_else(|| function.span(), |segment| segment.ident.span())
}

fn default(given: &Given<DefaultValue>) -> TokenStream {
    let value = match &given.value.0 {
        None => quote_spanned!(given.span()=> __gate::own_default),
        // A text literal stands for a `String` and its like as well.
        Some(Expr::Lit(ExprLit { lit: Lit::Str(text), .. })) => {
            quote_spanned!(text.span()=> || __gate::text_default(#text))
        }
        Some(value) => quote!(|| #value),
    };
    let method = &given.key;
    quote_spanned!(given.span()=> .#method(#value))
}

/// All that the parameter's attributes say.
fn parameter(argument: &Argument) -> TokenStream {
    let constructor = constructor(argument);
    let Argument { doc, options, .. } = argument;
    // A default and an example are checked when the registry is built, too.
    let is_shown = options.default.is_some() || options.example.is_some();
    let check = options.check.as_ref().filter(|_| is_shown).map(|given| check(given, argument));
    let doc = (!doc.is_empty()).then(|| quote_spanned!(argument.ty.span()=> .doc(#doc)));
    let ranges = [&options.range, &options.length, &options.items].into_iter().flatten().map(|given| {
        let method = &given.key;
        quote_spanned!(given.span()=> .#method(#given))
    });
    let texts = [&options.pattern, &options.format].into_iter().flatten().map(|given| {
        let method = &given.key;
        quote_spanned!(given.span()=> .#method(#given))
    });
    let example = options.example.iter().map(|given| {
        let method = &given.key;
        let value = widest(&given.value.0);
        quote_spanned!(given.value.0.span()=> .#method(#value))
    });
    let flags = options.sensitive.iter().map(|given| {
        let method = &given.key;
        quote!(.#method())
    });
    quote!(#constructor #check #doc #(#ranges)* #(#texts)* #(#example)* #(#flags)*)
}

/// Whole numbers have no other type to take than `i32`, which is too small for some.
fn widest(value: &Expr) -> TokenStream {
    match value {
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) if number.suffix().is_empty() => {
            LitInt::new(&format!("{number}_i128"), number.span()).into_token_stream()
        }
        Expr::Unary(ExprUnary { op: UnOp::Neg(minus), expr, .. }) => {
            let value = widest(expr);
            quote!(#minus #value)
        }
        value => value.to_token_stream(),
    }
}

fn bind(argument: &Argument) -> TokenStream {
    let local = local(argument);
    let constructor = constructor(argument);
    let check = argument.options.check.as_ref().map(|given| check(given, argument));
    quote!(let #local = __arguments.take(#constructor #check)?;)
}

/// Named by its place: two parameters may be spelled alike where one of them is a macro's own.
fn local(argument: &Argument) -> Ident {
    format_ident!("__arg_{}", argument.place, span = Span::mixed_site())
}

/// The closure that takes the state and the call, and returns the future that answers.
fn start(tool: &Tool) -> TokenStream {
    let Tool { function, of, options, .. } = tool;
    let of = of.as_ref().map(|of| quote!(#of::));
    let state = Ident::new("__state", Span::mixed_site());
    let call = Ident::new("__call", Span::mixed_site());
    let blocking = options.blocking.as_ref().map(|given| &given.key);
    // A blocking tool takes clones to its thread, where it is lent them.
    let ampersand = blocking.map(|_| quote!(&));
    let mut lends = Vec::new();
    let mut passed = Vec::new();
    for (index, takes) in tool.takes.iter().enumerate() {
        passed.push(match takes {
            Takes::State(ty) => {
                let part = format_ident!("__state_{index}", span = Span::mixed_site().located_at(ty.span()));
                let lent = quote_spanned!(ty.span()=> __gate::ProvidesState::<#ty>::provide(#state));
                let taken = match blocking {
                    Some(blocking) => quote_spanned!(blocking.span()=> __gate::cloned::<#ty>(#lent)),
                    None => lent,
                };
                // Outside the future, which so holds the part and not the whole state: that need not be `Sync` here.
                lends.push(quote_spanned!(ty.span()=> let #part = #taken;));
                quote!(#ampersand #part)
            }
            Takes::Call(ty) => quote_spanned!(ty.span()=> __gate::told::<#ty>(#ampersand #call)),
            Takes::Argument(argument) => {
                let (local, ty) = (local(argument), &argument.ty);
                if argument.is_borrowed { quote!(__gate::lend::<#ty>(&#local)) } else { quote!(#local) }
            }
        });
    }
    if blocking.is_some() && tool.takes.iter().any(|takes| matches!(takes, Takes::Call(_))) {
        lends.push(quote!(let #call = ::core::clone::Clone::clone(#call);));
    }
    let wait = tool.is_async.then(|| quote!(.await));
    let spans = types::output_spans(&tool.output, function);
    let output = Ident::new("settle", spans.error);
    let answer = Ident::new("answer", spans.answer);
    let answers = quote! {
        let __output = #of #function(#(#passed),*) #wait;
        let __answer = __gate::Probe::of(&__output).#output(__output)?;
        __gate::Probe::of(&__answer).answer_kind().#answer(__answer)
    };
    let future = match blocking {
        None => quote_spanned!(function.span()=> ::std::boxed::Box::pin(async move { #answers })),
        Some(blocking) => quote_spanned!(blocking.span()=> __gate::#blocking!()(move || { #answers })),
    };
    quote! {
        move |#state, #call| {
            #(#lends)*
            #future
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{env, fs, path::Path};

    use super::*;
    use crate::methods;

    const SNAPSHOTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots");

    fn search_orders() -> TokenStream {
        quote! {
            /// Find the signed-in customer's orders, newest first.
            async fn search_orders(
                #[state] orders: &Orders,
                /** Only orders in this state. */ status: Option<OrderStatus>,
                #[arg(default = 20, range = 1..=100)] limit: u32,
                #[arg(pattern = r"^[A-Z]")] q: &str,
            ) -> Result<Vec<Order>, ToolError> {
                orders.of(status, limit, q).await.tell("The order store is busy; try again in a minute.")
            }
        }
    }

    fn refund() -> TokenStream {
        quote! {
            /// Pay money back.
            fn refund(
                #[state] bank: &Arc<Bank>,
                #[arg(check = Order::exists)] order: Order,
                #[arg(check = short, default = "none")] note: &str,
                #[call] call: &CallInfo,
            ) -> Result<(), BankError> {
                bank.refund(order, note, call.idempotency_key())
            }
        }
    }

    /// Everything that an argument may say.
    fn book() -> TokenStream {
        quote! {
            /// Book a room.
            pub(crate) async fn r#book(
                #[arg(rename = "room", length = 1..=8, pattern = "^[A-Z]", example = "A1")] r#type: String,
                #[arg(items = 1..4, sensitive)] guests: &[Guest],
                #[arg(format = "date", check = open)] day: Day,
                #[arg(default)] mut nights: u8,
            ) -> Cow<'static, str> {
                "done".into()
            }
        }
    }

    /// Nothing but what has to be.
    fn ping() -> TokenStream {
        quote! {
            #[doc = "Answer."]
            #[must_use]
            fn ping() {}
        }
    }

    /// An answer that is known by a trait alone, and lifetimes.
    fn whoami() -> TokenStream {
        quote! {
            /// Tell who is signed in.
            pub fn whoami<'s>(#[state] session: &'s Session) -> impl Serialize + 's {
                &session.name
            }
        }
    }

    fn desk() -> TokenStream {
        quote! {
            impl Desk<Sqlite> {
                const LIMIT: u8 = { 20 };

                /// Find orders.
                #[tool(read_only)]
                async fn search(&self, #[arg(default = Self::LIMIT)] limit: u8) -> Result<Vec<Order>, ToolError> {
                    self.find(limit).await
                }

                /// Close the desk.
                #[tool_gate::tool(as = CloseDesk, check = Self::may_close, destructive)]
                pub fn close(why: String) {}

                fn helper(&mut self) {}
            }
        }
    }

    fn expanded(options: TokenStream, item: &TokenStream) -> String {
        prettyplease::unparse(&beside::expanded(tool(options, item)))
    }

    fn pretty(expansion: TokenStream) -> String {
        prettyplease::unparse(&syn::parse2(expansion).unwrap())
    }

    #[test]
    fn the_expansions_are_those_on_file() {
        for (file, expanded) in [
            ("search_orders.rs", expanded(quote!(in = SUPPORT, read_only), &search_orders())),
            ("refund.rs", expanded(quote!(destructive, blocking, timeout = "2m", check = fits), &refund())),
            ("book.rs", expanded(quote!(title = "Book a room", idempotent, open_world, requires = "rooms"), &book())),
            ("ping.rs", expanded(quote!(name = "ping_pong", as = Ping, crate = crate::gate), &ping())),
            ("whoami.rs", expanded(quote!(read_only), &whoami())),
            ("desk.rs", pretty(methods::tools(quote!(in = SUPPORT), &desk()))),
        ] {
            let file = Path::new(SNAPSHOTS).join(file);
            if env::var_os("UPDATE_SNAPSHOTS").is_some() {
                fs::write(&file, &expanded).unwrap();
            }
            assert_eq!(
                expanded,
                fs::read_to_string(&file).unwrap(),
                "run with UPDATE_SNAPSHOTS=1 and look at the difference"
            );
        }
    }

    #[test]
    fn the_expansion_is_short_and_derives_nothing() {
        let expanded = expanded(quote!(read_only), &search_orders());
        let generated = &expanded[expanded.find("/// The tool `search_orders`").unwrap()..];
        assert!(generated.lines().count() < 60, "{generated}");
        assert!(!generated.contains("derive") && !generated.contains("macro_rules"), "{generated}");
    }

    #[test]
    fn another_path_to_the_runtime_is_the_only_one_named() {
        let expanded = expanded(quote!(crate = crate::gate, in = SUPPORT), &search_orders());
        assert!(expanded.contains("use crate::gate::__private as __gate;"), "{expanded}");
        assert!(!expanded.contains("tool_gate"), "{expanded}");
    }
}
