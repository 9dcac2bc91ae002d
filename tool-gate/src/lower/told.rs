//! Rejections in the keys and places that the model was told of: what is judged is canonical, and what is mended is what was
//! published.

use super::raise::{KEEP, Member, Raise, Step, StepId, WRAPPED, place_key};
use crate::{
    rejection::Rejection,
    schema::{Contract, Path, Segment},
};

impl Raise {
    /// The same rejection, of what was sent.
    pub(crate) fn told(&self, mut rejection: Rejection) -> Rejection {
        match &mut rejection {
            Rejection::NotAnObject { declared, .. } => match self.step(self.root) {
                Some(Step::Wrapped(_)) => *declared = vec![WRAPPED.to_owned()],
                Some(Step::Object { members, .. }) => declared.iter_mut().for_each(|key| rename(members, key)),
                _ => {}
            },
            Rejection::Schema { violation, .. } => {
                let (path, step) = self.sent_path(&violation.path);
                violation.path = path;
                if let Some(Step::Object { members, .. }) = self.step(step) {
                    match &mut violation.contract {
                        Contract::Required { key } => rename(members, key),
                        Contract::AdditionalProperties { declared, meant, .. } => {
                            declared.iter_mut().chain(meant).for_each(|key| rename(members, key));
                        }
                        _ => {}
                    }
                }
            }
            Rejection::Value { path, .. } => *path = self.sent_path(path).0,
            _ => {}
        }
        rejection
    }

    /// Where the canonical place is in what is sent, and the step of what stands there.
    fn sent_path(&self, path: &Path) -> (Path, StepId) {
        let (mut sent, mut id) = (Path::default(), self.root);
        let unwrap = |sent: &mut Path, id: StepId| match self.step(id) {
            Some(Step::Wrapped(inner)) => {
                sent.push(Segment::Key(WRAPPED.to_owned()));
                *inner
            }
            _ => id,
        };
        for segment in path.segments() {
            id = unwrap(&mut sent, id);
            let (segment, inner) = self.sent_segment(segment, id);
            sent.push(segment);
            id = inner;
        }
        let id = unwrap(&mut sent, id);
        (sent, id)
    }

    fn sent_segment(&self, segment: &Segment, id: StepId) -> (Segment, StepId) {
        match (self.step(id), segment) {
            (Some(Step::Object { members, rest, .. }), Segment::Key(key)) => match find(members, key) {
                Some(member) => (Segment::key(&member.sent), member.step),
                None => (segment.clone(), *rest),
            },
            (Some(Step::Array { leading, rest }), Segment::Index(place)) => {
                (segment.clone(), leading.get(*place).copied().unwrap_or(*rest))
            }
            (Some(Step::Tuple(elements)), Segment::Index(place)) => {
                (Segment::Key(place_key(*place)), elements.get(*place).map_or(KEEP, |element| element.step))
            }
            (Some(Step::Pairs(pairs)), Segment::Key(_)) => (segment.clone(), pairs.value),
            _ => (segment.clone(), KEEP),
        }
    }

    /// The step, or the one that it stands for: of a union the only branch that does anything.
    fn step(&self, id: StepId) -> Option<&Step> {
        match self.steps.get(id)? {
            Step::Same(inner) => self.steps.get(*inner),
            Step::Union(branches) => {
                let mut changing = branches.iter().filter(|branch| branch.step != KEEP);
                let only = changing.next().filter(|_| changing.next().is_none())?;
                self.steps.get(only.step)
            }
            step => Some(step),
        }
    }
}

/// The member of a canonical key, of which a path may hold a part.
fn find<'m>(members: &'m [Member], key: &str) -> Option<&'m Member> {
    members.iter().find(|member| member.key == key || Segment::key(&member.key) == Segment::Key(key.to_owned()))
}

fn rename(members: &[Member], key: &mut String) {
    if let Some(member) = find(members, key) {
        key.clone_from(&member.sent);
    }
}
