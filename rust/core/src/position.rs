//! Bytes -> code points and lines.

use memchr::memchr;

/// Bytes between two marks: a query counts at most so many.
const STRIDE: usize = 4096;

/// Cumulative counts of code points and line ends at every [`STRIDE`] bytes of a text, made by one scan.
#[derive(Clone, Debug)]
pub struct Positions {
    ascii: bool,
    carriage_returns: bool,
    marks: Vec<(u32, u32)>,
}

impl Positions {
    /// Scans a text once.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut positions = Self {
            ascii: text.is_ascii(),
            carriage_returns: memchr(b'\r', bytes).is_some(),
            marks: Vec::with_capacity(bytes.len() / STRIDE + 1),
        };
        let (mut chars, mut lines) = (0, 0);
        for from in (0..bytes.len()).step_by(STRIDE) {
            positions.marks.push((chars, lines));
            let to = (from + STRIDE).min(bytes.len());
            chars += positions.chars(&bytes[from..to]);
            lines += positions.line_ends(bytes, from, to);
        }
        positions.marks.push((chars, lines));
        positions
    }

    /// The number of code points in front of a byte position on a character boundary.
    #[must_use]
    pub fn char_at(&self, text: &str, byte: usize) -> usize {
        if self.ascii {
            return byte;
        }
        let mark = byte / STRIDE;
        let from = mark * STRIDE;
        self.marks[mark.min(self.marks.len() - 1)].0 as usize + self.chars(&text.as_bytes()[from..byte]) as usize
    }

    /// The line that a byte position is on, from 1.
    #[must_use]
    pub fn line_at(&self, text: &str, byte: usize) -> usize {
        let mark = byte / STRIDE;
        let lines = self.marks[mark.min(self.marks.len() - 1)].1;
        1 + lines as usize + self.line_ends(text.as_bytes(), mark * STRIDE, byte) as usize
    }

    fn chars(&self, bytes: &[u8]) -> u32 {
        if self.ascii { bytes.len() as u32 } else { count(bytes, |b| b.cast_signed() >= -0x40) }
    }

    /// Line ends that begin in `from..to`: line feeds, and carriage returns without a line feed behind them.
    fn line_ends(&self, bytes: &[u8], from: usize, to: usize) -> u32 {
        let feeds = count(&bytes[from..to], |b| b == b'\n');
        if !self.carriage_returns {
            return feeds;
        }
        let lone = |at: &usize| bytes[*at] == b'\r' && bytes.get(at + 1) != Some(&b'\n');
        feeds + (from..to).filter(lone).count() as u32
    }
}

/// How many bytes a test holds for, in runs that the compiler can count with vectors.
fn count(bytes: &[u8], test: impl Fn(u8) -> bool) -> u32 {
    bytes.chunks(128).map(|run| u32::from(run.iter().map(|b| u8::from(test(*b))).sum::<u8>())).sum()
}

#[cfg(test)]
mod tests {
    use super::Positions;

    #[test]
    fn agrees_with_counting() {
        let mixed = "a\r\né漢\u{1f680}\r\rb\n".repeat(2000);
        let plain = "line one\nline two\n\n".repeat(1000);
        for text in [mixed.as_str(), plain.as_str(), "", "x", "\r\n"] {
            let positions = Positions::of(text);
            let (mut chars, mut line, mut before) = (0, 1, '\0');
            for (at, c) in text.char_indices() {
                if before == '\n' || (before == '\r' && c != '\n') {
                    line += 1;
                }
                assert_eq!(positions.char_at(text, at), chars);
                if !(before == '\r' && c == '\n') {
                    assert_eq!(positions.line_at(text, at), line, "{at}");
                }
                before = c;
                chars += 1;
            }
            assert_eq!(positions.char_at(text, text.len()), chars);
        }
    }
}
