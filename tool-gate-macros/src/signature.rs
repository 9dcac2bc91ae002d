//! The annotated function as it was written: its signature parsed, its body not looked at.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{
    Attribute, FnArg, Ident, Meta, Pat, Signature, Type, Visibility,
    parse::{Parse, ParseStream},
    spanned::Spanned,
    token::Brace,
};

use crate::{
    attr::{ArgOptions, ToolOptions},
    docs,
    errors::Errors,
    types::spelled,
};

/// The user's function.
pub(crate) struct Function {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    pub(crate) signature: Signature,
    body: TokenStream,
}

impl Parse for Function {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        Ok(Self {
            attributes: input.call(Attribute::parse_outer)?,
            visibility: input.parse()?,
            signature: input.parse()?,
            body: input.parse()?,
        })
    }
}

impl Function {
    /// One of several methods, whose body ends at its brace.
    pub(crate) fn method(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        let signature = input.parse()?;
        let body = if input.peek(Brace) { input.parse::<TokenTree>()?.into() } else { TokenStream::new() };
        Ok(Self { attributes, visibility, signature, body })
    }
}

impl ToTokens for Function {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        for attribute in &self.attributes {
            attribute.to_tokens(tokens);
        }
        self.visibility.to_tokens(tokens);
        self.signature.to_tokens(tokens);
        self.body.to_tokens(tokens);
    }
}

/// A parameter with what its attributes say.
pub(crate) struct Parameter {
    pub(crate) pattern: Pat,
    pub(crate) ty: Type,
    pub(crate) doc: String,
    /// Where `#[state]` stands.
    pub(crate) state: Option<Span>,
    /// Where `#[call]` stands.
    pub(crate) call: Option<Span>,
    /// Where the first `#[arg]` stands.
    pub(crate) arg: Option<Span>,
    pub(crate) options: ArgOptions,
}

impl Function {
    /// Whether it is more than a declaration, as in a trait.
    pub(crate) fn has_body(&self) -> bool {
        !self.body.is_empty() && !self.body.to_string().starts_with(';')
    }

    /// Takes off a second `#[tool]`.
    pub(crate) fn take_repetitions(&mut self, errors: &mut Errors) {
        self.attributes.retain(|attribute| {
            let is_ours = ["tool", "tool_gate::tool"].contains(&spelled(attribute.path()).trim_start_matches("::"));
            if is_ours {
                errors.on(attribute, "`#[tool]` is given twice: remove one");
            }
            !is_ours
        });
    }

    /// The name of the type that stands for the tool.
    pub(crate) fn marker(&self, options: &ToolOptions) -> Ident {
        options.marker.as_ref().map_or_else(|| self.signature.ident.clone(), |given| given.value.clone())
    }

    /// Reads the parameters.
    pub(crate) fn parameters(&self, errors: &mut Errors) -> Vec<Parameter> {
        let typed = self.signature.inputs.iter().filter_map(|input| match input {
            FnArg::Typed(input) => Some(input),
            FnArg::Receiver(_) => None,
        });
        typed
            .map(|input| {
                let mut parameter = Parameter {
                    pattern: (*input.pat).clone(),
                    ty: (*input.ty).clone(),
                    doc: docs::text(&input.attrs),
                    state: None,
                    call: None,
                    arg: None,
                    options: ArgOptions::default(),
                };
                for attribute in &input.attrs {
                    parameter.read(attribute, errors);
                }
                parameter
            })
            .collect()
    }

    /// Takes off the attributes that only this macro knows, and the comments, which Rust does not allow on parameters.
    pub(crate) fn strip(&mut self) {
        for input in &mut self.signature.inputs {
            if let FnArg::Typed(input) = input {
                input.attrs.retain(|attribute| !is_ours(attribute));
            }
        }
    }
}

/// Whether an attribute of a parameter is not for the compiler.
fn is_ours(attribute: &Attribute) -> bool {
    let ours = ["state", "call", "arg", "cfg", "cfg_attr"];
    docs::is_doc(attribute) || ours.iter().any(|name| attribute.path().is_ident(name))
}

impl Parameter {
    /// Reads one attribute, if it is one of ours.
    fn read(&mut self, attribute: &Attribute, errors: &mut Errors) {
        let path = attribute.path();
        let span = path.span();
        if path.is_ident("state") {
            if !matches!(attribute.meta, Meta::Path(_)) {
                errors.on(&attribute.meta, "`#[state]` takes no options: write it alone");
            }
            self.state = Some(span);
        } else if path.is_ident("call") {
            if !matches!(attribute.meta, Meta::Path(_)) {
                errors.on(&attribute.meta, "`#[call]` takes no options: write it alone");
            }
            self.call = Some(span);
        } else if path.is_ident("arg") {
            match &attribute.meta {
                Meta::List(list) => self.options.read(list.tokens.clone(), errors),
                meta => errors.on(meta, "`#[arg]` takes options: `#[arg(default = 20, range = 1..=100)]`"),
            }
            self.arg.get_or_insert(span);
        } else if path.is_ident("cfg") || path.is_ident("cfg_attr") {
            let message = "a parameter of a tool cannot be conditional: write the tool twice, with `#[cfg]` on each";
            errors.on(&attribute.meta, message);
        }
    }
}

#[cfg(test)]
mod tests {
    use syn::parse_str;

    use super::*;

    fn read(source: &str) -> (Function, Vec<Parameter>, Vec<String>) {
        let mut function = parse_str::<Function>(source).unwrap();
        let mut errors = Errors::new();
        let parameters = function.parameters(&mut errors);
        function.strip();
        (function, parameters, errors.messages())
    }

    #[test]
    fn attributes_of_parameters_are_read_and_mistakes_in_them_told() {
        let source = "fn f(#[state(a)] a: &A, #[call = 1] b: &B, #[arg] c: C, #[arg(rename = \"x\")] #[arg(default)] d: D, #[cfg(x)] e: E) {}";
        let (function, parameters, messages) = read(source);
        let expected = [
            "`#[state]` takes no options: write it alone",
            "`#[call]` takes no options: write it alone",
            "`#[arg]` takes options: `#[arg(default = 20, range = 1..=100)]`",
            "a parameter of a tool cannot be conditional: write the tool twice, with `#[cfg]` on each",
        ];
        assert_eq!(messages, expected);
        assert!(parameters[0].state.is_some() && parameters[1].call.is_some() && parameters[2].arg.is_some());
        assert!(parameters[3].options.rename.is_some() && parameters[3].options.default.is_some());
        let plain = "fn f(a: &A, b: &B, c: C, d: D, e: E) {}";
        assert_eq!(function.to_token_stream().to_string(), plain.parse::<TokenStream>().unwrap().to_string());
    }

    #[test]
    fn paths_that_only_end_like_ours_are_someone_elses() {
        let (function, parameters, messages) = read("fn f(#[other::state] #[my::arg(x)] a: u8) {}");
        assert!(messages.is_empty() && parameters[0].state.is_none() && parameters[0].arg.is_none());
        assert!(function.to_token_stream().to_string().contains("other :: state"));
    }

    #[test]
    fn a_receiver_is_no_parameter() {
        assert_eq!(read("fn f(&self, a: u8) {}").1.len(), 1);
    }

    #[test]
    fn a_declaration_has_no_body() {
        assert!(read("fn f() {}").0.has_body() && read("fn f() where u8: Copy { }").0.has_body());
        assert!(!read("fn f();").0.has_body() && !read("fn f()").0.has_body());
    }

    #[test]
    fn the_marker_is_named_like_the_function_or_as_asked() {
        let (function, ..) = read("fn r#type() {}");
        let mut options = ToolOptions::default();
        assert_eq!(function.marker(&options).to_string(), "r#type");
        let mut errors = Errors::new();
        options.read(quote::quote!(as = Kind), &mut errors);
        assert!(errors.finish().is_none());
        assert_eq!(function.marker(&options).to_string(), "Kind");
    }

    #[test]
    fn repetitions_are_taken_off() {
        let (mut function, ..) = read("#[inline] #[tool(x)] #[cfg_attr(a, cold)] fn f() {}");
        let mut errors = Errors::new();
        function.take_repetitions(&mut errors);
        assert_eq!(errors.messages(), ["`#[tool]` is given twice: remove one"]);
        let left = "#[inline] #[cfg_attr(a, cold)] fn f() {}";
        assert_eq!(function.to_token_stream().to_string(), left.parse::<TokenStream>().unwrap().to_string());
    }

    #[test]
    fn what_is_emitted_is_plain_rust_with_the_body_untouched() {
        let source = "#[must_use] pub async fn f(#[state] db: &Db, /** Doc. */ #[arg(default = 2)] #[allow(unused)] n: u8) -> u8 { anything $ goes }";
        let mut function = parse_str::<Function>(&source.replace('$', "=> ;")).unwrap();
        let mut errors = Errors::new();
        let parameters = function.parameters(&mut errors);
        function.strip();
        assert!(errors.finish().is_none());
        assert!(parameters[0].state.is_some());
        assert_eq!(parameters[1].doc, "Doc.");
        assert!(parameters[1].options.default.is_some());
        let emitted = function.to_token_stream().to_string();
        let expected = "#[must_use] pub async fn f(db: &Db, #[allow(unused)] n: u8) -> u8 { anything => ; goes }";
        assert_eq!(emitted, expected.parse::<TokenStream>().unwrap().to_string());
    }
}
