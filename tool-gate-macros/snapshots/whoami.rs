/// Tell who is signed in.
pub fn whoami<'s>(session: &'s Session) -> impl Serialize + 's {
    &session.name
}
/// The tool `whoami`, as a type: what a registry is given to take it.
#[allow(
    non_camel_case_types,
    missing_copy_implementations,
    missing_debug_implementations,
    unreachable_pub,
    clippy::exhaustive_structs
)]
pub struct whoami {}
const _: () = {
    use ::tool_gate::__private as __gate;
    #[allow(unused_imports)]
    use __gate::probing::*;
    impl __gate::Declare for whoami {
        const DECLARATION: __gate::Declaration = __gate::Declaration::new(
                "whoami",
                "Tell who is signed in.",
                ::core::concat!(::core::module_path!(), "::", "whoami"),
            )
            .read_only();
        fn parameters(__list: &mut __gate::Parameters) {}
        fn output() -> ::core::option::Option<__gate::Value> {
            ::core::option::Option::None
        }
    }
    impl<__S: ?::core::marker::Sized + __gate::ProvidesState<Session>> __gate::Tool<__S>
    for whoami {
        fn bind(__arguments: &mut __gate::Binding<'_>) -> __gate::Taken<__S> {
            ::core::result::Result::Ok(
                __gate::Bound::new(move |__state, __call| {
                    let __state_0 = __gate::ProvidesState::<Session>::provide(__state);
                    ::std::boxed::Box::pin(async move {
                        let __output = whoami(__state_0);
                        let __answer = __gate::Probe::of(&__output).settle(__output)?;
                        __gate::Probe::of(&__answer).answer_kind().answer(__answer)
                    })
                }),
            )
        }
    }
};
