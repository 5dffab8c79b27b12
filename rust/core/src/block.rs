//! Blocks: the structural units of a document, and the parts nested in them.

use crate::span::Span;

/// What a block is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum BlockKind {
    /// An ATX or setext heading.
    Heading,
    /// Running text; also a footnote definition or link reference definitions.
    Paragraph,
    /// A bullet or numbered list with all its items.
    List,
    /// A block quote.
    Quote,
    /// A GFM table with its caption line, or an HTML table.
    Table,
    /// Fenced or indented code.
    Code,
    /// A display formula.
    Math,
    /// A paragraph of nothing but images.
    Image,
    /// An HTML block.
    Html,
    /// YAML in front of the document.
    FrontMatter,
    /// `---`, `***` or `___`.
    ThematicBreak,
    /// A comment that names the page that begins there.
    PageMarker,
}

impl BlockKind {
    /// All kinds with their names, in declaration order.
    pub const ALL: [(Self, &'static str); 12] = [
        (Self::Heading, "heading"),
        (Self::Paragraph, "paragraph"),
        (Self::List, "list"),
        (Self::Quote, "quote"),
        (Self::Table, "table"),
        (Self::Code, "code"),
        (Self::Math, "math"),
        (Self::Image, "image"),
        (Self::Html, "html"),
        (Self::FrontMatter, "front_matter"),
        (Self::ThematicBreak, "thematic_break"),
        (Self::PageMarker, "page_marker"),
    ];

    /// The name that users see.
    #[must_use]
    pub const fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    /// The kind with this name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, n)| *n == name).map(|(kind, _)| *kind)
    }

    /// Whether the structure strategy may put it into one section with other prose.
    #[must_use]
    pub const fn is_prose(self) -> bool {
        matches!(self, Self::Paragraph | Self::List | Self::Quote | Self::Html | Self::Math)
    }

    /// Whether it carries no content of its own and is left out of all chunks.
    #[must_use]
    pub const fn is_dropped(self) -> bool {
        matches!(self, Self::FrontMatter | Self::ThematicBreak | Self::PageMarker)
    }
}

/// What a nested part is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PartKind {
    /// A list inside another block.
    List,
    /// An item of a list.
    Item,
    /// A quote inside another block.
    Quote,
    /// A paragraph, or the bare text of a tight list item.
    Paragraph,
    /// A heading inside a list or quote.
    Heading,
    /// Code with a fence.
    Fenced,
    /// Code by indentation.
    Indented,
    /// A table inside another block.
    Table,
    /// An HTML block inside another block.
    Html,
    /// A display formula inside another block.
    Math,
    /// A thematic break inside another block.
    Rule,
    /// The header row of a table. What stands above it in the block is the caption.
    Head,
    /// A body row of a table.
    Row,
    /// An inline unit that is not cut while it fits: link, image, code span, formula, tag, footnote mark.
    Atom,
}

impl PartKind {
    /// Whether it is a block by itself, so that a container can be cut in front of it.
    #[must_use]
    pub const fn is_block(self) -> bool {
        !matches!(self, Self::Head | Self::Row | Self::Atom)
    }
}

/// A nested part. Parts stand in document order, a part in front of what it contains.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// What it is.
    pub kind: PartKind,
    /// Where it is.
    pub span: Span,
    /// Index of the first part that is not inside this one.
    pub next: u32,
}

/// A box on a page: page, x0, y0, x1, y1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BoundingBox {
    /// The page it is on.
    pub page: u32,
    /// Left, top, right, bottom in the parser's own unit.
    pub corners: [f64; 4],
}

/// Where in a source file something stands. Equal places may share a chunk.
#[derive(Clone, PartialEq, Eq, Debug, Default, Hash)]
pub struct Place {
    /// Page of a paged document, from 1.
    pub page: Option<u32>,
    /// Sheet of a workbook.
    pub sheet: Option<String>,
    /// Cell range of a sheet.
    pub cell_range: Option<String>,
    /// Slide of a presentation, from 1.
    pub slide: Option<u32>,
}

/// What a parser of another format knows about a block beyond its text.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Supplement {
    /// Index of the block.
    pub block: u32,
    /// Box on a page.
    pub bbox: Option<BoundingBox>,
    /// Words for what an image shows.
    pub description: Option<String>,
    /// Language of code that its text does not name.
    pub language: Option<String>,
}

/// One structural unit of a document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// 1 to 6 for headings, else 0.
    pub level: u8,
    /// Where it is: from its line's start, to its last character that is not white space.
    pub span: Span,
    /// Its parts: a range of [`Document::parts`].
    pub parts: Span,
    /// Index in [`Document::paths`]; for a heading the path that it opens.
    pub path: u32,
    /// Index in [`Document::places`].
    pub place: u32,
}

/// A heading path as a chain: the innermost heading and the path above it. Path 0 is empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Path {
    /// Index of the path above.
    pub parent: u32,
    /// Level of the innermost heading (0 for the empty path).
    pub level: u8,
    /// Its plain text, in [`Document::titles`].
    pub text: Span,
}

/// A document cut into blocks.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Document {
    /// The blocks in order; they never overlap.
    pub blocks: Vec<Block>,
    /// The parts of all blocks.
    pub parts: Vec<Part>,
    /// Heading paths; number 0 is the empty one.
    pub paths: Vec<Path>,
    /// Plain text of headings, one behind the other.
    pub titles: String,
    /// Places; number 0 is what a document without pages has everywhere.
    pub places: Vec<Place>,
    /// What parsers of other formats know beyond the text, by rising block index.
    pub supplements: Vec<Supplement>,
    /// Fenced code without a closing fence, in order.
    pub unclosed: Vec<Unclosed>,
}

/// Fenced code that nobody closed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unclosed {
    /// Where its text ends, trimmed.
    pub end: u32,
    /// Where its opening line begins.
    pub start: u32,
}

impl Document {
    /// The parts of a block.
    #[must_use]
    pub fn parts_of(&self, block: &Block) -> &[Part] {
        &self.parts[block.parts.range()]
    }

    /// The texts of a heading path, outermost first.
    #[must_use]
    pub fn path(&self, mut path: u32) -> Vec<&str> {
        let mut texts = Vec::new();
        while path != 0 {
            texts.push(self.title(path));
            path = self.paths[path as usize].parent;
        }
        texts.reverse();
        texts
    }

    /// Adds a path with a heading of this text; where it is.
    pub fn add_path(&mut self, parent: u32, level: u8, text: &str) -> u32 {
        let start = self.titles.len();
        self.titles.push_str(text);
        self.push_path(Path { parent, level, text: Span::new(start, self.titles.len()) })
    }

    /// Adds a path whose text is among the titles; where it is.
    pub(crate) fn push_path(&mut self, path: Path) -> u32 {
        self.paths.push(path);
        self.paths.len() as u32 - 1
    }

    /// The text of the innermost heading of a path.
    #[must_use]
    pub fn title(&self, path: u32) -> &str {
        &self.titles[self.paths[path as usize].text.range()]
    }

    /// Whether a heading with this text is on a path.
    #[must_use]
    pub fn is_on_path(&self, mut path: u32, text: &str) -> bool {
        while path != 0 {
            if self.title(path) == text {
                return true;
            }
            path = self.paths[path as usize].parent;
        }
        false
    }

    /// What a parser supplied for a block.
    #[must_use]
    pub fn supplement(&self, block: u32) -> Option<&Supplement> {
        let at = self.supplements.binary_search_by_key(&block, |s| s.block).ok()?;
        self.supplements.get(at)
    }
}
