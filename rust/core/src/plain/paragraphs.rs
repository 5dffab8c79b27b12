//! Where paragraphs of plain text end. `docs/strategies.md`, section 2.2.

use memchr::memchr2;

use crate::span::Span;

/// Appends the places at which the paragraphs of `span` are cut: behind each longest run of white space that holds two
/// line ends or more. The end of the span is none.
pub fn paragraph_ends(text: &str, span: Span, places: &mut Vec<u32>) {
    let (text, base) = (&text[span.range()], span.start);
    let mut at = 0;
    while let Some(found) = memchr2(b'\n', b'\r', &text.as_bytes()[at..]) {
        let (next, lines) = white(text, at + found);
        if lines > 1 && next < text.len() {
            places.push(base + next as u32);
        }
        at = next;
    }
}

/// The end of the white space at `at`, and the number of line ends in it.
#[inline]
fn white(text: &str, mut at: usize) -> (usize, usize) {
    let bytes = text.as_bytes();
    let mut lines = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\n' if at > 0 && bytes[at - 1] == b'\r' => {}
            b'\n' | b'\r' => lines += 1,
            b' ' | b'\t'..=b'\x0c' => {}
            _ if byte.is_ascii() => break,
            _ => match text[at..].chars().next() {
                Some(c) if c.is_whitespace() => at += c.len_utf8() - 1,
                _ => break,
            },
        }
        at += 1;
    }
    (at, lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `|` stands where a paragraph is cut.
    fn cut(text: &str) -> String {
        let mut places = Vec::new();
        paragraph_ends(text, Span::new(0, text.len()), &mut places);
        let mut start = 0;
        let mut told = String::new();
        for place in places {
            told += &text[start..place as usize];
            told.push('|');
            start = place as usize;
        }
        told + &text[start..]
    }

    #[test]
    fn behind_two_line_ends_and_more() {
        for case in [
            "",
            "a",
            "a\nb",
            "a\n\n|b",
            "a\n\n\n\n|b\n\n|c",
            "a\r\nb\r\n\r\n|c\r\n \t\r\n  |d",
            "a\rb\r\r|c\n\r|d\r\n\r|e\r\n\n|f",
            "a \n \u{3000}\n\u{3000}\u{3000}|水\n\u{a0}\u{2003}\n|水。\n水",
            "a\n\x0c\x0b\n|b\x0c\x0cc",
            "a\n \u{200b}\n b\u{85}\u{2028}\u{2029}c",
            "\n\n|a\n\n",
            "\n\n",
            "a\n \n ",
        ] {
            assert_eq!(cut(&case.replace('|', "")), case, "{case:?}");
        }
    }

    #[test]
    fn nothing_outside_the_span_counts() {
        let text = "水\n\na\n\nb\r\n\r\nc";
        let mut places = vec![7];
        // From the second line end to the carriage return.
        paragraph_ends(text, Span::new(4, 10), &mut places);
        assert_eq!(places, [7, 8]);
        places.clear();
        // A line feed whose carriage return is outside is a line end.
        paragraph_ends(text, Span::new(10, text.len()), &mut places);
        assert_eq!(places, [13]);
    }
}
