//! From what was written to what is meant; every rule about it is here.

use quote::ToTokens;
use syn::{
    Expr, ExprLit, ExprRange, ExprUnary, GenericParam, Ident, Lit, LitStr, Pat, RangeLimits, ReturnType, Safety,
    Signature, Type, TypeReference, UnOp, Visibility, ext::IdentExt,
};

use crate::{
    attr::{ArgOptions, Given, ToolOptions},
    docs,
    errors::{Errors, suggestion},
    signature::{Function, Parameter},
    types::{Owned, spelled, ungrouped},
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
        errors.on(&parameter.ty, format!("state is borrowed: take `&{}`", Owned::of(&parameter.ty).spelled()));
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
    let (read, reference) = match ungrouped(ty) {
        Type::Reference(reference) => (&*reference.elem, Some(reference)),
        other => (other, None),
    };
    if let Some(message) = why_no_argument(read, reference) {
        errors.on(ty, message);
    }
    (read.clone(), reference.is_some())
}

/// Why a call cannot bring a value of that type, as far as its spelling shows.
fn why_no_argument(read: &Type, reference: Option<&TypeReference>) -> Option<String> {
    let owned = Owned::of(read);
    let amp = if reference.is_some() { "&" } else { "" };
    match ungrouped(read) {
        Type::ImplTrait(_) => {
            return Some(
                "an argument is read from JSON by its type: take one that has a name, not `impl Trait`".into(),
            );
        }
        Type::TraitObject(_) => {
            return Some(
                "a model cannot fill in a trait object: mark it `#[state]`, or take a type read from JSON".into(),
            );
        }
        Type::Reference(inner) if reference.is_some() => {
            return Some(format!("an argument cannot hold a borrow: take `{}`", spelled(innermost(inner))));
        }
        _ => {}
    }
    if let Some(reference) = reference {
        if reference.mutability.is_some() {
            let owned = Owned::of(&Type::Reference(reference.clone())).spelled();
            return Some(format!(
                "an argument cannot be borrowed mutably: take `{owned}`, and make the parameter `mut`"
            ));
        }
        if is_static(reference) {
            return Some(format!("an argument lives as long as its call: take `&{}`", owned.spelled()));
        }
    }
    if !owned.borrows {
        return None;
    }
    let instead =
        if owned.is_guess { "a type that owns its data".into() } else { format!("`{amp}{}`", owned.spelled()) };
    Some(format!("an argument cannot hold a borrow: take {instead}"))
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
