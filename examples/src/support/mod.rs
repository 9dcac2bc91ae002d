//! A support agent for a shop.
//!
//! Read [`tools`] first, for what a tool looks like, then [`conversation`], for the loop around them. The rest is the
//! shop, which knows nothing of models, and providers that play what a model was recorded saying.

pub mod carriers;
pub mod conversation;
pub mod provider;
pub mod recording;
pub mod session;
pub mod shop;
pub mod store;
pub mod table;
pub mod tools;
