//! Each mistake, and where it is told.

use quote::quote;

use super::*;

/// What is wrong with a tool, apart from lacking a description.
fn mistakes(options: TokenStream, item: TokenStream) -> Vec<String> {
    let mut errors = Errors::new();
    let mut read = ToolOptions::default();
    read.read(options, &mut errors);
    let function = syn::parse2::<Function>(item).unwrap();
    let parameters = function.parameters(&mut errors);
    tool(&function, None, parameters, read, &mut errors);
    errors.messages().into_iter().filter(|message| !message.contains("needs a description")).collect()
}

fn mistake(item: TokenStream) -> String {
    let mistakes = mistakes(TokenStream::new(), item);
    assert_eq!(mistakes.len(), 1, "{mistakes:?}");
    mistakes.into_iter().next().unwrap()
}

#[test]
fn a_plain_function_is_a_tool() {
    let item = quote! {
        async fn f<'a>(
            #[state] Db(pool): &'a Db,
            a: Option<Vec<(u8, [String; 2])>>,
            b: &'a str,
            c: &[T],
            mut d: Cow<'static, str>,
            #[call] call: &'a crate::CallInfo,
            #[call] _: &CallInfo,
            r#type: crate::Kind,
        ) -> Result<(), E> {}
    };
    assert_eq!(mistakes(quote!(read_only, requires = "orders"), item), [""; 0]);
}

#[test]
fn a_model_cannot_call_what_is_qualified() {
    for (item, word) in [
        (
            quote!(
                unsafe fn f() {}
            ),
            "`unsafe`",
        ),
        (
            quote!(
                extern "C" fn f() {}
            ),
            "`extern`",
        ),
        (
            quote!(
                fn f(&self) {}
            ),
            "`#[tools]` on the `impl`",
        ),
        (
            quote!(
                fn f<T>() {}
            ),
            "generic",
        ),
        (
            quote!(
                fn f<const N: usize>() {}
            ),
            "generic",
        ),
        (
            quote!(
                fn f() -> ! {}
            ),
            "never answers",
        ),
    ] {
        let mistake = mistake(item);
        assert!(mistake.contains(word), "{mistake}");
    }
}

#[test]
fn an_argument_owns_its_data_or_lends_it_once() {
    for (item, instead) in [
        (
            quote!(
                fn f(a: Option<&str>) {}
            ),
            "take `Option<String>`",
        ),
        (
            quote!(
                fn f(a: &Option<&str>) {}
            ),
            "take `&Option<String>`",
        ),
        (
            quote!(
                fn f(a: &&&[u8]) {}
            ),
            "take `&[u8]`",
        ),
        (
            quote!(
                fn f(a: &'static str) {}
            ),
            "take `&str`",
        ),
        (
            quote!(
                fn f(a: &mut [u8]) {}
            ),
            "take `Vec<u8>`, and make the parameter `mut`",
        ),
        (
            quote!(
                fn f(a: Cow<'_, [u8]>) {}
            ),
            "take `Vec<u8>`",
        ),
        (
            quote!(
                fn f(a: Filter<'_>) {}
            ),
            "take a type that owns its data",
        ),
        (
            quote!(
                fn f(a: impl Into<String>) {}
            ),
            "not `impl Trait`",
        ),
        (
            quote!(
                fn f(a: &dyn Store) {}
            ),
            "mark it `#[state]`",
        ),
    ] {
        let mistake = mistake(item);
        assert!(mistake.contains(instead), "{mistake}");
    }
}

#[test]
fn state_is_lent_and_shared() {
    for (item, instead) in [
        (
            quote!(
                fn f(#[state] a: Db) {}
            ),
            "take `&Db`",
        ),
        (
            quote!(
                fn f(#[state] a: &mut Db) {}
            ),
            "take `&Db`, with a lock inside",
        ),
        (
            quote!(
                fn f(#[state] a: &'static Db) {}
            ),
            "take `&Db`",
        ),
        (
            quote!(
                fn f(#[state] a: &Db<'_>) {}
            ),
            "owns its data",
        ),
        (
            quote!(
                fn f(#[state] a: &impl Store) {}
            ),
            "`&dyn Trait`",
        ),
        (
            quote!(
                fn f(
                    #[state]
                    #[arg(default)]
                    a: &Db,
                ) {
                }
            ),
            "remove one",
        ),
    ] {
        let mistake = mistake(item);
        assert!(mistake.contains(instead), "{mistake}");
    }
}

#[test]
fn a_call_is_told_of_and_not_filled_in() {
    for (item, instead) in [
        (
            quote!(
                fn f(#[call] a: CallInfo) {}
            ),
            "take `&CallInfo`",
        ),
        (
            quote!(
                fn f(#[call] a: &mut CallInfo) {}
            ),
            "take `&CallInfo`",
        ),
        (
            quote!(
                fn f(#[call] a: &'static CallInfo) {}
            ),
            "take `&CallInfo`",
        ),
        (
            quote!(
                fn f(#[call(id)] a: &CallInfo) {}
            ),
            "takes no options",
        ),
        (
            quote!(
                fn f(
                    #[call]
                    #[state]
                    a: &CallInfo,
                ) {
                }
            ),
            "remove one",
        ),
        (
            quote!(
                fn f(
                    #[arg(default)]
                    #[call]
                    a: &CallInfo,
                ) {
                }
            ),
            "remove one",
        ),
    ] {
        let mistake = mistake(item);
        assert!(mistake.contains(instead), "{mistake}");
    }
}

#[test]
fn what_blocks_does_not_await_and_takes_clones() {
    let waits = quote!(
        async fn f() {}
    );
    assert_eq!(mistakes(quote!(blocking), waits).len(), 1);
    for (state, instead) in
        [("dyn Store", "&Arc<dyn Store>"), ("(dyn Store + Sync)", "&Arc<dyn Store + Sync>"), ("str", "&Arc<str>")]
    {
        let state = syn::parse_str::<Type>(state).unwrap();
        let item = quote!(
            fn f(#[state] a: &#state) {}
        );
        assert_eq!(mistakes(TokenStream::new(), item.clone()), [""; 0]);
        let mistakes = mistakes(quote!(blocking), item);
        assert!(matches!(&mistakes[..], [mistake] if mistake.ends_with(&format!("take `{instead}`"))), "{mistakes:?}");
    }
}

#[test]
fn a_check_has_something_to_check() {
    let nothing = quote!(
        fn f(#[state] a: &Db, #[call] b: &CallInfo) {}
    );
    assert_eq!(mistakes(quote!(check = c), nothing).len(), 1);
    let unnamed = quote!(
        fn f((a, b): (u8, u8)) {}
    );
    assert_eq!(mistakes(quote!(check = c), unnamed).len(), 1);
    let something = quote!(
        fn f(#[state] a: &Db, #[arg(check = d::<2>)] b: u8) {}
    );
    assert_eq!(mistakes(quote!(check = <C as D>::c), something), [""; 0]);
}

#[test]
fn a_call_has_some_time_and_not_for_ever() {
    let milliseconds = |text: &str| {
        let mut errors = Errors::new();
        let read = milliseconds(&Time(syn::LitStr::new(text, Span::call_site())), &mut errors);
        assert_eq!(errors.messages().len(), usize::from(read.is_none()), "{text}");
        read
    };
    assert_eq!(milliseconds("250ms"), Some(250));
    assert_eq!(milliseconds("5s"), Some(5_000));
    assert_eq!(milliseconds("2m"), Some(120_000));
    assert_eq!(milliseconds("4294967295m"), Some(257_698_037_700_000));
    for text in ["", "5", "s", "5 s", "+5s", "1.5s", "5h", "5sec", "٥s", "0ms", "000m", "4294967296ms"] {
        assert_eq!(milliseconds(text), None, "{text}");
    }
}

#[test]
fn names_are_what_every_provider_takes() {
    let item = || {
        quote!(
            fn f() {}
        )
    };
    for name in ["", "a-b", "1st", "größe", &"x".repeat(65)] {
        assert_eq!(mistakes(quote!(name = #name), item()).len(), 1, "{name}");
    }
    for name in ["a", "_1", "Search_Orders2", &"x".repeat(64)] {
        assert_eq!(mistakes(quote!(name = #name), item()), [""; 0], "{name}");
    }
    assert!(
        mistake(quote!(
            fn größe() {}
        ))
        .ends_with("; give it one with `name = \"…\"`")
    );
    assert!(
        mistake(quote!(
            fn f(größe: u8) {}
        ))
        .ends_with("; give it one with `#[arg(rename = \"…\")]`")
    );
    assert!(
        mistake(quote!(
            fn f(#[arg(rename = "a b")] a: u8) {}
        ))
        .contains("`a b`")
    );
    assert_eq!(
        mistake(quote!(
            fn f(r#type: u8, #[arg(rename = "type")] b: u8) {}
        )),
        "two arguments are named `type`: rename one"
    );
}

#[test]
fn a_range_in_quotes_is_told_without_them() {
    for (given, meant) in [("1..=3", "1..=3"), ("..5", "..5"), ("small", "1..=9")] {
        let item = quote!(
            fn f(#[arg(range = #given)] a: u8) {}
        );
        assert_eq!(mistake(item), format!("`range` takes a range, not text: `range = {meant}`"));
    }
}

#[test]
fn a_range_bounds_something_and_leaves_something() {
    for (item, word) in [
        (
            quote!(
                fn f(#[arg(range = 5..=1)] a: u8) {}
            ),
            "is empty",
        ),
        (
            quote!(
                fn f(#[arg(length = 1..1)] a: String) {}
            ),
            "is empty",
        ),
        (
            quote!(
                fn f(#[arg(range = 0.5..=-0.5)] a: f64) {}
            ),
            "is empty",
        ),
        (
            quote!(
                fn f(#[arg(items = ..)] a: Vec<u8>) {}
            ),
            "says nothing",
        ),
        (
            quote!(
                fn f(#[arg(length = 5)] a: String) {}
            ),
            "`length = 5..=5`",
        ),
    ] {
        let mistake = mistake(item);
        assert!(mistake.contains(word), "{mistake}");
    }
    let fine = quote!(
        fn f(#[arg(range = 1..=1)] a: u8, #[arg(range = MIN..)] b: u8, #[arg(range = LIMITS)] c: u8) {}
    );
    assert_eq!(mistakes(TokenStream::new(), fine), [""; 0]);
}

#[test]
fn bounds_have_decimals_at_both_ends_or_at_none() {
    for (range, alike) in [("0.5..=1", "0.5..=1.0"), ("-1..0.5", "-1.0..0.5"), ("9.0..1", "9.0..1.0")] {
        let range = syn::parse_str::<syn::Expr>(range).unwrap();
        let item = quote!(
            fn f(#[arg(range = #range)] a: f64) {}
        );
        assert_eq!(mistake(item), format!("`range` has decimals at one end only: write `range = {alike}`"));
    }
}

#[test]
fn what_has_no_sign_has_nothing_below_zero() {
    for (ty, number) in [("u32", "u32"), ("Option<usize>", "usize"), ("(u8)", "u8")] {
        let ty = syn::parse_str::<Type>(ty).unwrap();
        let item = quote!(
            fn f(#[arg(range = -1..=5)] a: #ty) {}
        );
        assert_eq!(mistake(item), format!("no `{number}` is below 0: begin at `0`, or take a type with a sign"));
    }
    let signed = quote!(
        fn f(#[arg(range = -1..=5)] a: i8, #[arg(range = -1.0..)] b: f64, #[arg(range = 0..)] c: u8) {}
    );
    assert_eq!(mistakes(TokenStream::new(), signed), [""; 0]);
}

#[test]
fn a_tools_type_hides_none_that_is_needed() {
    let item = || {
        quote!(
            fn u8(a: u8) {}
        )
    };
    assert_eq!(
        mistake(item()),
        "the tool's type would hide another that is named `u8`: give it another name with `as = Name`"
    );
    assert_eq!(mistakes(quote!(as = Byte), item()), [""; 0]);
    assert_eq!(
        mistakes(quote!(as = str), item()),
        ["the tool's type would hide another that is named `str`: write another"]
    );
    for fine in ["string", "u7", "option", "list"] {
        let name = Ident::new(fine, Span::call_site());
        let item = quote!(
            fn #name() {}
        );
        assert_eq!(mistakes(TokenStream::new(), item), [""; 0]);
    }
}

#[test]
fn a_tool_stands_on_its_own() {
    for (item, word) in [
        (
            quote!(
                fn f() -> Self {}
            ),
            "put `#[tools]`",
        ),
        (
            quote!(
                fn f(a: Vec<Self>) {}
            ),
            "put `#[tools]`",
        ),
        (
            quote!(
                fn f(self: &Self) -> Self {}
            ),
            "put `#[tools]`",
        ),
        (
            quote!(
                fn f(a: u8);
            ),
            "needs a body",
        ),
    ] {
        let mistake = mistake(item);
        assert!(mistake.contains(word), "{mistake}");
    }
    let inner = quote!(
        fn f() {
            struct Node(Option<Box<Self>>);
        }
    );
    assert_eq!(mistakes(TokenStream::new(), inner), [""; 0]);
}

#[test]
fn formats_are_those_of_json_schema() {
    let mistake = mistake(quote!(
        fn f(#[arg(format = "datetime")] a: String) {}
    ));
    assert_eq!(mistake, "`datetime` is not a format of JSON Schema; did you mean `date-time`?");
}

#[test]
fn a_description_is_literal_text() {
    let included = quote!(
        #[doc = include_str!("f.md")]
        fn f() {}
    );
    assert!(mistake(included.clone()).contains("write `description = \"…\"`"));
    assert_eq!(mistakes(quote!(description = "Do it."), included), [""; 0]);
    assert_eq!(
        mistakes(
            TokenStream::new(),
            quote!(
                #[doc(hidden)]
                #[doc = "Do it."]
                fn f() {}
            )
        ),
        [""; 0]
    );
}

#[test]
fn all_mistakes_are_found_at_once() {
    let item = quote!(
        unsafe fn f<T>((a, b): (u8, u8), #[state] c: Db, d: Option<&str>, #[cfg(x)] e: u8) {}
    );
    assert_eq!(mistakes(quote!(read_only, destructive, requires = "", nmae = "f"), item).len(), 9);
}
