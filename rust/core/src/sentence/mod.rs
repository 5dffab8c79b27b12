//! Stand-in.
/// Line ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineEnds {
    /// Break.
    Break,
    /// Soft.
    Soft,
}
/// Ends.
pub fn ends(text: &str, _lines: LineEnds, ends: &mut Vec<u32>) {
    let mut prev = ' ';
    let mut pending = false;
    for (i, c) in text.char_indices() {
        if pending && !(c.is_whitespace() && c != '\n') || prev == '\n' && c != '\n' {
            if i > 0 && ends.last() != Some(&(i as u32)) { ends.push(i as u32); }
            pending = false;
        }
        if matches!(c, '。' | '！' | '？' | '；') || c.is_whitespace() && matches!(prev, '.' | '!' | '?') { pending = true; }
        prev = c;
    }
    if !text.is_empty() && ends.last() != Some(&(text.len() as u32)) { ends.push(text.len() as u32); }
}
