/// Book a room.
pub(crate) async fn r#book(
    r#type: String,
    guests: &[Guest],
    day: Day,
    mut nights: u8,
) -> Cow<'static, str> {
    "done".into()
}
/// The tool `book`, as a type: what a registry is given to take it.
#[allow(
    non_camel_case_types,
    missing_copy_implementations,
    missing_debug_implementations,
    unreachable_pub,
    clippy::exhaustive_structs
)]
pub(crate) struct r#book {}
const _: () = {
    use ::tool_gate::__private as __gate;
    #[allow(unused_imports)]
    use __gate::probing::*;
    impl __gate::Declare for r#book {
        const DECLARATION: __gate::Declaration = __gate::Declaration::new(
                "book",
                "Book a room.",
                ::core::concat!(::core::module_path!(), "::", "book"),
            )
            .idempotent()
            .open_world()
            .title("Book a room")
            .requires("rooms");
        fn parameters(__list: &mut __gate::Parameters) {
            __list
                .add(
                    __gate::arg::<String>("room")
                        .length(1..=8)
                        .pattern("^[A-Z]")
                        .example("A1"),
                );
            __list.add(__gate::lent::<[Guest]>("guests").items(1..4).sensitive());
            __list.add(__gate::arg::<Day>("day").format("date"));
            __list.add(__gate::arg::<u8>("nights").default(__gate::own_default));
        }
        fn output() -> ::core::option::Option<__gate::Value> {
            __gate::Probe::<Cow<'static, str>>::TYPE.answers().schema_of()
        }
    }
    impl<__S: ?::core::marker::Sized> __gate::Tool<__S> for r#book {
        fn bind(__arguments: &mut __gate::Binding<'_>) -> __gate::Taken<__S> {
            let __arg_0 = __arguments.take(__gate::arg::<String>("room"))?;
            let __arg_1 = __arguments.take(__gate::lent::<[Guest]>("guests"))?;
            let __arg_2 = __arguments
                .take(
                    __gate::arg::<Day>("day")
                        .check(|__owned| {
                            __gate::Given(__owned)
                                .check_given(|__value| {
                                    let __check: fn(&_) -> ::core::result::Result<(), _> = open;
                                    __gate::checked(__check(__value))
                                })
                        }),
                )?;
            let __arg_3 = __arguments
                .take(__gate::arg::<u8>("nights").default(__gate::own_default))?;
            ::core::result::Result::Ok(
                __gate::Bound::new(move |__state, __call| {
                    ::std::boxed::Box::pin(async move {
                        let __output = r#book(
                                __arg_0,
                                __gate::lend::<[Guest]>(&__arg_1),
                                __arg_2,
                                __arg_3,
                            )
                            .await;
                        let __answer = __gate::Probe::of(&__output).settle(__output)?;
                        __gate::Probe::of(&__answer).answer_kind().answer(__answer)
                    })
                }),
            )
        }
    }
};
