use tool_gate::{tool, toolbox};

toolbox! { static SUPPORT: (); }

fn generic<T>(_: T) {
    /// In a generic function.
    #[tool(in = SUPPORT)]
    fn in_generic() {}
}

fn main() {
    /// In a function.
    #[tool(in = SUPPORT)]
    fn in_function() {}

    mod nested {
        /// In a module.
        #[tool_gate::tool(in = super::SUPPORT)]
        pub(super) fn in_module() {}
    }

    if false {
        generic(0);
        nested::in_module();
    }
    assert_eq!(SUPPORT.tool_names(), ["in_function", "in_generic", "in_module"]);
}
