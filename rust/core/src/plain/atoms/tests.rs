//! Rules one by one, the rules as the page has them on random texts, and time.
#![allow(clippy::many_single_char_names, reason = "characters and places of them")]

use std::time::{Duration, Instant};

use super::*;

fn found(text: &str) -> Vec<&str> {
    let mut atoms = Vec::new();
    super::atoms(text, Span::new(0, text.len()), &mut atoms);
    atoms.iter().map(|atom| &text[atom.range()]).collect()
}

/// Each text with the atoms in it.
fn all(cases: &[(&str, &[&str])]) {
    for (text, atoms) in cases {
        assert_eq!(found(text), *atoms, "{text:?}");
    }
}

#[test]
fn code_spans() {
    all(&[
        ("a `b` c ``d ` e`` f", &["`b`", "``d ` e``"]),
        ("``` a ``` `b", &[]),
        ("`a``b```c`", &["`a``b```c`"]),
        ("``a`b``", &["``a`b``"]),
        ("``a`b`c", &["`b`"]),
        ("`a\nb` c`\rd", &["` c`"]),
        ("`[a](b)` [`]`](c)", &["`[a](b)`", "`]`"]),
        ("[`a`](b) `水`", &["[`a`](b)", "`水`"]),
    ]);
}

#[test]
fn links() {
    all(&[
        ("a [b](c) ![d](e)![f](g).", &["[b](c)", "![d](e)", "![f](g)"]),
        ("[](), [ a [b] ](c) [[a [b]](c)](d)", &["[]()", "[ a [b] ](c)", "[a [b]](c)"]),
        ("[![a](b)](c) [a] (b) [a]: b [a][b]", &["[![a](b)](c)"]),
        ("[a](b(c)d) [a](b(c(d))) [a](b(c) [a](b)c)", &["[a](b(c)d)", "[a](b)"]),
        ("[a](b \"c ) d\") [a](\u{3000}'水') [a](b\t\"c')", &["[a](b \"c ) d\")", "[a](\u{3000}'水')"]),
        ("[a](b c) [a]( b) [a](b ) [a](b \"c\" ) [a](b (c)) [a](b(c \"d\"))", &[]),
        ("[a\n](b) [a](b\n) [a](b\n\"c\") [a](b \"c\n\")", &[]),
        ("[水](水。水\u{e9}\u{2014}) [a](\u{3000}) [a](b\u{a0}c)", &["[水](水。水\u{e9}\u{2014})"]),
        ("![a] ![a](b", &[]),
    ]);
}

#[test]
fn addresses() {
    all(&[
        ("<http://a> <a@b> <a b:c> <1:> <a> <a:<b:c>", &["<http://a>", "<a@b>", "<b:c>"]),
        ("<水:a> <a:水> <a:\u{3000}> <a:\nb>", &["<a:水>"]),
        ("see http://a.b/c?d=e#f, or https://g. (ftp://h/(i))", &["http://a.b/c?d=e#f", "https://g", "ftp://h/(i)"]),
        ("www.a.b/c_(d)_). http://a))), http://). www.... http:// HTTP://a", &["www.a.b/c_(d)", "http://a"]),
        (
            "xhttp://a 9www.a _www.a 水http://a水 http://\u{e9}\u{2014}，",
            &["www.a", "http://a", "http://\u{e9}\u{2014}"],
        ),
        ("http://a\"b http://a<b http://a`b www.a*_~'?!", &["http://a", "http://a", "http://a", "www.a"]),
        ("http://www.a www.http://a", &["http://www.a", "www.http://a"]),
        ("a@b.c, (d.e+f@g-h.i.-.). @a.b a@b a@.b@c.d", &["a@b.c", "d.e+f@g-h.i", "a@.b"]),
        ("水a@b.c水 a@b.http://c a@http://d", &["a@b.c", "a@b.http", "http://d"]),
        ("`a`b@c.d a@b.c@d.e", &["`a`", "b@c.d", "a@b.c"]),
    ]);
}

#[test]
fn formulas() {
    all(&[
        ("$a$ $$b$$ $a b$ $ a$ $a $ $5 and $6", &["$a$", "$$b$$", "$a b$"]),
        ("$a$5 $a\\$ $a`b$ c$", &[]),
        ("$$$a$$ $$a$ $a$$", &["$$a$$", "$a$", "$a$"]),
        ("$a\nb$ $水$ $\\水\\\\水$", &["$水$", "$\\水\\\\水$"]),
        ("$\u{3000}a$ $$ a$$ $$a\u{a0}$$", &[]),
    ]);
}

#[test]
fn limits() {
    for (open, close) in
        [("`", "`"), ("[", "](a)"), ("[a](", ")"), ("[a](b '", "')"), ("<a:", ">"), ("$", "$"), ("http://", "a")]
    {
        let middle = "a".repeat(MOST_BYTES - open.len() - close.len());
        let whole = format!("{open}{middle}{close}");
        assert_eq!(found(&whole), [whole.as_str()]);
        assert_eq!(found(&format!("{open}a{middle}{close}")), [""; 0]);
    }
    let whole = format!("{}@{}.b", "a".repeat(1000), "b".repeat(21));
    assert_eq!(found(&whole), [whole.as_str()]);
    assert_eq!(found(&format!("a{whole}")), [""; 0]);
    let link = format!("[{}](b)", "a".repeat(MOST_BYTES - 5));
    assert_eq!(found(&link), [link.as_str()]);
    assert_eq!(found(&format!("!{link}")), [""; 0]);
    // A run at the limit is one of its whole length.
    let code = format!("`{}`", "a".repeat(MOST_BYTES - 2));
    assert_eq!(found(&format!("{code}` `a`")), ["`a`"]);
    // The characters of a URL count before it is trimmed; one that begins within may be short enough.
    let url = format!("http://{}/www.a.{}", "a".repeat(1000), ".".repeat(11));
    assert_eq!(found(&url), ["www.a"]);
}

#[test]
fn nothing_outside_the_span_counts() {
    let text = "水!xhttp://a.b@c.d`e``$f$7";
    let mut atoms = vec![Span::new(1, 2)];
    for (start, end) in [(5, 13), (14, 19), (19, 22), (23, 26)] {
        super::atoms(text, Span::new(start, end), &mut atoms);
    }
    assert_eq!(atoms[1..].iter().map(|a| &text[a.range()]).collect::<Vec<_>>(), ["http://a", "b@c.d", "`e`", "$f$"]);
}

/// The rules as `docs/strategies.md` has them, place by place.
mod page {
    use super::super::{MOST_BYTES, is_cjk};

    fn text(c: &[char]) -> String {
        c.iter().collect()
    }

    fn run(c: &[char], holds: impl Fn(char) -> bool) -> usize {
        c.iter().take_while(|&&x| holds(x)).count()
    }

    fn white(c: char) -> bool {
        c.is_whitespace()
    }

    fn code(c: &[char], i: usize) -> Option<(usize, usize)> {
        let n = run(&c[i..], |x| x == '`');
        let mut j = i + n;
        while n <= 2 && j < c.len() {
            let m = run(&c[j..], |x| x == '`');
            if m == n {
                return Some((i, j + m));
            }
            j += m.max(1);
        }
        None
    }

    /// Behind characters that are not in `marks` or white (if that counts) and parts between the marks.
    fn nested(c: &[char], mut i: usize, marks: [char; 2], blanks: bool) -> usize {
        let plain = |x: char| !marks.contains(&x) && (blanks || !white(x));
        loop {
            i += run(&c[i..], plain);
            if c.get(i) != Some(&marks[0]) {
                return i;
            }
            let j = i + 1 + run(&c[i + 1..], plain);
            if c.get(j) != Some(&marks[1]) {
                return c.len();
            }
            i = j + 1;
        }
    }

    fn link(c: &[char], i: usize) -> Option<(usize, usize)> {
        let j = nested(c, i + 1, ['[', ']'], true);
        if c.get(j) != Some(&']') || c.get(j + 1) != Some(&'(') {
            return None;
        }
        let mut j = nested(c, j + 2, ['(', ')'], false);
        let blanks = run(c.get(j..)?, white);
        if blanks > 0 {
            let quote = *c.get(j + blanks).filter(|x| matches!(x, '"' | '\''))?;
            j += blanks + 1;
            j += run(&c[j..], |x| x != quote) + 1;
        }
        (c.get(j) == Some(&')')).then_some((i - usize::from(i > 0 && c[i - 1] == '!'), j + 1))
    }

    fn autolink(c: &[char], i: usize) -> Option<(usize, usize)> {
        let n = run(&c[i + 1..], |x| !white(x) && x != '<' && x != '>');
        let inner = &c[i + 1..i + 1 + n];
        let fits = inner.first()?.is_ascii_alphabetic() && inner.iter().any(|x| matches!(x, ':' | '@'));
        (fits && c.get(i + 1 + n) == Some(&'>')).then_some((i, i + n + 2))
    }

    fn url(c: &[char], i: usize) -> Option<(usize, usize)> {
        let rest = text(&c[i..c.len().min(i + 8)]);
        let word = ["http://", "https://", "ftp://", "www."].into_iter().find(|word| rest.starts_with(word))?;
        if i > 0 && c[i - 1].is_ascii_alphanumeric() {
            return None;
        }
        let n = run(&c[i..], |x| !white(x) && !"<>\"`".contains(x) && !is_cjk(x));
        let mut url = &c[i..i + n];
        if text(url).len() > MOST_BYTES {
            return None;
        }
        let count = |url: &[char], mark| url.iter().filter(|&&x| x == mark).count();
        while let Some(&last) = url.last() {
            if !(".,;:!?'*_~".contains(last) || (last == ')' && count(url, ')') > count(url, '('))) {
                break;
            }
            url = &url[..url.len() - 1];
        }
        (url.len() > word.len()).then_some((i, i + url.len()))
    }

    fn address(c: &[char], i: usize, last: usize) -> Option<(usize, usize)> {
        let local = |x: char| x.is_ascii_alphanumeric() || ".!#$%&'*+-/=?^_{|}~".contains(x);
        let front = c[last..i].iter().rev().take_while(|&&x| local(x)).count();
        let mut host = run(&c[i + 1..], |x| x.is_ascii_alphanumeric() || x == '.' || x == '-');
        while host > 0 && matches!(c[i + host], '.' | '-') {
            host -= 1;
        }
        (front > 0 && c[i + 1..=i + host].contains(&'.')).then_some((i - front, i + 1 + host))
    }

    fn formula(c: &[char], i: usize) -> Option<(usize, usize)> {
        let n = run(&c[i..], |x| x == '$').min(2);
        let first = *c.get(i + n)?;
        let j = i + n + run(&c[i + n..], |x| x != '$' && x != '`');
        let fits = first != '$' && !white(first) && !white(c[j - 1]) && c[j - 1] != '\\';
        let closed = run(&c[j..], |x| x == '$') >= n;
        (fits && closed && !c.get(j + n).is_some_and(char::is_ascii_digit)).then_some((i, j + n))
    }

    pub(super) fn atoms(whole: &str) -> Vec<String> {
        let c: Vec<char> = whole.chars().collect();
        let (mut found, mut i, mut last) = (Vec::new(), 0, 0);
        while i < c.len() {
            let atom = match c[i] {
                '`' => code(&c, i),
                '[' => link(&c, i),
                '<' => autolink(&c, i),
                '@' => address(&c, i, last),
                '$' => formula(&c, i),
                _ => url(&c, i),
            };
            let fits = |atom: &String| atom.len() <= MOST_BYTES && !atom.contains(['\n', '\r']);
            let behind = i + run(&c[i..], |x| x == '`').max(1);
            (last, i) = match atom.filter(|&(start, end)| fits(&text(&c[start..end]))) {
                Some((start, end)) => {
                    found.push(text(&c[start..end]));
                    (end, end)
                }
                None => (last, behind),
            };
        }
        found
    }
}

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 32) as usize % limit
    }
}

const UNITS: &[&str] = &[
    "`", "``", "```", "[", "]", "](", "(", ")", "!", "![", "[a](", "<", ">", "<a:", "@", "a@b.c", "$", "$$", "$a",
    "a$", "7", "http://", "https://", "ftp://", "www.", "://", "w", "http", ".", "-", "_", ":", "\\", "\"", "'", " \"",
    "\")", "')", " '", " ", "\t", "\n", "\r\n", "\r", "\u{3000}", "\u{a0}", "\u{2003}", "水", "。", "é", "—",
    "\u{feff}", "a", "b", "Z",
];

#[test]
fn random_texts_have_the_atoms_of_the_page() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut seen = 0;
    for round in 0..if cfg!(debug_assertions) { 20_000 } else { 200_000 } {
        let mut text = String::new();
        for _ in 0..random.below(24) {
            text += UNITS[random.below(UNITS.len())];
            // Now and then a stretch about as long as an atom may be.
            if round % 8 == 0 && random.below(8) == 0 {
                text += &"a".repeat([500, 1000, 1010, 1020][random.below(4)] + random.below(10));
            }
        }
        let page = page::atoms(&text);
        assert_eq!(found(&text), page, "{text:?}");
        seen += page.len();
    }
    assert!(seen > 10_000, "{seen}");
}

/// What is repeated in texts on which a search that begins anew at each place would take very long.
const UNITS_OF_HOSTILE: &str = concat!(
    "[|(|`|$|@|<|!|]|![|[](|[a](b|[a](b \"|[a](b 'c\" |[a](b[|[a](((|[[a]|[a](b\u{3000}|",
    "`a``b```c|``a |`a ``b``|$a |$$a |$a\\|<a|<a:|<a@b|a@|a@a|a.b@|@.|@a.b|a.a.a.a.|",
    "www.|www.www.|www.(|www.)|http://|http://a |http|://|://a|w|\u{e9}|水",
);

const SIZE: usize = if cfg!(debug_assertions) { 1 << 18 } else { 1 << 20 };
/// It takes a tenth of this; a search over 1024 bytes at each place would take more.
const LIMIT: Duration = Duration::from_millis(if cfg!(debug_assertions) { 2000 } else { 100 });

fn hostile() -> impl Iterator<Item = String> {
    let long = |open: &str, unit: &str| format!("{open}{}", unit.repeat(SIZE / unit.len()));
    let opened = ["[a](", "`", "$", "<a:", "http://", "www.", "[a](b \"", "[a](b "].into_iter().flat_map(move |open| {
        [" ", ".", ")", "`", "``", "[", "http://", "a@"].into_iter().map(move |unit| long(open, unit))
    });
    UNITS_OF_HOSTILE.split('|').map(move |unit| long("", unit)).chain(opened)
}

#[test]
fn hostile_texts_take_linear_time() {
    for text in hostile() {
        let time = (0..3).map(|_| {
            let start = Instant::now();
            super::atoms(&text, Span::new(0, text.len()), &mut Vec::new());
            start.elapsed()
        });
        let best = time.min().unwrap();
        assert!(best < LIMIT, "{:?}: {best:?}", text.chars().take(20).collect::<String>());
    }
}
