//! Names a list whose tools are in a crate that it says nothing of, so that it is not linked.

use gate::Registry;
use shop_tools::STAFF;

fn main() {
    match Registry::builder().list(&STAFF).build() {
        Ok(registry) => println!("{registry:?}"),
        Err(error) => println!("{error}"),
    }
}
