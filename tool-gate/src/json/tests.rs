use super::*;
use serde::Deserialize;
#[test]
fn smoke() {
    let text = r#"{"a":[1,2,{"b":"x\n\u00e9"}],"c":5.0,"d":null,"e":-3,"f":1.5}"#;
    let tape = read(text, 10).unwrap();
    assert_eq!(tape.root().to_value(), serde_json::from_str::<serde_json::Value>(text).unwrap());
    #[derive(Deserialize, Debug)]
    struct T {
        a: (u8, u8, B),
        c: u32,
        d: Option<u8>,
        e: i8,
        f: f32,
    }
    #[derive(Deserialize, Debug)]
    struct B {
        b: String,
    }
    let t = T::deserialize(tape.root()).unwrap();
    assert_eq!((t.a.1, t.c, t.e), (2, 5, -3));
}
