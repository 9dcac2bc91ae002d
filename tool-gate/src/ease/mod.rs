//! Reading a refused call anew, as an offer's [`Leniency`] has it.
//!
//! Nothing here lets a call through: it makes one candidate, which goes through the same gates. The steps have one order, and
//! each is taken at most once, so that what is read into a call does not depend on what would be admitted.

mod case;
mod fence;
mod name;
mod place;
mod walk;

use std::{borrow::Cow, collections::HashSet, sync::Arc};

use self::place::{Place, Schemas};
use crate::{
    gate,
    json::{self, Kind, Node},
    leniency::{Eased, EasedKind, Leniency},
    limits::Limits,
    offer::{Core, Offer},
    offered::OfferedTool,
    policy::Admitted,
    rejection::Rejection,
    schema::{Path, Terms},
    text,
    tool::Bound,
    wire::{Arguments, Call},
};

impl<S: ?Sized> Offer<S> {
    /// Puts a refused call through the gates once more, as the offer's leniency reads it. Where they refuse that too, or there
    /// is nothing to forgive, the first rejection stands: it is about what the model sent.
    pub(crate) fn ease(&self, call: &Call, rejection: Rejection) -> Result<(Admitted, Bound<S>), Rejection> {
        self.eased(call, &rejection).ok_or(rejection)
    }

    fn eased(&self, call: &Call, rejection: &Rejection) -> Option<(Admitted, Bound<S>)> {
        let registry = &*self.registry.inner;
        if call.is_cut() || call.fault().is_some() {
            return None;
        }
        let mut eased = Vec::new();
        let (mut name, mut rejection) = (call.name(), Cow::Borrowed(rejection));
        if let Rejection::UnknownName { .. } = *rejection {
            name = &self.affixed(name)?.name;
            eased.push(Eased::whole(EasedKind::NameAffix));
            match self.pass(&Call::new(None, name, call.arguments().clone())) {
                Ok(passed) => return Some(recorded(passed, eased)),
                Err(refused) => rejection = Cow::Owned(refused),
            }
        }
        let tool = gate::offered_as(name, &self.core.offered, &registry.limits)?;
        let terms = registry.tools[tool.place].terms(&registry.limits);
        let (text, inside) = arguments(self.leniency, call.arguments(), &rejection, terms)?;
        eased.extend(inside);
        let passed = self.pass(&Call::new(None, name, text.into())).ok()?;
        Some(recorded(passed, eased))
    }

    /// See [`Core::affixed`].
    pub(crate) fn affixed(&self, name: &str) -> Option<&Arc<OfferedTool>> {
        self.core.affixed(name, self.leniency, &self.registry.inner.limits)
    }
}

impl Core {
    /// The tool whose name is inside this one, where the offer takes it for that.
    pub(crate) fn affixed(&self, name: &str, leniency: Leniency, limits: &Limits) -> Option<&Arc<OfferedTool>> {
        let allowed = leniency.allows(EasedKind::NameAffix);
        allowed.then(|| name::inside(name, &self.offered, limits)).flatten()
    }
}

fn recorded<S: ?Sized>((mut admitted, bound): (Admitted, Bound<S>), eased: Vec<Eased>) -> (Admitted, Bound<S>) {
    admitted.eased = eased;
    (admitted, bound)
}

/// The text of an object that refused arguments may be read as, and what was forgiven for it.
fn arguments(
    leniency: Leniency,
    sent: &Arguments,
    rejection: &Rejection,
    terms: Terms<'_>,
) -> Option<(String, Vec<Eased>)> {
    let depth = terms.limits.depth;
    let mut eased = Vec::new();
    let mut text = match rejection {
        Rejection::Unparsable { .. } if leniency.allows(EasedKind::Fence) => match sent {
            Arguments::Text(text) => Cow::Borrowed(fence::inside(text)?),
            _ => return None,
        },
        Rejection::NotAnObject { .. } | Rejection::Schema { .. } => sent.text(),
        _ => return None,
    };
    if let Rejection::Unparsable { .. } = rejection {
        eased.push(Eased::whole(EasedKind::Fence));
    }

    let mut decoded = false;
    let tape = json::read(&text, depth).ok()?;
    if tape.root().kind() == Kind::String && leniency.allows(EasedKind::SchemaGuided) {
        let held = tape.root().as_str()?.to_owned();
        eased.push(Eased::at(EasedKind::SchemaGuided, Path::default()));
        (text, decoded) = (held.into(), true);
    }

    let tape = json::read(&text, depth).ok().filter(|tape| tape.root().kind() == Kind::Object)?;
    let conforms = |arguments: Node<'_>| terms.validator.is_valid(arguments);
    if leniency.allows(EasedKind::WrapperKey)
        && !conforms(tape.root())
        && let Some(inner) = unwrapped(terms, tape.root())
    {
        let mut written = String::new();
        walk::write(inner, &mut written);
        eased.push(Eased::whole(EasedKind::WrapperKey));
        text = written.into();
    }

    let tape = json::read(&text, depth).ok()?;
    if !conforms(tape.root())
        && let Some((inside, places)) = walk::inside(leniency, terms, tape.root(), decoded)
    {
        eased.extend(places);
        text = inside.into();
    }
    (!eased.is_empty()).then(|| (text.into_owned(), eased))
}

/// The object under the only key of this one, where that key is undeclared and resembles no declared one that is missing.
fn unwrapped<'n>(terms: Terms<'_>, arguments: Node<'n>) -> Option<Node<'n>> {
    let (key, inner) = arguments.members().next().filter(|_| arguments.len() == 1)?;
    if inner.kind() != Kind::Object {
        return None;
    }
    let mut schemas = Schemas::new(terms);
    let shape = schemas.shape(&Place::One(terms.schema), arguments, &[]);
    let keys = shape.keys();
    let is_undeclared = match schemas.member(&shape, key) {
        Place::Nothing => true,
        Place::Anything => !keys.declared.contains(key) && !keys.have_patterns,
        _ => false,
    };
    let sent: HashSet<&str> = inner.members().map(|(key, _)| key).collect();
    let missing = keys.declared.into_iter().filter(|name| !sent.contains(name));
    (is_undeclared && !schemas.is_exhausted() && text::meant(key, missing).is_none()).then_some(inner)
}
