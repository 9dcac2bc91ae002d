//! The gates between a call and the tool it names, one file each: the name, the text, the schema, the types.
//!
//! They know no wire and count nothing. A call passes all of them or ends as one [`Rejection`](crate::Rejection).

mod bind;
mod name;
mod parse;
mod schema;

pub(crate) use bind::bind;
pub(crate) use name::{find, offered_as};
pub(crate) use parse::parse;
pub(crate) use schema::conform;
