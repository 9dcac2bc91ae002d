impl Desk<Sqlite> {
    const LIMIT: u8 = { 20 };
    /// Find orders.
    async fn search(&self, limit: u8) -> Result<Vec<Order>, ToolError> {
        self.find(limit).await
    }
    /// Close the desk.
    pub fn close(why: String) {}
    fn helper(&mut self) {}
}
/// The tool `close`, as a type: what a registry is given to take it.
#[allow(
    non_camel_case_types,
    missing_copy_implementations,
    missing_debug_implementations,
    unreachable_pub,
    clippy::exhaustive_structs
)]
pub struct CloseDesk {}
const _: () = {
    use ::tool_gate::__private as __gate;
    #[allow(unused_imports)]
    use __gate::probing::*;
    type __Self = Desk<Sqlite>;
    #[allow(non_camel_case_types)]
    struct __tool_search {}
    const _: () = {
        impl __gate::Declare for __tool_search {
            const DECLARATION: __gate::Declaration = __gate::Declaration::new(
                    "search",
                    "Find orders.",
                    ::core::concat!(::core::module_path!(), "::", "Desk<Sqlite>::search"),
                )
                .read_only();
            fn parameters(__list: &mut __gate::Parameters) {
                __list.add(__gate::arg::<u8>("limit").default(|| __Self::LIMIT));
            }
            fn output() -> ::core::option::Option<__gate::Value> {
                __gate::Probe::<Result<Vec<Order>, ToolError>>::TYPE
                    .answers()
                    .schema_of()
            }
        }
        impl<
            __S: ?::core::marker::Sized + __gate::ProvidesState<__Self>,
        > __gate::Tool<__S> for __tool_search {
            fn bind(__arguments: &mut __gate::Binding<'_>) -> __gate::Taken<__S> {
                let __arg_0 = __arguments
                    .take(__gate::arg::<u8>("limit").default(|| __Self::LIMIT))?;
                ::core::result::Result::Ok(
                    __gate::Bound::new(move |__state, __call| {
                        let __state_0 = __gate::ProvidesState::<
                            __Self,
                        >::provide(__state);
                        ::std::boxed::Box::pin(async move {
                            let __output = __Self::search(__state_0, __arg_0).await;
                            let __answer = __gate::Probe::of(&__output)
                                .settle(__output)?;
                            __gate::Probe::of(&__answer).answer_kind().answer(__answer)
                        })
                    }),
                )
            }
        }
        __gate::inventory::submit! {
            < SUPPORT > ::__link(__gate::Entry::of:: < __tool_search > ())
        }
    };
    const _: () = {
        impl __gate::Declare for CloseDesk {
            const DECLARATION: __gate::Declaration = __gate::Declaration::new(
                    "close",
                    "Close the desk.",
                    ::core::concat!(::core::module_path!(), "::", "Desk<Sqlite>::close"),
                )
                .destructive();
            fn parameters(__list: &mut __gate::Parameters) {
                __list.add(__gate::arg::<String>("why"));
            }
            fn output() -> ::core::option::Option<__gate::Value> {
                ::core::option::Option::None
            }
        }
        impl<__S: ?::core::marker::Sized> __gate::Tool<__S> for CloseDesk {
            fn bind(__arguments: &mut __gate::Binding<'_>) -> __gate::Taken<__S> {
                let __arg_0 = __arguments.take(__gate::arg::<String>("why"))?;
                __gate::together({
                    let __check: fn(&_) -> ::core::result::Result<(), _> = __Self::may_close;
                    __gate::checked(__check(&__arg_0))
                })?;
                ::core::result::Result::Ok(
                    __gate::Bound::new(move |__state, __call| {
                        ::std::boxed::Box::pin(async move {
                            let __output = __Self::close(__arg_0);
                            let __answer = __gate::Probe::of(&__output)
                                .settle(__output)?;
                            __gate::Probe::of(&__answer).answer_kind().answer(__answer)
                        })
                    }),
                )
            }
        }
        __gate::inventory::submit! {
            < SUPPORT > ::__link(__gate::Entry::of:: < CloseDesk > ())
        }
    };
    impl<
        __S: ?::core::marker::Sized + __gate::ProvidesState<__Self>,
    > __gate::Methods<__S> for Desk<Sqlite> {
        fn entries() -> ::std::vec::Vec<__gate::Entry<__S>> {
            ::core::convert::From::from([
                __gate::Entry::of::<__tool_search>(),
                __gate::Entry::of::<CloseDesk>(),
            ])
        }
    }
};
