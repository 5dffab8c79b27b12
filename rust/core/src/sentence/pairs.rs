//! Brackets and quotation marks that are open.

/// A pair whose two marks are further apart than this (in bytes) does not hold its text together.
pub(super) const REACH: usize = 512;

/// So many pairs can be open at once; what opens beyond that is not followed.
const DEPTH: usize = 8;

/// Sorts of pairs. Full-width and half-width round or square brackets may close each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sort {
    /// `()`, `（）`.
    Round,
    /// `[]`, `［］`.
    Square,
    /// `【】`.
    Lens,
    /// `〔〕`.
    Shell,
    /// `《》`.
    Title,
    /// `〈〉`.
    Angle,
    /// `「」`.
    Corner,
    /// `『』`.
    WhiteCorner,
    /// `“”`.
    Curly,
    /// `"`, either side.
    Straight,
    /// Code between single back-ticks.
    Code,
    /// Code between two back-ticks.
    DoubleCode,
}

impl Sort {
    /// The sort that `c` opens.
    pub(super) const fn opened_by(c: char) -> Option<Self> {
        Some(match c {
            '(' | '（' => Self::Round,
            '[' | '［' => Self::Square,
            '【' => Self::Lens,
            '〔' => Self::Shell,
            '《' => Self::Title,
            '〈' => Self::Angle,
            '「' => Self::Corner,
            '『' => Self::WhiteCorner,
            '“' => Self::Curly,
            _ => return None,
        })
    }

    /// The sort that `c` closes.
    pub(super) const fn closed_by(c: char) -> Option<Self> {
        Some(match c {
            ')' | '）' => Self::Round,
            ']' | '］' => Self::Square,
            '】' => Self::Lens,
            '〕' => Self::Shell,
            '》' => Self::Title,
            '〉' => Self::Angle,
            '」' => Self::Corner,
            '』' => Self::WhiteCorner,
            '”' => Self::Curly,
            _ => return None,
        })
    }

    /// Round, square, lens or shell: brackets, as against quotation marks and titles.
    pub(super) fn is_bracket(self) -> bool {
        matches!(self, Self::Round | Self::Square | Self::Lens | Self::Shell)
    }
}

/// An open pair.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    sort: Sort,
    /// [`Pairs::sorts`] before it opened.
    outer: u16,
    /// Where its opening mark stands.
    pub(super) at: usize,
    /// How many ends there were when it opened.
    pub(super) ends: usize,
}

/// The open pairs, outermost first.
#[derive(Debug)]
pub(super) struct Pairs {
    open: [Pair; DEPTH],
    depth: usize,
    /// A bit for each sort that is open.
    sorts: u16,
}

impl Pairs {
    pub(super) const fn new() -> Self {
        Self { open: [Pair { sort: Sort::Round, outer: 0, at: 0, ends: 0 }; DEPTH], depth: 0, sorts: 0 }
    }

    /// Opens a pair at `at`, with `ends` ends so far.
    pub(super) fn open(&mut self, sort: Sort, at: usize, ends: usize) {
        if let Some(slot) = self.open.get_mut(self.depth) {
            *slot = Pair { sort, outer: self.sorts, at, ends };
            self.depth += 1;
            self.sorts |= 1 << sort as u8;
        }
    }

    /// Closes the innermost pair of this sort and all inside it.
    pub(super) fn close(&mut self, sort: Sort) -> Option<Pair> {
        if !self.has(sort) {
            return None;
        }
        let found = self.open[..self.depth].iter().rposition(|pair| pair.sort == sort)?;
        self.depth = found;
        self.sorts = self.open[found].outer;
        Some(self.open[found])
    }

    /// Whether a pair of this sort is open.
    pub(super) fn has(&self, sort: Sort) -> bool {
        self.sorts >> sort as u8 & 1 != 0
    }

    /// Whether a pair that opens now is followed.
    pub(super) fn has_room(&self) -> bool {
        self.depth < DEPTH
    }

    /// Forgets all pairs.
    pub(super) fn clear(&mut self) {
        self.depth = 0;
        self.sorts = 0;
    }
}
