//! From what was written to what is meant; every rule about it is here.

mod argument;

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{
    Attribute, GenericParam, Ident, Meta, ReceiverKind, ReturnType, Safety, Signature, Type, TypePath, TypeReference,
    Visibility, ext::IdentExt,
};

use self::argument::argument;
use crate::{
    attr::{ArgOptions, Time, ToolOptions},
    docs,
    errors::Errors,
    fallback::USAGE,
    signature::{Function, Parameter},
    types::{Owned, spelled, ungrouped},
};

/// A declaration without mistakes.
pub(crate) struct Tool {
    pub(crate) function: Ident,
    /// The type whose method it is, as it is called where the code is generated.
    pub(crate) of: Option<Ident>,
    /// What people call it: `function`, or `Type::method`.
    pub(crate) path: String,
    pub(crate) marker: Ident,
    pub(crate) visibility: Visibility,
    /// The conditions that it is compiled under.
    pub(crate) cfgs: Vec<Attribute>,
    /// What the function allows for itself: the code beside it repeats its types, and calls it.
    pub(crate) allowed: Vec<TokenStream>,
    pub(crate) is_async: bool,
    pub(crate) output: ReturnType,
    pub(crate) name: String,
    pub(crate) description: String,
    /// In milliseconds.
    pub(crate) timeout: Option<u64>,
    pub(crate) options: ToolOptions,
    pub(crate) takes: Vec<Takes>,
}

impl Tool {
    /// What the model fills in, in the order of the signature.
    pub(crate) fn arguments(&self) -> impl Iterator<Item = &Argument> {
        self.takes.iter().filter_map(|takes| match takes {
            Takes::Argument(argument) => Some(&**argument),
            Takes::State(_) | Takes::Call(_) => None,
        })
    }
}

/// What one parameter takes.
pub(crate) enum Takes {
    /// `#[state] _: &T`.
    State(Box<Type>),
    /// `#[call] _: &CallInfo`.
    Call(Box<Type>),
    /// What the model fills in.
    Argument(Box<Argument>),
}

/// A parameter that the model fills in.
pub(crate) struct Argument {
    /// Among the parameters.
    pub(crate) place: usize,
    pub(crate) ident: Ident,
    /// Its name in JSON.
    pub(crate) key: String,
    pub(crate) doc: String,
    /// Without the outer `&` if it is borrowed.
    pub(crate) ty: Type,
    pub(crate) is_borrowed: bool,
    pub(crate) options: ArgOptions,
}

/// The type that `#[tools]` stands on.
pub(crate) struct Host {
    /// What it is called where the code is generated.
    pub(crate) alias: Ident,
    /// How it is spelled.
    pub(crate) spelled: String,
}

/// Checks all of it. What comes back is good only where no error was added.
pub(crate) fn tool(
    function: &Function,
    host: Option<&Host>,
    parameters: Vec<Parameter>,
    options: ToolOptions,
    errors: &mut Errors,
) -> Tool {
    let signature = &function.signature;
    check_place(function, host, &options, errors);
    check_qualifiers(signature, errors);
    check_effects(&options, errors);
    check_blocking(signature, &options, errors);
    check_subject(&parameters, &options, errors);
    check_title(&options, errors);
    let mut takes = Vec::new();
    takes.extend(receiver(signature, host, errors).map(Takes::State));
    for (place, parameter) in parameters.into_iter().enumerate() {
        takes.extend(takes_of(place, parameter, &options, errors));
    }
    check_keys(&takes, errors);
    Tool {
        function: signature.ident.clone(),
        of: host.map(|host| host.alias.clone()),
        path: host.map_or_else(String::new, |host| format!("{}::", host.spelled))
            + &signature.ident.unraw().to_string(),
        marker: function.marker(&options),
        visibility: function.visibility.clone(),
        cfgs: function.attributes.iter().filter(|attribute| attribute.path().is_ident("cfg")).cloned().collect(),
        allowed: function.attributes.iter().filter_map(allowed).collect(),
        is_async: signature.asyncness.is_some(),
        output: signature.output.clone(),
        name: tool_name(signature, &options, errors),
        description: description(function, &options, errors),
        timeout: options.timeout.as_ref().and_then(|given| milliseconds(&given.value, errors)),
        options,
        takes,
    }
}

/// Names that generated code has for something else, and Rust's own types that no import brings back.
const TAKEN: &[&str] = &[
    "__S", "__gate", "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "str", "u8", "u16",
    "u32", "u64", "u128", "usize",
];

/// Whether a type of that name would hide one that the module needs.
pub(crate) fn hides_another(marker: &Ident) -> bool {
    TAKEN.iter().any(|taken| marker == taken)
}

/// Whether it stands in an `impl`, a trait or an `extern` block, as far as its signature shows.
pub(crate) fn is_associated(function: &Function) -> bool {
    let signature = &function.signature;
    signature.receiver().is_some() || !function.has_body() || names_self(signature.to_token_stream()).is_some()
}

/// Where `Self` stands.
fn names_self(tokens: TokenStream) -> Option<Span> {
    tokens.into_iter().find_map(|token| match token {
        TokenTree::Ident(ident) if ident == "Self" => Some(ident.span()),
        TokenTree::Group(group) => names_self(group.stream()),
        _ => None,
    })
}

const UNMARKED: &str = "a method is a tool where its `impl` is marked: put `#[tools]` on the `impl`";

fn check_place(function: &Function, host: Option<&Host>, options: &ToolOptions, errors: &mut Errors) {
    let signature = &function.signature;
    if host.is_none() && !function.has_body() {
        errors.on(&signature.ident, format!("a tool needs a body, which a declaration has not: {USAGE}"));
    } else if host.is_none()
        && signature.receiver().is_none()
        && let Some(span) = names_self(signature.to_token_stream())
    {
        errors.at(span, UNMARKED);
    }
    let marker = function.marker(options);
    let is_named = host.is_none() || options.marker.is_some();
    if is_named && hides_another(&marker) {
        let fix = if options.marker.is_some() { "write another" } else { "give it another name with `as = Name`" };
        errors.on(&marker, format!("the tool's type would hide another that is named `{marker}`: {fix}"));
    }
}

/// The lints that an attribute of the function switches off.
pub(crate) fn allowed(attribute: &Attribute) -> Option<TokenStream> {
    match &attribute.meta {
        Meta::List(list) if list.path.is_ident("allow") || list.path.is_ident("expect") => {
            let lints = &list.tokens;
            Some(quote!(#[allow(#lints)]))
        }
        meta if meta.path().is_ident("deprecated") => Some(quote!(#[allow(deprecated)])),
        _ => None,
    }
}

fn check_qualifiers(signature: &Signature, errors: &mut Errors) {
    if let Safety::Unsafe(token) = &signature.safety {
        errors.on(token, "a tool cannot be `unsafe`, since a model calls it: put a safe function around it");
    }
    if let Some(abi) = &signature.abi {
        errors.on(abi, "a tool cannot be `extern`: remove it");
    }
    if let Some(variadic) = &signature.variadic {
        errors.on(variadic, "a tool cannot be variadic: take a `Vec`");
    }
    if let ReturnType::Type(_, ty) = &signature.output
        && let Type::Never(_) = **ty
    {
        errors.on(ty, "a tool that never returns never answers: return what the model is to read");
    }
    for parameter in &signature.generics.params {
        if !matches!(parameter, GenericParam::Lifetime(_)) {
            let message = "a tool cannot be generic, since a model does not choose types: write a tool for each type";
            errors.on(parameter, message);
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

fn check_title(options: &ToolOptions, errors: &mut Errors) {
    if let Some(title) = options.title.as_ref().filter(|title| title.value.value().trim().is_empty()) {
        errors.on(&title.value, "`title` is what people read in the place of the name: `title = \"Find orders\"`");
    }
}

/// The type that a method's `&self` borrows.
fn receiver(signature: &Signature, host: Option<&Host>, errors: &mut Errors) -> Option<Box<Type>> {
    let receiver = signature.receiver()?;
    match (host, &receiver.kind) {
        (None, _) => {
            errors.on(receiver, UNMARKED);
            None
        }
        (Some(_), ReceiverKind::Reference(_, Some(lifetime), None)) if lifetime.ident == "static" => {
            errors.on(receiver, "state is lent for one call: take `&self`");
            None
        }
        (Some(host), ReceiverKind::Reference(ampersand, _, None)) => {
            let alias = Ident::new(&host.alias.to_string(), ampersand.span);
            Some(Box::new(Type::Path(TypePath { attrs: Vec::new(), qself: None, path: alias.into() })))
        }
        (Some(_), ReceiverKind::Reference(_, _, Some(_))) => {
            errors.on(receiver, "state is shared between calls: take `&self`, with a lock inside where it changes");
            None
        }
        (Some(_), _) => {
            errors.on(receiver, "state is borrowed: take `&self`");
            None
        }
    }
}

fn check_blocking(signature: &Signature, options: &ToolOptions, errors: &mut Errors) {
    if let (Some(blocking), Some(_)) = (&options.blocking, &signature.asyncness) {
        let message = "a tool is `async` or `blocking`, not both, since what awaits does not block: remove one";
        errors.at(blocking.span(), message);
    }
}

fn check_subject(parameters: &[Parameter], options: &ToolOptions, errors: &mut Errors) {
    if let Some(check) = &options.check
        && !parameters.iter().any(|parameter| parameter.state.is_none() && parameter.call.is_none())
    {
        errors.at(check.span(), "`check` has nothing to check where no parameter is the model's: remove it");
    }
}

/// How long a call may take.
fn milliseconds(Time(time): &Time, errors: &mut Errors) -> Option<u64> {
    let text = time.value();
    let (number, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
    let unit = match unit {
        "ms" => Some(1),
        "s" => Some(1_000),
        "m" => Some(60_000),
        _ => None,
    };
    let Some(unit) = unit.filter(|_| !number.is_empty()) else {
        errors.on(time, "`timeout` is a whole number with a unit, `ms`, `s` or `m`: `timeout = \"5s\"`");
        return None;
    };
    match number.parse::<u32>() {
        Ok(0) => {
            errors.on(time, "a `timeout` of zero leaves no call any time: write how long one may take");
            None
        }
        Ok(number) => Some(u64::from(number) * unit),
        Err(_) => {
            errors.on(time, "a `timeout` that long never ends: write how long a call may take");
            None
        }
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
    if options.description.is_none()
        && let Some(comment) = docs::not_literal(&function.attributes)
    {
        errors.on(comment, "this text is not known when the tool is compiled: write `description = \"…\"` as well");
        return String::new();
    }
    let (text, span) = match &options.description {
        Some(given) => (given.value.value(), given.value.span()),
        None => (docs::text(&function.attributes), function.signature.ident.span()),
    };
    if text.trim().is_empty() {
        errors.at(span, "a tool needs a description for the model: write a doc comment, or `description = \"…\"`");
    }
    text
}

fn takes_of(place: usize, parameter: Parameter, options: &ToolOptions, errors: &mut Errors) -> Option<Takes> {
    match (parameter.state, parameter.call) {
        (Some(_), Some(call)) => {
            errors.at(call, "a parameter is `#[state]` or `#[call]`, not both: remove one");
            None
        }
        (Some(_), None) => state(&parameter, options.blocking.is_some(), errors).map(Takes::State),
        (None, Some(_)) => call(&parameter, errors).map(Takes::Call),
        (None, None) => argument(place, parameter, errors).map(|argument| Takes::Argument(Box::new(argument))),
    }
}

fn call(parameter: &Parameter, errors: &mut Errors) -> Option<Box<Type>> {
    check_not_filled_in(parameter, "#[call]", errors);
    match ungrouped(&parameter.ty) {
        Type::Reference(reference) if reference.mutability.is_none() && !is_static(reference) => {
            Some(reference.elem.clone())
        }
        ty => {
            errors.on(ty, "what is known of a call is borrowed: take `&CallInfo`");
            None
        }
    }
}

fn check_not_filled_in(parameter: &Parameter, marked: &str, errors: &mut Errors) {
    if let Some(span) = parameter.arg {
        errors.at(span, format!("`#[arg]` does not apply to `{marked}`, which the model does not fill in: remove one"));
    }
}

fn state(parameter: &Parameter, is_cloned: bool, errors: &mut Errors) -> Option<Box<Type>> {
    check_not_filled_in(parameter, "#[state]", errors);
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
    } else if is_cloned && is_unsized(ty) {
        let ty = spelled(ungrouped(ty));
        let message = format!("a blocking tool takes a clone of its state, and `{ty}` has none: take `&Arc<{ty}>`");
        errors.on(&parameter.ty, message);
    }
    Some(reference.elem.clone())
}

fn check_keys(takes: &[Takes], errors: &mut Errors) {
    let mut keys = Vec::new();
    for takes in takes {
        let Takes::Argument(argument) = takes else { continue };
        if keys.contains(&&argument.key) {
            let renamed = argument.options.rename.as_ref().map(|given| given.value.span());
            let span = renamed.unwrap_or_else(|| argument.ident.span());
            errors.at(span, format!("two arguments are named `{}`: rename one", argument.key));
        }
        keys.push(&argument.key);
    }
}

/// Whether values of the type have no size of their own, as far as its spelling shows.
fn is_unsized(ty: &Type) -> bool {
    match ungrouped(ty) {
        Type::TraitObject(_) | Type::Slice(_) => true,
        Type::Path(path) => path.path.is_ident("str"),
        _ => false,
    }
}

fn is_static(reference: &TypeReference) -> bool {
    reference.lifetime.as_ref().is_some_and(|lifetime| lifetime.ident == "static")
}

#[cfg(test)]
mod tests;
