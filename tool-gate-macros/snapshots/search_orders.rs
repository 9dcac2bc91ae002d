/// Find the signed-in customer's orders, newest first.
async fn search_orders(
    orders: &Orders,
    status: Option<OrderStatus>,
    limit: u32,
    q: &str,
) -> Result<Vec<Order>, ToolError> {
    orders
        .of(status, limit, q)
        .await
        .tell("The order store is busy; try again in a minute.")
}
/// The tool `search_orders`, as a type: what a registry is given to take it.
#[allow(
    non_camel_case_types,
    missing_copy_implementations,
    missing_debug_implementations,
    unreachable_pub,
    clippy::exhaustive_structs
)]
struct search_orders {}
const _: () = {
    use ::tool_gate::__private as __gate;
    #[allow(unused_imports)]
    use __gate::probing::*;
    impl __gate::Declare for search_orders {
        const DECLARATION: __gate::Declaration = __gate::Declaration::new(
                "search_orders",
                "Find the signed-in customer's orders, newest first.",
                ::core::concat!(::core::module_path!(), "::", "search_orders"),
            )
            .read_only();
        fn parameters(__list: &mut __gate::Parameters) {
            __list
                .add(
                    __gate::arg::<Option<OrderStatus>>("status")
                        .doc("Only orders in this state."),
                );
            __list.add(__gate::arg::<u32>("limit").default(|| 20).range(1..=100));
            __list.add(__gate::lent::<str>("q").pattern(r"^[A-Z]"));
        }
        fn output() -> ::core::option::Option<__gate::Value> {
            __gate::Probe::<Result<Vec<Order>, ToolError>>::TYPE.answers().schema_of()
        }
    }
    impl<__S: ?::core::marker::Sized + __gate::ProvidesState<Orders>> __gate::Tool<__S>
    for search_orders {
        fn bind(__arguments: &mut __gate::Binding<'_>) -> __gate::Taken<__S> {
            let __arg_1 = __arguments
                .take(__gate::arg::<Option<OrderStatus>>("status"))?;
            let __arg_2 = __arguments.take(__gate::arg::<u32>("limit").default(|| 20))?;
            let __arg_3 = __arguments.take(__gate::lent::<str>("q"))?;
            ::core::result::Result::Ok(
                __gate::Bound::new(move |__state, __call| {
                    let __state_0 = __gate::ProvidesState::<Orders>::provide(__state);
                    ::std::boxed::Box::pin(async move {
                        let __output = search_orders(
                                __state_0,
                                __arg_1,
                                __arg_2,
                                __gate::lend::<str>(&__arg_3),
                            )
                            .await;
                        let __answer = __gate::Probe::of(&__output).settle(__output)?;
                        __gate::Probe::of(&__answer).answer_kind().answer(__answer)
                    })
                }),
            )
        }
    }
    __gate::inventory::submit! {
        < SUPPORT > ::__link(__gate::Entry::of:: < search_orders > ())
    }
};
