//! The forms of weak headings, and which of them stand in one order whatever the document.

/// A form of weak headings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    Numeral,
    Bracketed,
    Chapter,
    Part,
    Section,
    Article,
    Arabic,
    /// With this many dots.
    Dotted(u8),
    Lenticular,
    Colon,
}

/// The most dots that a number can have.
pub(super) const MOST_DOTS: usize = 8;

impl Form {
    /// How many there are, numbers of dots counted apart.
    pub(super) const COUNT: u8 = 9 + MOST_DOTS as u8;

    /// The level that it has by convention, whatever the document makes of it.
    pub(super) const fn level(self) -> u8 {
        match self {
            Self::Numeral | Self::Chapter | Self::Part => 1,
            Self::Bracketed | Self::Section => 2,
            Self::Article | Self::Arabic => 3,
            Self::Dotted(dots) => 3 + dots,
            Self::Lenticular => 4,
            Self::Colon => 5,
        }
    }

    /// The family that it belongs to: forms that stand in one order, whichever the document uses first.
    pub(super) const fn family(self) -> Family {
        match self {
            Self::Numeral => Family::Numeral,
            Self::Bracketed => Family::Bracketed,
            Self::Chapter | Self::Part | Self::Section | Self::Article => Family::Divided,
            Self::Arabic | Self::Dotted(_) => Family::Counted,
            Self::Lenticular => Family::Lenticular,
            Self::Colon => Family::Colon,
        }
    }
}

/// Forms that stand in one order among themselves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Family {
    Numeral,
    Bracketed,
    /// Chapters and parts, sections, articles.
    Divided,
    /// Numbers without and with dots.
    Counted,
    Lenticular,
    Colon,
}

impl Family {
    pub(super) const COUNT: usize = 6;

    /// How many levels it has.
    pub(super) const fn levels(self) -> u8 {
        match self {
            Self::Divided => 4,
            Self::Counted => 1 + MOST_DOTS as u8,
            _ => 1,
        }
    }
}
