/// Pay money back.
fn refund(
    bank: &Arc<Bank>,
    order: Order,
    note: &str,
    call: &CallInfo,
) -> Result<(), BankError> {
    bank.refund(order, note, call.idempotency_key())
}
/// The tool `refund`, as a type: what a registry is given to take it.
#[allow(
    non_camel_case_types,
    missing_copy_implementations,
    missing_debug_implementations,
    unreachable_pub,
    clippy::exhaustive_structs
)]
struct refund {}
const _: () = {
    use ::tool_gate::__private as __gate;
    #[allow(unused_imports)]
    use __gate::probing::*;
    impl __gate::Declare for refund {
        const DECLARATION: __gate::Declaration = __gate::Declaration::new(
                "refund",
                "Pay money back.",
                ::core::concat!(::core::module_path!(), "::", "refund"),
            )
            .destructive()
            .timeout(::core::time::Duration::from_millis(120000));
        fn parameters(__list: &mut __gate::Parameters) {
            __list.add(__gate::arg::<Order>("order"));
            __list
                .add(
                    __gate::lent::<str>("note")
                        .default(|| __gate::text_default("none"))
                        .check(|__owned| {
                            __gate::Given(__gate::lend::<str>(__owned))
                                .check_given(|__value| {
                                    let __check: fn(&_) -> ::core::result::Result<(), _> = short;
                                    __gate::checked(__check(__value))
                                })
                        }),
                );
        }
        fn output() -> ::core::option::Option<__gate::Value> {
            __gate::Probe::<Result<(), BankError>>::TYPE.answers().schema_of()
        }
    }
    impl<
        __S: ?::core::marker::Sized + __gate::ProvidesState<Arc<Bank>>,
    > __gate::Tool<__S> for refund {
        fn bind(__arguments: &mut __gate::Binding<'_>) -> __gate::Taken<__S> {
            let __arg_1 = __arguments
                .take(
                    __gate::arg::<Order>("order")
                        .check(|__owned| {
                            __gate::Given(__owned)
                                .check_given(|__value| {
                                    let __check: fn(&_) -> ::core::result::Result<(), _> = Order::exists;
                                    __gate::checked(__check(__value))
                                })
                        }),
                )?;
            let __arg_2 = __arguments
                .take(
                    __gate::lent::<str>("note")
                        .default(|| __gate::text_default("none"))
                        .check(|__owned| {
                            __gate::Given(__gate::lend::<str>(__owned))
                                .check_given(|__value| {
                                    let __check: fn(&_) -> ::core::result::Result<(), _> = short;
                                    __gate::checked(__check(__value))
                                })
                        }),
                )?;
            __gate::together({
                let __check: fn(&_, &_) -> ::core::result::Result<(), _> = fits;
                __gate::checked(__check(&__arg_1, __gate::lend::<str>(&__arg_2)))
            })?;
            ::core::result::Result::Ok(
                __gate::Bound::new(move |__state, __call| {
                    let __state_0 = __gate::cloned::<
                        Arc<Bank>,
                    >(__gate::ProvidesState::<Arc<Bank>>::provide(__state));
                    let __call = ::core::clone::Clone::clone(__call);
                    __gate::blocking!()(move || {
                        let __output = refund(
                            &__state_0,
                            __arg_1,
                            __gate::lend::<str>(&__arg_2),
                            __gate::told::<CallInfo>(&__call),
                        );
                        let __answer = __gate::Probe::of(&__output).settle(__output)?;
                        __gate::Probe::of(&__answer).answer_kind().answer(__answer)
                    })
                }),
            )
        }
    }
};
