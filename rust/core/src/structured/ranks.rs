//! Which weak headings stand above which others.

use super::forms::{Family, Form};

/// The deepest level that leaves one for each form behind it.
const DEEPEST: u8 = u8::MAX - Form::COUNT;

/// The levels of forms in one document: the later a family of forms is used first, the deeper are all of its levels.
pub(super) struct Ranks {
    /// The level in front of all of them.
    above: u8,
    /// The first level of each family used so far.
    first: [Option<u8>; Family::COUNT],
    /// The first level of the next family.
    next: u8,
    /// Which of chapters and parts was used first.
    divided_by: Option<Form>,
}

impl Ranks {
    /// All levels are deeper than `above`, unless that is absurd.
    pub(super) fn below(above: u8) -> Self {
        let above = above.min(DEEPEST);
        Self { above, first: [None; Family::COUNT], next: above + 1, divided_by: None }
    }

    /// The level of a form that is used now.
    pub(super) fn level(&mut self, form: Form) -> u8 {
        let family = form.family();
        if family == Family::Colon {
            return self.above + Form::COUNT;
        }
        let inner = match form {
            Form::Chapter | Form::Part => u8::from(*self.divided_by.get_or_insert(form) != form),
            Form::Section => 2,
            Form::Article => 3,
            Form::Dotted(dots) => dots,
            _ => 0,
        };
        let next = &mut self.next;
        let first = self.first[family as usize].get_or_insert_with(|| {
            let first = *next;
            *next += family.levels();
            first
        });
        *first + inner
    }
}
