//! The options of `#[tool]` and `#[arg]`: one table each, a row an option.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{
    Expr, ExprPath, Ident, LitStr, Path, Token,
    ext::IdentExt,
    parse::{ParseStream, Parser},
};

use crate::errors::{Errors, suggestion};

/// Declares a struct with a field for each option, and its reader. A new option is a new row.
macro_rules! options {
    ($(#[$doc:meta])* $name:ident of $attribute:literal { $($key:literal => $field:ident: $shape:ty,)* }) => {
        $(#[$doc])*
        #[derive(Default)]
        pub(crate) struct $name {
            $(pub(crate) $field: Option<Given<$shape>>,)*
        }

        impl $name {
            /// Reads what stands between the attribute's parentheses.
            pub(crate) fn read(&mut self, tokens: TokenStream, errors: &mut Errors) {
                const KEYS: &[&str] = &[$($key),*];
                each_option($attribute, tokens, errors, |key, input, errors| match key.to_string().as_str() {
                    $($key => fill(&mut self.$field, key, input, errors),)*
                    unknown => {
                        let suggestion = suggestion(unknown, KEYS);
                        errors.at(key.span(), format!("`{unknown}` is not an option of `{}`{suggestion}", $attribute));
                        skip_option(input);
                    }
                });
            }
        }
    };
}

options! {
    /// `#[tool(…)]`.
    ToolOptions of "#[tool]" {
        "name" => name: LitStr,
        "as" => marker: Ident,
        "title" => title: LitStr,
        "description" => description: LitStr,
        "in" => list: Path,
        "read_only" => read_only: Flag,
        "destructive" => destructive: Flag,
        "idempotent" => idempotent: Flag,
        "open_world" => open_world: Flag,
        "requires" => requires: LitStr,
        "timeout" => timeout: Time,
        "blocking" => blocking: Flag,
        "check" => check: ExprPath,
        "crate" => krate: Path,
    }
}

options! {
    /// `#[arg(…)]`.
    ArgOptions of "#[arg]" {
        "rename" => rename: LitStr,
        "default" => default: DefaultValue,
        "range" => range: Range,
        "length" => length: Range,
        "items" => items: Range,
        "pattern" => pattern: LitStr,
        "format" => format: LitStr,
        "example" => example: Example,
        "check" => check: ExprPath,
        "sensitive" => sensitive: Flag,
    }
}

options! {
    /// `#[tools(…)]`.
    ToolsOptions of "#[tools]" {
        "in" => list: Path,
        "crate" => krate: Path,
    }
}

options! {
    /// `#[provides(…)]`.
    ProvidesOptions of "#[provides]" {
        "crate" => krate: Path,
    }
}

/// An option as it was given.
pub(crate) struct Given<T> {
    pub(crate) key: Ident,
    pub(crate) value: T,
}

/// What may stand behind a key.
pub(crate) trait Shape: Sized {
    /// What it takes, for the message where it got something else.
    fn usage(key: &Ident) -> String;

    /// Reads what follows the key.
    fn read(input: ParseStream<'_>) -> syn::Result<Self>;
}

/// An option that stands for itself.
pub(crate) struct Flag;

impl Shape for Flag {
    fn usage(key: &Ident) -> String {
        format!("`{key}` takes no value: write it alone")
    }

    fn read(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(Token![=]) { Err(input.error("")) } else { Ok(Self) }
    }
}

impl Shape for LitStr {
    fn usage(key: &Ident) -> String {
        format!("`{key}` takes text: `{key} = \"…\"`")
    }

    fn read(input: ParseStream<'_>) -> syn::Result<Self> {
        input.parse::<Token![=]>()?;
        input.parse()
    }
}

impl Shape for Ident {
    fn usage(key: &Ident) -> String {
        format!("`{key}` takes the name of a type: `{key} = Name`")
    }

    fn read(input: ParseStream<'_>) -> syn::Result<Self> {
        input.parse::<Token![=]>()?;
        input.parse()
    }
}

impl Shape for Path {
    fn usage(key: &Ident) -> String {
        format!("`{key}` takes a path: `{key} = path::to::it`")
    }

    fn read(input: ParseStream<'_>) -> syn::Result<Self> {
        input.parse::<Token![=]>()?;
        input.call(Path::parse_mod_style)
    }
}

/// A function, perhaps one of a type or with types of its own.
impl Shape for ExprPath {
    fn usage(key: &Ident) -> String {
        format!("`{key}` takes the path of a function: `{key} = path::to::it`")
    }

    fn read(input: ParseStream<'_>) -> syn::Result<Self> {
        input.parse::<Token![=]>()?;
        match input.parse().map(ungrouped)? {
            Expr::Path(path) => Ok(path),
            other => Err(syn::Error::new_spanned(other, "")),
        }
    }
}

/// A length of time, as text.
pub(crate) struct Time(pub(crate) LitStr);

impl Shape for Time {
    fn usage(key: &Ident) -> String {
        format!("`{key}` takes a length of time: `{key} = \"5s\"`")
    }

    fn read(input: ParseStream<'_>) -> syn::Result<Self> {
        input.parse::<Token![=]>()?;
        input.parse().map(Self)
    }
}

/// A range, or the path of a constant that is one.
pub(crate) struct Range(pub(crate) Expr);

impl ToTokens for Range {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.0.to_tokens(tokens);
    }
}

impl Shape for Range {
    fn usage(key: &Ident) -> String {
        format!("`{key}` takes a range: `{key} = 1..=9`")
    }

    fn read(input: ParseStream<'_>) -> syn::Result<Self> {
        input.parse::<Token![=]>()?;
        input.parse().map(ungrouped).map(Self)
    }
}

/// A value that a model might send.
pub(crate) struct Example(pub(crate) Expr);

impl ToTokens for Example {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.0.to_tokens(tokens);
    }
}

impl Shape for Example {
    fn usage(key: &Ident) -> String {
        format!("`{key}` takes a value that a model might send: `{key} = …`")
    }

    fn read(input: ParseStream<'_>) -> syn::Result<Self> {
        input.parse::<Token![=]>()?;
        input.parse().map(ungrouped).map(Self)
    }
}

/// `default = value`, or `default` alone for the type's own.
pub(crate) struct DefaultValue(pub(crate) Option<Expr>);

impl Shape for DefaultValue {
    fn usage(key: &Ident) -> String {
        format!("`{key}` takes a value, `{key} = …`, or stands alone for the type's own default")
    }

    fn read(input: ParseStream<'_>) -> syn::Result<Self> {
        let value = match input.parse::<Option<Token![=]>>()? {
            Some(_) => Some(input.parse().map(ungrouped)?),
            None => None,
        };
        Ok(Self(value))
    }
}

/// Without the invisible groups that a `macro_rules!` puts around `$value`.
fn ungrouped(value: Expr) -> Expr {
    match value {
        Expr::Group(group) => ungrouped(*group.expr),
        value => value,
    }
}

/// The options of an attribute as one may write them, for who wrote something else.
fn example(attribute: &str) -> &'static str {
    match attribute {
        "#[tool]" => "`#[tool(read_only, timeout = \"5s\")]`",
        "#[tools]" => "`#[tools(in = LIST)]`",
        "#[arg]" => "`#[arg(default = 20, range = 1..=100)]`",
        _ => "`#[provides(crate = path::to::it)]`",
    }
}

/// Calls `read` at each key, and goes on behind a mistake with the next option.
fn each_option(
    attribute: &str,
    tokens: TokenStream,
    errors: &mut Errors,
    mut read: impl FnMut(Ident, ParseStream<'_>, &mut Errors),
) {
    let reader = |input: ParseStream<'_>| {
        while !input.is_empty() {
            match input.call(Ident::parse_any) {
                Ok(key) => read(key, input, errors),
                Err(error) => {
                    errors.at(error.span(), format!("expected an option of `{attribute}`: {}", example(attribute)));
                    skip_option(input);
                }
            }
            if !input.is_empty() && input.parse::<Token![,]>().is_err() {
                errors.at(input.span(), "expected a comma between two options");
                skip_option(input);
                let _: Result<Token![,], _> = input.parse();
            }
        }
        Ok(())
    };
    // The reader takes every token and never fails; what it finds wrong is in `errors`.
    if let Err(error) = reader.parse2(tokens) {
        errors.push(error);
    }
}

fn fill<T: Shape>(slot: &mut Option<Given<T>>, key: Ident, input: ParseStream<'_>, errors: &mut Errors) {
    match T::read(input) {
        Ok(_) if slot.is_some() => errors.at(key.span(), format!("`{key}` is given twice: remove one")),
        Ok(value) => *slot = Some(Given { key, value }),
        Err(error) => {
            let span = if input.is_empty() || input.peek(Token![,]) { key.span() } else { error.span() };
            errors.at(span, T::usage(&key));
            skip_option(input);
        }
    }
}

fn skip_option(input: ParseStream<'_>) {
    while !input.is_empty() && !input.peek(Token![,]) {
        let _: Result<TokenTree, _> = input.parse();
    }
}

impl<T> Given<T> {
    /// Where the key stands.
    pub(crate) fn span(&self) -> Span {
        self.key.span()
    }
}

impl<T: ToTokens> ToTokens for Given<T> {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.value.to_tokens(tokens);
    }
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

    fn read_tool(tokens: TokenStream) -> (ToolOptions, Vec<String>) {
        let mut errors = Errors::new();
        let mut options = ToolOptions::default();
        options.read(tokens, &mut errors);
        (options, errors.messages())
    }

    #[test]
    fn keywords_are_keys_too() {
        let (options, errors) = read_tool(quote!(in = lists::SUPPORT, as = Search, crate = gate, read_only));
        assert!(errors.is_empty(), "{errors:?}");
        assert_eq!(options.marker.unwrap().value, "Search");
        assert!(options.list.is_some() && options.krate.is_some() && options.read_only.is_some());
    }

    #[test]
    fn reading_goes_on_behind_a_mistake() {
        let (options, errors) =
            read_tool(quote!(describe = "x", name = 5, read_only = true, "loose", requires = "a" "b", in = L));
        let expected = [
            "`describe` is not an option of `#[tool]`; did you mean `description`?",
            "`name` takes text: `name = \"…\"`",
            "`read_only` takes no value: write it alone",
            "expected an option of `#[tool]`: `#[tool(read_only, timeout = \"5s\")]`",
            "expected a comma between two options",
        ];
        assert_eq!(errors, expected);
        assert!(options.list.is_some());
    }

    #[test]
    fn each_shape_says_what_it_takes() {
        for (tokens, message) in [
            (quote!(as = "Search"), "`as` takes the name of a type: `as = Name`"),
            (quote!(as = a::Search), "expected a comma between two options"),
            (quote!(in = "LIST"), "`in` takes a path: `in = path::to::it`"),
            (quote!(in), "`in` takes a path: `in = path::to::it`"),
            (quote!(crate = 5), "`crate` takes a path: `crate = path::to::it`"),
            (quote!(check = c()), "`check` takes the path of a function: `check = path::to::it`"),
            (quote!(check = |a| a), "`check` takes the path of a function: `check = path::to::it`"),
            (quote!(timeout = 5), "`timeout` takes a length of time: `timeout = \"5s\"`"),
            (quote!(blocking = "yes"), "`blocking` takes no value: write it alone"),
            (quote!(requires(orders)), "`requires` takes text: `requires = \"…\"`"),
            (quote!(description = 'a'), "`description` takes text: `description = \"…\"`"),
        ] {
            let shown = tokens.to_string();
            assert_eq!(read_tool(tokens).1, [message], "{shown}");
        }
    }

    #[test]
    fn each_attribute_has_options_of_its_own() {
        let mut errors = Errors::new();
        ArgOptions::default().read(quote!(defualt = 5, read_only, range = , 5), &mut errors);
        ProvidesOptions::default().read(quote!(krate = gate, "gate"), &mut errors);
        let messages = errors.messages();
        assert_eq!(messages[0], "`defualt` is not an option of `#[arg]`; did you mean `default`?");
        assert!(messages[1].starts_with("`read_only` is not an option of `#[arg]`"), "{messages:?}");
        assert_eq!(messages[2], "`range` takes a range: `range = 1..=9`");
        assert_eq!(messages[3], "expected an option of `#[arg]`: `#[arg(default = 20, range = 1..=100)]`");
        assert_eq!(messages[4], "`krate` is not an option of `#[provides]`; did you mean `crate`?");
        assert_eq!(messages[5], "expected an option of `#[provides]`: `#[provides(crate = path::to::it)]`");
        assert_eq!(messages.len(), 6);
    }

    #[test]
    fn nothing_and_a_last_comma_are_fine() {
        for tokens in [quote!(), quote!(read_only,), quote!(timeout = "5s", check = <C as D>::c::<2>,)] {
            assert_eq!(read_tool(tokens).1, [""; 0]);
        }
    }

    #[test]
    fn an_option_counts_once() {
        let (options, errors) = read_tool(quote!(name = "a", name = "b"));
        assert_eq!(errors, ["`name` is given twice: remove one"]);
        assert_eq!(options.name.unwrap().value.value(), "a");
    }

    #[test]
    fn a_default_may_stand_alone_and_hold_commas() {
        let mut errors = Errors::new();
        let mut options = ArgOptions::default();
        options.read(quote!(default, sensitive), &mut errors);
        assert!(options.default.unwrap().value.0.is_none() && options.sensitive.is_some());
        let mut options = ArgOptions::default();
        options.read(quote!(default = Map::<u8, u8>::new(), range = 1..=2,), &mut errors);
        assert!(options.default.unwrap().value.0.is_some() && options.range.is_some());
        assert!(errors.messages().is_empty());
    }
}
