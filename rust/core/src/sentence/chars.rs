//! Classes of characters. Every one is a fixed set, so that a second implementation can have the same.

/// What may follow in a sentence, seen from the first character that is no white space.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Nothing but white space up to the end of the text.
    End,
    /// A small letter (whose next letter is not a capital, as in `iPhone`).
    Lower,
    /// A capital letter, or a small one with a capital behind it.
    Upper,
    /// An ASCII or full-width digit.
    Digit,
    /// A Chinese, Japanese or Korean character.
    Cjk,
    /// Anything else.
    Other,
}

/// White space. In [`class`] like the constants behind.
pub(super) const WHITE: u16 = 1;
/// No part of a word: white space, an opening mark, emphasis. Bytes beyond ASCII too, which may or may not be.
pub(super) const OUTSIDE: u16 = 1 << 1;
/// What may belong to the mark of a sentence's end before it, or the first byte of such a character.
pub(super) const CLOSING: u16 = 1 << 2;
/// A small letter.
pub(super) const LOWER: u16 = 1 << 3;
/// A capital letter.
pub(super) const UPPER: u16 = 1 << 4;
/// A digit.
pub(super) const DIGIT: u16 = 1 << 5;
/// Directly behind a mark, this says that no sentence ends there.
pub(super) const INERT: u16 = 1 << 6;
/// A full stop, hyphen or slash.
pub(super) const JOINT: u16 = 1 << 7;
/// What may follow the first character of an item's number: a digit, full stop or `)`.
pub(super) const NUMBERED: u16 = 1 << 8;

/// An ASCII character that is neither white nor may belong to the mark of a sentence's end.
pub(super) const FLAT: u16 = 1 << 9;
/// At the end of a line, this says that the sentence goes on.
pub(super) const OPEN: u16 = 1 << 10;
/// At the beginning of a line, this may make it a line that stands alone.
pub(super) const WHOLE: u16 = 1 << 11;
/// Where a line begins, this may begin something new there; so may letters, and U+4000 to U+9FFF, which are not in the class.
pub(super) const ANEW: u16 = 1 << 12;
/// Where a sentence would begin, this may say that it does not.
pub(super) const BLOCKING: u16 = 1 << 13;

/// The classes of an ASCII character; of other bytes [`CLOSING`] and [`OUTSIDE`].
#[inline]
pub(super) fn class(byte: u8) -> u16 {
    CLASSES[usize::from(byte)]
}

static CLASSES: [u16; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = class_of(byte as u8);
        byte += 1;
    }
    classes
};

const fn class_of(byte: u8) -> u16 {
    let c = byte as char;
    match byte {
        // The first bytes of all closing marks.
        0xC2 | 0xE2 | 0xE3 | 0xEF => return CLOSING | OUTSIDE | ANEW | BLOCKING,
        // U+4000 to U+9FFF.
        0xE4..=0xE9 => return OUTSIDE,
        0x80.. => return OUTSIDE | ANEW | BLOCKING,
        b'a'..=b'z' => return LOWER | INERT | FLAT,
        b'A'..=b'Z' => return UPPER | INERT | FLAT,
        b'0'..=b'9' => return DIGIT | INERT | NUMBERED | FLAT | ANEW,
        _ => {}
    }
    let white = c.is_whitespace();
    let closing = is_closer(c) || is_emphasis(c) || matches!(c, '"' | '\'' | '[' | '<');
    let outside = white || is_opener(c) || is_emphasis(c);
    let inert = !white && !closing && !matches!(c, '.' | '!' | '?');
    (if white { WHITE } else { 0 })
        | (if outside { OUTSIDE } else { 0 })
        | (if closing { CLOSING } else { 0 })
        | (if inert { INERT } else { 0 })
        | (if matches!(c, '.' | '-' | '/') { JOINT } else { 0 })
        | (if matches!(c, '.' | ')') { NUMBERED } else { 0 })
        | (if !white && !closing { FLAT } else { 0 })
        | (if matches!(c, ',' | '-' | '(' | '&' | '/') { OPEN } else { 0 })
        | (if matches!(c, '>' | '|' | '+' | '-' | '=' | '#' | '`' | '~' | '\n' | '\r') { WHOLE } else { 0 })
        | (if matches!(c, '>' | '#' | '|' | '-' | '*' | '+' | '`' | '~' | '(' | '\n' | '\r') { ANEW } else { 0 })
        | (if is_closer(c) || is_emphasis(c) || is_trailing(c) || matches!(c, '<' | '"' | '\'') { BLOCKING } else { 0 })
}

/// Whether no white space begins with `byte`; not all that do not are here.
#[inline]
pub(super) fn is_visible(byte: u8) -> bool {
    matches!(byte, b'!'..=b'~' | 0xE4..)
}

/// A character that stands in Chinese, Japanese or Korean words, without their punctuation.
pub(super) const fn is_cjk(c: char) -> bool {
    matches!(c,
        '\u{2E80}'..='\u{2FDF}' | '\u{3005}'..='\u{3007}' | '\u{3021}'..='\u{3029}' | '\u{3031}'..='\u{3035}'
        | '\u{3041}'..='\u{3096}' | '\u{309D}'..='\u{30FA}' | '\u{30FC}'..='\u{312F}' | '\u{3131}'..='\u{318E}'
        | '\u{31A0}'..='\u{31FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{A960}'..='\u{A97C}'
        | '\u{AC00}'..='\u{D7FB}' | '\u{F900}'..='\u{FAFF}' | '\u{FF10}'..='\u{FF19}' | '\u{FF21}'..='\u{FF3A}'
        | '\u{FF41}'..='\u{FF5A}' | '\u{FF66}'..='\u{FF9F}' | '\u{20000}'..='\u{3FFFD}')
}

/// An opening mark of Chinese or Japanese text; the curly quotes are used there too.
pub(super) const fn is_cjk_opener(c: char) -> bool {
    matches!(c, '“' | '‘' | '「' | '『' | '（' | '《' | '〈' | '【' | '〔' | '［')
}

/// Hiragana.
pub(super) const fn is_hiragana(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{3096}' | '\u{309D}'..='\u{309F}')
}

/// An opening bracket or quotation mark, or one that may be either.
pub(super) const fn is_opener(c: char) -> bool {
    is_cjk_opener(c) || matches!(c, '(' | '[' | '{' | '<' | '"' | '\'' | '«' | '„' | '‚' | '¿' | '¡')
}

/// A mark that can only close.
pub(super) const fn is_closer(c: char) -> bool {
    matches!(
        c,
        ')' | ']'
            | '}'
            | '）'
            | '］'
            | '】'
            | '〕'
            | '》'
            | '〉'
            | '」'
            | '』'
            | '”'
            | '’'
            | '»'
            | '›'
            | '｝'
            | '〗'
    )
}

/// A mark of emphasis in Markdown.
pub(super) const fn is_emphasis(c: char) -> bool {
    matches!(c, '*' | '_' | '~')
}

/// Punctuation that goes on with, or ends, what stands before it.
pub(super) const fn is_trailing(c: char) -> bool {
    matches!(
        c,
        '，' | '、'
            | '。'
            | '：'
            | '；'
            | '！'
            | '？'
            | '｡'
            | '､'
            | '．'
            | '…'
            | ','
            | ';'
            | ':'
            | '.'
            | '!'
            | '?'
            | '·'
            | '・'
    )
}

/// A sign that begins an item of a list.
pub(super) const fn is_bullet(c: char) -> bool {
    matches!(c, '•' | '‣' | '⁃' | '◦' | '▪' | '■' | '□' | '●' | '○' | '◆' | '◇')
}

/// A character that belongs to the one before it: combining marks, joiners, variation selectors, skin tones.
pub(super) const fn is_mark(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36F}' | '\u{1AB0}'..='\u{1AFF}' | '\u{1DC0}'..='\u{1DFF}' | '\u{200D}' | '\u{20D0}'..='\u{20FF}'
        | '\u{3099}' | '\u{309A}' | '\u{FE00}'..='\u{FE0F}' | '\u{FE20}'..='\u{FE2F}' | '\u{FF9E}' | '\u{FF9F}'
        | '\u{1F3FB}'..='\u{1F3FF}' | '\u{E0100}'..='\u{E01EF}')
}

/// A particle that no Japanese line ends a sentence with.
pub(super) const fn is_particle(c: char) -> bool {
    matches!(c, 'の' | 'を' | 'に' | 'は' | 'が' | 'と' | 'へ' | 'も' | 'で' | 'や')
}

/// What may follow a Japanese verb form in the same sentence.
pub(super) const fn is_final_particle(c: char) -> bool {
    matches!(c, 'が' | 'ね' | 'よ' | 'か' | 'の' | 'け' | 'し' | 'と')
}

/// A Chinese numeral.
pub(super) const fn is_numeral(c: char) -> bool {
    matches!(c, '一' | '二' | '三' | '四' | '五' | '六' | '七' | '八' | '九' | '十' | '百')
}

/// A mark that ends a sentence or announces what comes, at the end of a paragraph of running text.
pub(super) const fn is_final(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…' | '。' | '！' | '？' | '｡' | '．' | ':' | '：' | ';' | '；')
}

/// A character that may stand between the beginning of a sentence and its first word.
pub(super) const fn is_lead(c: char) -> bool {
    c.is_whitespace()
        || c == '\u{FEFF}'
        || is_opener(c)
        || is_bullet(c)
        || is_emphasis(c)
        || matches!(c, '#' | '>' | '-' | '+' | '|')
}
