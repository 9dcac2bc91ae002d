//! What one argument may be, and what may be asked of it.

use quote::ToTokens;
use syn::{
    Expr, ExprLit, ExprRange, ExprUnary, Ident, Lit, LitStr, Pat, RangeLimits, Type, TypeReference, UnOp, ext::IdentExt,
};

use super::{Argument, is_static};
use crate::{
    attr::{ArgOptions, Given, Range},
    errors::{Errors, suggestion},
    signature::Parameter,
    types::{Owned, spelled, ungrouped},
};

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

/// One parameter that the model fills in.
pub(super) fn argument(place: usize, parameter: Parameter, errors: &mut Errors) -> Option<Argument> {
    let Parameter { pattern, ty, doc, options, .. } = parameter;
    check_options(&options, errors);
    options.range.iter().for_each(|range| check_sign(&ty, range, errors));
    let (ty, is_borrowed) = argument_type(&ty, errors);
    let ident = match pattern {
        Pat::Ident(pattern) if pattern.by_ref.is_none() && pattern.subpat.is_none() => pattern.ident,
        pattern => {
            errors.on(pattern, "an argument needs a name for the model: name it, and destructure it in the body");
            return None;
        }
    };
    let key = argument_key(&ident, &options, errors);
    Some(Argument { place, ident, key, doc, ty, is_borrowed, options })
}

fn argument_key(ident: &Ident, options: &ArgOptions, errors: &mut Errors) -> String {
    let (key, span) = match &options.rename {
        Some(given) => (given.value.value(), given.value.span()),
        None => (ident.unraw().to_string(), ident.span()),
    };
    let plain = |c: char| c.is_ascii_alphanumeric() || "_.:-".contains(c);
    if !(key.chars().all(plain) && (1..=64).contains(&key.len())) {
        let fix = if options.rename.is_some() { "" } else { "; give it one with `#[arg(rename = \"…\")]`" };
        let rule = "1 to 64 of `A-Z a-z 0-9 _ . : -`";
        errors.at(span, format!("`{key}` cannot be an argument's name, which is {rule}{fix}"));
    }
    key
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

fn check_range(given: &Given<Range>, errors: &mut Errors) {
    let (key, Range(range)) = (&given.key, &given.value);
    match range {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => {
            let meant = text.parse::<ExprRange>().map_or("1..=9".to_owned(), |_| text.value());
            errors.on(text, format!("`{key}` takes a range, not text: `{key} = {meant}`"));
        }
        Expr::Lit(ExprLit { lit, .. }) => {
            let exactly = lit.to_token_stream();
            errors.on(lit, format!("`{key}` takes a range: `{key} = {exactly}..={exactly}`"));
        }
        Expr::Range(ExprRange { start: None, end: None, .. }) => {
            errors.on(range, format!("`{key}` without a bound says nothing: remove it"));
        }
        Expr::Range(ExprRange { start: Some(start), end: Some(end), limits, .. }) => {
            let Some((least, greatest)) = literal(start).zip(literal(end)) else { return };
            let is_empty = match limits {
                RangeLimits::HalfOpen(_) => least >= greatest,
                RangeLimits::Closed(_) => least > greatest,
            };
            if let Some(alike) = with_decimals(start, *limits, end) {
                errors.on(range, format!("`{key}` has decimals at one end only: write `{key} = {alike}`"));
            } else if is_empty {
                errors.on(range, format!("`{key}` is empty, so no argument is right: write the smaller bound first"));
            }
        }
        _ => {}
    }
}

/// A literal's digits, and whether it is a float's.
fn digits(expr: &Expr) -> Option<(String, bool)> {
    match expr {
        Expr::Lit(ExprLit { lit: Lit::Int(int), .. }) => Some((int.base10_digits().to_owned(), false)),
        Expr::Lit(ExprLit { lit: Lit::Float(float), .. }) => Some((float.base10_digits().to_owned(), true)),
        Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => {
            digits(expr).map(|(digits, is_float)| (format!("-{digits}"), is_float))
        }
        _ => None,
    }
}

/// The range with decimals at both ends, where one has them and the other has not.
fn with_decimals(start: &Expr, limits: RangeLimits, end: &Expr) -> Option<String> {
    match (digits(start)?, digits(end)?) {
        ((start, true), (end, false)) => Some(format!("{start}{}{end}.0", limits.to_token_stream())),
        ((start, false), (end, true)) => Some(format!("{start}.0{}{end}", limits.to_token_stream())),
        _ => None,
    }
}

/// Tells where a range goes below the numbers of a type, as far as its spelling shows.
fn check_sign(ty: &Type, range: &Given<Range>, errors: &mut Errors) {
    let ty = spelled(ungrouped(ty));
    let number = ty.strip_prefix("Option<").and_then(|ty| ty.strip_suffix('>')).unwrap_or(&ty);
    let Expr::Range(ExprRange { start, end, .. }) = &range.value.0 else { return };
    let mut bounds = [start, end].into_iter().filter_map(Option::as_deref);
    if ["u8", "u16", "u32", "u64", "u128", "usize"].contains(&number)
        && let Some(bound) = bounds.find(|bound| matches!(bound, Expr::Unary(ExprUnary { op: UnOp::Neg(_), .. })))
    {
        errors.on(bound, format!("no `{number}` is below 0: begin at `0`, or take a type with a sign"));
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
    match (ungrouped(read), reference) {
        (Type::ImplTrait(_), _) => {
            Some("an argument is read from JSON by its type: take one that has a name, not `impl Trait`".into())
        }
        (Type::TraitObject(_), _) => {
            Some("a model cannot fill in a trait object: mark it `#[state]`, or take a type read from JSON".into())
        }
        (Type::Reference(inner), Some(_)) => {
            Some(format!("an argument cannot hold a borrow: take `{}`", spelled(innermost(inner))))
        }
        (_, Some(reference)) if reference.mutability.is_some() => {
            let owned = Owned::of(&Type::Reference(reference.clone())).spelled();
            Some(format!("an argument cannot be borrowed mutably: take `{owned}`, and make the parameter `mut`"))
        }
        (_, Some(reference)) if is_static(reference) => {
            Some(format!("an argument lives as long as its call: take `&{}`", owned.spelled()))
        }
        _ if owned.is_guess => Some("an argument cannot hold a borrow: take a type that owns its data".into()),
        _ if owned.borrows => {
            let ampersand = if reference.is_some() { "&" } else { "" };
            Some(format!("an argument cannot hold a borrow: take `{ampersand}{}`", owned.spelled()))
        }
        _ => None,
    }
}

fn innermost(reference: &TypeReference) -> &TypeReference {
    match ungrouped(&reference.elem) {
        Type::Reference(inner) => innermost(inner),
        _ => reference,
    }
}
