///Answer.
#[must_use]
fn ping() {}
/// The tool `ping_pong`, as a type: what a registry is given to take it.
#[allow(
    non_camel_case_types,
    missing_copy_implementations,
    missing_debug_implementations,
    unreachable_pub,
    clippy::exhaustive_structs
)]
struct Ping {}
const _: () = {
    use crate::gate::__private as __gate;
    #[allow(unused_imports)]
    use __gate::probing::*;
    impl __gate::Declare for Ping {
        const DECLARATION: __gate::Declaration = __gate::Declaration::new(
            "ping_pong",
            "Answer.",
            ::core::concat!(::core::module_path!(), "::", "ping"),
        );
        fn parameters(__list: &mut __gate::Parameters) {}
        fn output() -> ::core::option::Option<__gate::Value> {
            ::core::option::Option::None
        }
    }
    impl<__S: ?::core::marker::Sized> __gate::Tool<__S> for Ping {
        fn bind(__arguments: &mut __gate::Binding<'_>) -> __gate::Taken<__S> {
            ::core::result::Result::Ok(
                __gate::Bound::new(move |__state, __call| {
                    ::std::boxed::Box::pin(async move {
                        let __output = ping();
                        let __answer = __gate::Probe::of(&__output).settle(__output)?;
                        __gate::Probe::of(&__answer).answer_kind().answer(__answer)
                    })
                }),
            )
        }
    }
};
