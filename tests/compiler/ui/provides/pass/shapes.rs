mod gate {
    pub use tool_gate::*;
}

use gate::Provides;

#[derive(Provides)]
struct Tuple(#[provide] u8, #[provide] String, #[allow(dead_code)] u16);

#[derive(Provides)]
struct Generic<'a, D: Clone, const N: usize>
where
    D: Send,
{
    #[provide]
    database: D,
    #[allow(dead_code)]
    name: &'a str,
    #[allow(dead_code)]
    array: [u8; N],
}

#[derive(Provides)]
struct Distinct<D> {
    #[provide]
    list: Vec<D>,
    #[provide]
    name: String,
}

#[derive(Provides)]
#[provides(crate = gate)]
struct Renamed {
    #[provide]
    r#type: u8,
}

fn part<T: ?Sized>(state: &impl Provides<T>) -> &T {
    state.provide()
}

fn main() {
    let tuple = Tuple(1, "x".into(), 2);
    assert_eq!((part::<u8>(&tuple), part::<String>(&tuple).as_str()), (&1, "x"));
    let generic = Generic { database: 1_u64, name: "", array: [0; 2] };
    assert_eq!(part::<u64>(&generic), &1);
    let distinct = Distinct { list: vec![1], name: "x".into() };
    assert_eq!((part::<Vec<u8>>(&distinct).len(), part::<String>(&distinct).len()), (1, 1));
    assert_eq!(part::<u8>(&Renamed { r#type: 3 }), &3);
    assert_eq!(part::<Renamed>(&Renamed { r#type: 3 }).r#type, 3);
}
