//! What an editor has while one types: the function and its tool stay, so that completion and everything that names them
//! go on working, beside one error.

use proc_macro2::TokenStream;

use crate::{expand, methods};

/// What is emitted for a function as it is being typed, without white space, and how many errors.
fn emitted(options: &str, item: &str) -> (String, usize) {
    let emitted = expand::tool(options.parse().unwrap(), &item.parse().unwrap()).to_string();
    let errors = emitted.matches("compile_error").count();
    (squeezed(&emitted), errors)
}

fn squeezed(source: &str) -> String {
    source.parse::<TokenStream>().unwrap().to_string().split_whitespace().collect()
}

fn stays(options: &str, item: &str, function: &str, errors: usize) {
    let (emitted, found) = emitted(options, item);
    assert_eq!(found, errors, "#[tool({options})] {item}\n{emitted}");
    assert!(emitted.contains(&squeezed(function)), "#[tool({options})] {item}\n{emitted}");
    assert!(emitted.contains("structf{}") && emitted.contains("Tool<__S>forf"), "#[tool({options})] {item}\n{emitted}");
}

#[test]
fn the_body_is_kept_whatever_it_is() {
    for body in ["a.", "let x =", "let x = a.await.", "match a {", "if a =>", "a.map(|a| a.", "$"] {
        let body = format!("{body}{}", "}".repeat(body.matches('{').count()) + &")".repeat(body.matches('(').count()));
        let function = format!("async fn f(a: u8) -> u8 {{ {body} }}");
        stays("", &format!("/// One.\n{function}"), &function, 0);
    }
}

#[test]
fn the_bodies_of_methods_are_kept_whatever_they_are() {
    let block = "impl Desk { /// One.\n #[tool] fn f(&self) { self. } fn g(&self) { let x = } }";
    let emitted = methods::tools(TokenStream::new(), &block.parse().unwrap()).to_string();
    assert!(!emitted.contains("compile_error"), "{emitted}");
    let emitted = squeezed(&emitted);
    assert!(
        emitted.contains("fnf(&self){self.}fng(&self){letx=}") && emitted.contains("Methods<__S>forDesk"),
        "{emitted}"
    );
}

#[test]
fn a_half_typed_option_is_one_error() {
    let function = "fn f(a: u8) { a }";
    for options in [
        "desc",
        "desc =",
        "name =",
        "name = f",
        "in =",
        "in = lists::",
        "as =",
        "as = \"\"",
        "timeout =",
        "timeout = 5",
        "requires",
        "check = rules::",
        "crate =",
        "read_only =",
        "read_only des",
        "read_only, des",
        "read_only, .",
        "\"\"",
    ] {
        stays(options, &format!("/// One.\n{function}"), function, 1);
    }
    stays("read_only,", &format!("/// One.\n{function}"), function, 0);
}

#[test]
fn a_half_typed_option_of_an_argument_is_one_error() {
    let function = "fn f(a: u8) { a }";
    for attribute in [
        "arg",
        "arg(ran)",
        "arg(range)",
        "arg(range = )",
        "arg(range = 1..=)",
        "arg(range = ..)",
        "arg(range = \"\")",
        "arg(default = )",
        "arg(default = x.)",
        "arg(default = 1 range)",
        "arg(check = )",
        "arg(check = rules::)",
        "arg(rename = )",
        "arg(rename = \"\")",
        "arg(format = \"\")",
        "arg = 5",
        "state",
        "call",
        "cfg(x)",
    ] {
        stays("", &format!("/// One.\nfn f(#[{attribute}] a: u8) {{ a }}"), function, 1);
    }
    stays("", "/// One.\nfn f(#[arg()] a: u8) { a }", function, 0);
    stays("", "/// One.\nfn f(#[arg(range = 1..)] a: u8) { a }", function, 0);
}

#[test]
fn a_half_typed_signature_stays_as_it_is() {
    for item in [
        "fn f(limit:) {}",
        "fn f(limit) {}",
        "pub async fn f(text: &str, lim) {}",
        "fn f(text: &) {}",
        "fn f(text: Vec<) {}",
        "fn f(#[state] ) {}",
        "fn f(text: &str) -> {}",
        "fn f(text: &str",
        "fn f<(text: &str) {}",
        "fn (text: &str) {}",
        "unsafe extern \"C\" fn f(text:) {}",
    ] {
        let closed = format!("/// One.\n{item}{}", if item.contains(')') { "" } else { ")" });
        let (emitted, errors) = emitted("read_only", &closed);
        assert_eq!(errors, 1, "{item}\n{emitted}");
        assert!(emitted.starts_with(&squeezed(&closed)), "{item}\n{emitted}");
        assert!(emitted.contains("signature") || emitted.contains("needsabody"), "{item}\n{emitted}");
    }
}

#[test]
fn what_is_no_function_is_told_what_one_looks_like() {
    for item in
        ["struct S { a: u8 }", "pub(crate) const X: u8 = 1;", "impl S { fn f() {} }", "use a::b;", "m! {}", "const", ""]
    {
        let (emitted, errors) = emitted("", item);
        assert_eq!(errors, 1, "{item}\n{emitted}");
        assert!(
            emitted.starts_with(&squeezed(item)) && emitted.contains("goesonafunction:`#[tool"),
            "{item}\n{emitted}"
        );
    }
}

#[test]
fn the_mistakes_of_options_are_told_with_those_of_the_item() {
    assert_eq!(emitted("desc", "struct S;").1, 2);
    assert_eq!(emitted("desc", "/// One.\nfn f(a:) {}").1, 2);
}

#[test]
fn no_struct_stands_where_it_would_be_a_second_mistake() {
    for item in ["fn f(&self) {}", "fn f() -> Self {}", "fn f(a: u8);", "fn u8(a: u8) {}", "fn __gate() {}"] {
        let (emitted, errors) = emitted("", &format!("/// One.\n{item}"));
        assert_eq!(errors, 1, "{item}\n{emitted}");
        assert!(emitted.contains(&squeezed(item)) && !emitted.contains("struct"), "{item}\n{emitted}");
    }
}

#[test]
fn a_second_attribute_goes() {
    for again in ["#[tool]", "#[tool(read_only)]", "#[tool_gate::tool]", "#[::tool_gate::tool(desc)]"] {
        let (emitted, errors) = emitted("", &format!("/// One.\n{again}\nfn f() {{}}"));
        assert_eq!(errors, 1, "{again}\n{emitted}");
        assert!(emitted.contains("#[doc=\"One.\"]fnf(){}"), "{again}\n{emitted}");
    }
    assert_eq!(emitted("", "/// One.\n#[other::tool]\nfn f() {}").1, 0);
}
