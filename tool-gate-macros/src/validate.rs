//! From what was written to what is meant; every rule about it is here.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{
    Expr, ExprLit, ExprRange, ExprUnary, GenericArgument, GenericParam, Ident, Lit, LitStr, Pat, PathArguments,
    RangeLimits, ReturnType, Safety, Signature, Type, TypeReference, UnOp, Visibility, ext::IdentExt, spanned::Spanned,
};

use crate::{
    attr::{ArgOptions, Given, ToolOptions},
    docs,
    errors::{Errors, suggestion},
    signature::{Function, Parameter},
};

/// A declaration without mistakes.
pub(crate) struct Tool {
    pub(crate) function: Ident,
    pub(crate) marker: Ident,
    pub(crate) visibility: Visibility,
    pub(crate) is_async: bool,
    pub(crate) output: ReturnType,
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) options: ToolOptions,
    pub(crate) takes: Vec<Takes>,
}

/// What one parameter takes.
pub(crate) enum Takes {
    /// `#[state] _: &T`.
    State(Box<Type>),
    /// What the model fills in.
    Argument(Box<Argument>),
}

/// A parameter that the model fills in.
pub(crate) struct Argument {
    pub(crate) ident: Ident,
    /// Its name in JSON.
    pub(crate) key: String,
    pub(crate) doc: String,
    /// Without the outer `&` if it is borrowed.
    pub(crate) ty: Type,
    pub(crate) is_borrowed: bool,
    pub(crate) options: ArgOptions,
}

/// The formats that JSON Schema 2020-12 knows.
const FORMATS: &[&str] = &[
    "date-time",
    "date",
    "time",
    "duration",
    "email",
    "idn-email",
    "hostname",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "uri",
    "uri-reference",
    "iri",
    "iri-reference",
    "uuid",
    "uri-template",
    "json-pointer",
    "relative-json-pointer",
    "regex",
];

/// Checks all of it. What comes back is good only where no error was added.
pub(crate) fn tool(function: &Function, parameters: Vec<Parameter>, options: ToolOptions, errors: &mut Errors) -> Tool {
    let signature = &function.signature;
    check_qualifiers(signature, errors);
    check_effects(&options, errors);
    let mut takes = Vec::new();
    for parameter in parameters {
        takes.extend(takes_of(parameter, errors));
    }
    check_keys(&takes, errors);
    Tool {
        function: signature.ident.clone(),
        marker: options.marker.as_ref().map_or_else(|| signature.ident.clone(), |given| given.value.clone()),
        visibility: function.visibility.clone(),
        is_async: signature.asyncness.is_some(),
        output: signature.output.clone(),
        name: tool_name(signature, &options, errors),
        description: description(function, &options, errors),
        options,
        takes,
    }
}

fn check_qualifiers(signature: &Signature, errors: &mut Errors) {
    if let Some(token) = &signature.constness {
        errors.on(token, "a tool cannot be `const`: remove it");
    }
    if let Safety::Unsafe(token) = &signature.safety {
        errors.on(token, "a tool cannot be `unsafe`, since a model calls it: put a safe function around it");
    }
    if let Some(abi) = &signature.abi {
        errors.on(abi, "a tool cannot be `extern`: remove it");
    }
    if let Some(variadic) = &signature.variadic {
        errors.on(variadic, "a tool cannot be variadic: take a `Vec`");
    }
    if let Some(receiver) = signature.receiver() {
        errors.on(receiver, "a tool is not a method: make it a function and take `#[state] this: &TheType`");
    }
    for parameter in &signature.generics.params {
        if !matches!(parameter, GenericParam::Lifetime(_)) {
            errors.on(
                parameter,
                "a tool cannot be generic, since a model does not choose types: write a tool for each type",
            );
        }
    }
}

fn check_effects(options: &ToolOptions, errors: &mut Errors) {
    if let (Some(_), Some(destructive)) = (&options.read_only, &options.destructive) {
        errors.at(destructive.span(), "a tool is `read_only` or `destructive`, not both: remove one");
    }
    if let Some(scope) = options.requires.as_ref().filter(|scope| scope.value.value().trim().is_empty()) {
        errors.on(&scope.value, "`requires` names a scope: `requires = \"orders:write\"`");
    }
}

fn tool_name(signature: &Signature, options: &ToolOptions, errors: &mut Errors) -> String {
    let (name, span) = match &options.name {
        Some(given) => (given.value.value(), given.value.span()),
        None => (signature.ident.unraw().to_string(), signature.ident.span()),
    };
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if !(name.chars().all(plain) && (1..=64).contains(&name.len()) && !name.starts_with(|c: char| c.is_ascii_digit())) {
        let fix = if options.name.is_some() { "" } else { "; give it one with `name = \"…\"`" };
        let rule = "1 to 64 of `A-Z a-z 0-9 _`, not starting with a digit";
        errors.at(span, format!("`{name}` cannot be a tool's name, which is {rule}{fix}"));
    }
    name
}

fn description(function: &Function, options: &ToolOptions, errors: &mut Errors) -> String {
    let (text, span) = match &options.description {
        Some(given) => (given.value.value(), given.value.span()),
        None => (docs::text(&function.attributes), function.signature.ident.span()),
    };
    if text.trim().is_empty() {
        errors.at(span, "a tool needs a description for the model: write a doc comment, or `description = \"…\"`");
    }
    text
}

fn takes_of(parameter: Parameter, errors: &mut Errors) -> Option<Takes> {
    match parameter.state {
        Some(_) => state(&parameter, errors).map(Takes::State),
        None => argument(parameter, errors).map(|argument| Takes::Argument(Box::new(argument))),
    }
}

fn state(parameter: &Parameter, errors: &mut Errors) -> Option<Box<Type>> {
    if let Some(span) = parameter.arg {
        errors.at(span, "`#[arg]` does not apply to `#[state]`, which the model does not fill in: remove one");
    }
    let Type::Reference(reference) = ungrouped(&parameter.ty) else {
        errors.on(&parameter.ty, format!("state is borrowed: take `&{}`", spelled(&parameter.ty)));
        return None;
    };
    let ty = &*reference.elem;
    if reference.mutability.is_some() {
        let message =
            format!("state is shared between calls: take `&{}`, with a lock inside where it changes", spelled(ty));
        errors.on(&parameter.ty, message);
    } else if is_static(reference) {
        errors.on(&parameter.ty, format!("state is lent for one call: take `&{}`", spelled(ty)));
    } else if let Type::ImplTrait(_) = ungrouped(ty) {
        errors.on(ty, "state is found by its type, which `impl Trait` does not name: take `&TheType` or `&dyn Trait`");
    } else if Owned::of(ty).borrows {
        errors.on(ty, "state that holds a borrow cannot be lent to a tool: take a type that owns its data");
    }
    Some(reference.elem.clone())
}

fn argument(parameter: Parameter, errors: &mut Errors) -> Option<Argument> {
    let Parameter { pattern, ty, doc, options, .. } = parameter;
    check_options(&options, errors);
    let (ty, is_borrowed) = argument_type(&ty, errors);
    let ident = match pattern {
        Pat::Ident(pattern) if pattern.by_ref.is_none() && pattern.subpat.is_none() => pattern.ident,
        pattern => {
            errors.on(pattern, "an argument needs a name for the model: name it, and destructure it in the body");
            return None;
        }
    };
    let key = argument_key(&ident, &options, errors);
    Some(Argument { ident, key, doc, ty, is_borrowed, options })
}

fn argument_key(ident: &Ident, options: &ArgOptions, errors: &mut Errors) -> String {
    let (key, span) = match &options.rename {
        Some(given) => (given.value.value(), given.value.span()),
        None => (ident.unraw().to_string(), ident.span()),
    };
    let plain = |c: char| c.is_ascii_alphanumeric() || "_.:-".contains(c);
    if !(key.chars().all(plain) && (1..=64).contains(&key.len())) {
        let fix = if options.rename.is_some() { "" } else { "; give it one with `#[arg(rename = \"…\")]`" };
        errors
            .at(span, format!("`{key}` cannot be an argument's name, which is 1 to 64 of `A-Z a-z 0-9 _ . : -`{fix}"));
    }
    key
}

fn check_keys(takes: &[Takes], errors: &mut Errors) {
    let mut keys = Vec::new();
    for takes in takes {
        let Takes::Argument(argument) = takes else { continue };
        if keys.contains(&&argument.key) {
            let span =
                argument.options.rename.as_ref().map_or_else(|| argument.ident.span(), |given| given.value.span());
            errors.at(span, format!("two arguments are named `{}`: rename one", argument.key));
        }
        keys.push(&argument.key);
    }
}

fn check_options(options: &ArgOptions, errors: &mut Errors) {
    for range in [&options.range, &options.length, &options.items].into_iter().flatten() {
        check_range(range, errors);
    }
    if let Some(format) = &options.format {
        check_format(&format.value, errors);
    }
}

fn check_format(format: &LitStr, errors: &mut Errors) {
    let name = format.value();
    if !FORMATS.contains(&name.as_str()) {
        errors.on(format, format!("`{name}` is not a format of JSON Schema{}", suggestion(&name, FORMATS)));
    }
}

fn check_range(given: &Given<Expr>, errors: &mut Errors) {
    let key = &given.key;
    match &given.value {
        Expr::Lit(ExprLit { lit, .. }) => {
            let exactly = lit.to_token_stream();
            errors.on(lit, format!("`{key}` takes a range: `{key} = {exactly}..={exactly}`"));
        }
        Expr::Range(ExprRange { start: None, end: None, .. }) => {
            errors.on(&given.value, format!("`{key}` without a bound says nothing: remove it"));
        }
        Expr::Range(ExprRange { start: Some(start), end: Some(end), limits, .. }) => {
            let Some((start, end)) = literal(start).zip(literal(end)) else { return };
            let is_empty = match limits {
                RangeLimits::HalfOpen(_) => start >= end,
                RangeLimits::Closed(_) => start > end,
            };
            if is_empty {
                errors.on(
                    &given.value,
                    format!("`{key}` is empty, so that no argument is right: write the smaller bound first"),
                );
            }
        }
        _ => {}
    }
}

/// The value of a literal, as exactly as a comparison of bounds needs.
fn literal(expr: &Expr) -> Option<f64> {
    match expr {
        Expr::Lit(ExprLit { lit: Lit::Int(int), .. }) => int.base10_digits().parse().ok(),
        Expr::Lit(ExprLit { lit: Lit::Float(float), .. }) => float.base10_parse().ok(),
        Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => literal(expr).map(|value| -value),
        _ => None,
    }
}

/// The type that is read from JSON, and whether the tool takes it by reference.
fn argument_type(ty: &Type, errors: &mut Errors) -> (Type, bool) {
    let (owned_type, is_borrowed) = match ungrouped(ty) {
        Type::Reference(reference) => {
            if reference.mutability.is_some() {
                errors.on(
                    ty,
                    format!(
                        "an argument cannot be borrowed mutably: take `{}`, as `mut` if need be",
                        Owned::of(ty).spelled()
                    ),
                );
                return (ty.clone(), true);
            }
            if is_static(reference) {
                errors.on(ty, format!("an argument lives as long as its call: take `&{}`", spelled(&reference.elem)));
                return (ty.clone(), true);
            }
            (&*reference.elem, true)
        }
        other => (other, false),
    };
    if let Type::ImplTrait(_) = ungrouped(owned_type) {
        errors.on(
            ty,
            "an argument is read from JSON as its type, which `impl Trait` does not name: take a type that does",
        );
        return (ty.clone(), is_borrowed);
    }
    let owned = Owned::of(owned_type);
    if owned.borrows {
        let instead = match (ungrouped(owned_type), is_borrowed) {
            (Type::Reference(inner), true) => format!("`{}`", spelled(innermost(inner))),
            _ if owned.is_guess => "a type that owns its data".to_owned(),
            (_, true) => format!("`&{}`", owned.spelled()),
            (_, false) => format!("`{}`", owned.spelled()),
        };
        errors.on(ty, format!("an argument cannot hold a borrow: take {instead}"));
    }
    (owned_type.clone(), is_borrowed)
}

fn innermost(reference: &TypeReference) -> &TypeReference {
    match ungrouped(&reference.elem) {
        Type::Reference(inner) => innermost(inner),
        _ => reference,
    }
}

fn is_static(reference: &TypeReference) -> bool {
    reference.lifetime.as_ref().is_some_and(|lifetime| lifetime.ident == "static")
}

/// Without the invisible groups that a `macro_rules!` puts around `$ty`, and without parentheses.
fn ungrouped(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => ungrouped(&group.elem),
        Type::Paren(paren) => ungrouped(&paren.elem),
        ty => ty,
    }
}

/// A type with its borrows replaced by what owns the same data.
#[derive(Default)]
struct Owned {
    tokens: TokenStream,
    /// There was a borrow to replace.
    borrows: bool,
    /// A type that is not known had a lifetime: what it is without, nobody knows.
    is_guess: bool,
}

impl Owned {
    fn of(ty: &Type) -> Self {
        let mut owned = Self::default();
        owned.tokens = owned.replace(ty);
        owned
    }

    fn spelled(&self) -> String {
        spelled(&self.tokens)
    }

    fn replace(&mut self, ty: &Type) -> TokenStream {
        match ty {
            Type::Reference(reference) => {
                self.borrows = true;
                self.unborrowed(&reference.elem)
            }
            Type::Path(path) => {
                let mut path = path.clone();
                for segment in &mut path.path.segments {
                    let PathArguments::AngleBracketed(arguments) = &mut segment.arguments else { continue };
                    let borrowed = |argument: &GenericArgument| matches!(argument, GenericArgument::Lifetime(l) if l.ident != "static");
                    if arguments.args.iter().any(borrowed) {
                        self.borrows = true;
                        if let (true, Some(GenericArgument::Type(ty))) = (segment.ident == "Cow", arguments.args.last())
                        {
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
fn spelled(ty: &impl ToTokens) -> String {
    let tight =
        [(" :: ", "::"), (":: ", "::"), (" <", "<"), ("< ", "<"), (" >", ">"), ("& ", "&"), (" ,", ","), (" ;", ";")];
    tight.iter().fold(ty.to_token_stream().to_string(), |text, (loose, tight)| text.replace(loose, tight))
}

/// Where an error about what the tool answers, and one about how it fails, should point: at the type itself where the
/// return type is spelled as a `Result`.
pub(crate) fn output_spans(output: &ReturnType, function: &Ident) -> (Span, Span) {
    let ReturnType::Type(_, ty) = output else { return (function.span(), function.span()) };
    let whole = (ty.span(), ty.span());
    let Type::Path(path) = ungrouped(ty) else { return whole };
    let Some(segment) = path.path.segments.last() else { return whole };
    match &segment.arguments {
        PathArguments::AngleBracketed(arguments) if segment.ident == "Result" => {
            let mut spans = arguments.args.iter().map(Spanned::span);
            let answer = spans.next().unwrap_or(whole.0);
            (answer, spans.next().unwrap_or(whole.1))
        }
        _ => whole,
    }
}
