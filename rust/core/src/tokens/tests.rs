//! Tests of what is not seen from outside. Counts are compared with the oracle in `tests/tokens.rs`.
#![allow(clippy::unwrap_used, clippy::panic)]

mod wide;

use super::classes;
use super::engine::Engine;
use super::lexer::Pattern;
use super::marks::Marks;
use super::merge;
use super::{CL100K, O200K};
use crate::simd::characters::decode;
use crate::simd::entries::{self, Entries};
use crate::simd::words::{self, EIGHT, Eight, Keys, Known};
use crate::simd::{BLOCK, Isa, Level, Masks, Portable, Wide, Work};

const WORDS: [&str; 40] = [
    "a", "the", "don", "'s", "'T", "'re", "'LL", "'ſ", "'", "ABC", "aB", "é", "Ё", "ж", "漢", "中国", "䷀", "。", "ʰ",
    "ǅ", "\u{301}", "🙂", "1", "12345", "½", "٣", " ", "  ", "\t", "\n", "\r\n", "\u{85}", "\u{a0}", "\u{3000}", "!",
    "--", "/", "\0", "𝟘", "한",
];

/// An interpreter (`make miri`) has time for so many only.
fn rounds(all: u64) -> u64 {
    if cfg!(miri) { all.div_ceil(3000) } else { all }
}

/// The tables of an encoding; an interpreter has time for the first tokens only.
fn engine(family: &super::Family) -> Engine {
    Engine::new(family.pattern, family.blob, if cfg!(miri) { 600 } else { family.limit })
}

fn random(state: &mut u64) -> usize {
    *state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
    (*state >> 33) as usize
}

fn text(state: &mut u64, words: usize) -> String {
    (0..words)
        .map(|_| WORDS[random(state) % WORDS.len()].repeat(if random(state).is_multiple_of(20) { 30 } else { 1 }))
        .collect()
}

#[test]
fn classes_are_those_of_the_regular_expressions() {
    let expected = [
        (r"[\p{Lu}\p{Lt}]", classes::UPPER),
        (r"\p{Ll}", classes::LOWER),
        (r"[\p{Lm}\p{Lo}]", classes::UNCASED),
        (r"\p{M}", classes::MARK),
        (r"\p{N}", classes::NUMBER),
        (r"[\s--[\r\n]]", classes::WHITE),
        (r"[\r\n]", classes::BREAK),
        (r"[^\s\p{L}\p{M}\p{N}]", classes::OTHER),
    ];
    let mut seen = 0;
    for (pattern, class) in expected {
        let hir = regex_syntax::parse(pattern).unwrap();
        let code_points: Vec<char> = match hir.into_kind() {
            regex_syntax::hir::HirKind::Class(regex_syntax::hir::Class::Unicode(set)) => {
                set.ranges().iter().flat_map(|range| range.start()..=range.end()).collect()
            }
            regex_syntax::hir::HirKind::Class(regex_syntax::hir::Class::Bytes(set)) => {
                set.ranges().iter().flat_map(|range| char::from(range.start())..=char::from(range.end())).collect()
            }
            other => panic!("{other:?}"),
        };
        for c in code_points {
            assert_eq!(classes::of(u32::from(c)), class, "{c:?}");
            let mut bytes = [0; 4];
            let len = c.encode_utf8(&mut bytes).len();
            assert_eq!(classes::at(&bytes[..len], 0), (class, len), "{c:?}");
            assert_eq!(decode(&bytes[..len], 0), (u32::from(c), len), "{c:?}");
            seen += 1;
        }
    }
    assert_eq!(seen, 0x11_0000 - 0x800);
}

struct Look<'a>(&'a [u8; BLOCK], u64);

impl Work for Look<'_> {
    type Output = (Masks, Wide, Vec<u32>);

    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let mut room = [0; BLOCK];
        isa.spread(self.1, 7, &mut room);
        (isa.masks(self.0), isa.wide(self.0), room[..self.1.count_ones() as usize].to_vec())
    }
}

#[test]
fn instruction_sets_agree() {
    let mut state = 1;
    for round in 0..rounds(20_000) {
        let all = round % 2 == 0;
        let block: [u8; BLOCK] =
            std::array::from_fn(|i| if all { random(&mut state) as u8 } else { (i as u64 + round * 31) as u8 });
        let bits = (random(&mut state) as u64) << 33 ^ random(&mut state) as u64;
        let bits = if round % 3 == 0 { bits } else { bits & random(&mut state) as u64 };
        let expected = Level::Portable.dispatch(Look(&block, bits));
        for level in Level::all() {
            assert_eq!(level.dispatch(Look(&block, bits)), expected);
        }
        let positions: Vec<u32> = (0..64).filter(|bit| bits >> bit & 1 == 1).map(|bit| bit + 7).collect();
        assert_eq!(expected.2, positions);
        assert_eq!(Portable.masks(&block), expected.0);
    }
}

struct LookUp<'a> {
    bytes: &'a Eight<u64>,
    starts: &'a [u32; EIGHT + 1],
    words: &'a Eight<u64>,
    wanted: u8,
}

impl Work for LookUp<'_> {
    type Output = (Keys, Known, Vec<u32>);

    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let [starts, ends] = [0, 1].map(|from| std::array::from_fn(|i| self.starts[from + i]));
        let keys = isa.word_keys(self.bytes, &starts, &ends);
        let mut kept = Eight::default();
        isa.keep(&std::array::from_fn(|i| self.starts[i]), self.wanted, &mut kept);
        let kept = kept[..self.wanted.count_ones() as usize].to_vec();
        (keys, isa.word_counts(self.words, &keys.keys), kept)
    }
}

#[test]
fn instruction_sets_agree_on_words() {
    let mut state = 3;
    let mut seen = 0;
    for _ in 0..rounds(20_000) {
        let bytes: Eight<u64> = std::array::from_fn(|_| (random(&mut state) as u64) << 33 ^ random(&mut state) as u64);
        let mut start = random(&mut state) as u32;
        let starts = std::array::from_fn(|i| {
            start += if i == 0 { 0 } else { (random(&mut state) % 11) as u32 };
            start
        });
        let wanted = random(&mut state) as u8;
        let lens: Eight<usize> = std::array::from_fn(|i| (starts[i + 1] - starts[i]) as usize);
        let keys = std::array::from_fn(|i| {
            let word = (1..=words::TINY).contains(&lens[i]);
            if word { words::key(bytes[i], lens[i] as u64) } else { 0 }
        });
        let words = keys.map(|key| match random(&mut state) % 4 {
            0 => 0,
            1 => key ^ 1 << (4 + random(&mut state) % 60),
            _ => key | (random(&mut state) % 4) as u64,
        });
        let look = || LookUp { bytes: &bytes, starts: &starts, words: &words, wanted };
        let (found, counts, kept) = Level::Portable.dispatch(look());
        assert_eq!((found.keys, found.slots), (keys, keys.map(words::slot)));
        for i in 0..EIGHT {
            let count = if words[i] & !words::COUNT == keys[i] { words[i] & words::COUNT } else { 0 };
            assert_eq!(counts.counts[i], count);
            assert_eq!((counts.some >> i & 1 == 1, counts.one >> i & 1 == 1), (count != 0, count == 1));
            seen += usize::from(count > 1);
        }
        let expected: Vec<u32> = (0..EIGHT).filter(|i| wanted >> i & 1 == 1).map(|i| starts[i]).collect();
        assert_eq!(kept, expected);
        for level in Level::all() {
            assert_eq!(level.dispatch(look()), (found, counts, kept.clone()));
        }
    }
    assert!(seen > 0);
}

struct LookUpEntries<'a> {
    bytes: &'a Entries,
    lens: &'a Eight<u64>,
    entries: &'a Entries,
    wanted: u8,
}

impl Work for LookUpEntries<'_> {
    type Output = (Entries, Eight<u64>, Known, Vec<u64>);

    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let (keys, hashes) = isa.entry_keys(self.bytes, self.lens);
        let mut kept = Eight::default();
        isa.keep_long(&hashes, self.wanted, &mut kept);
        let kept = kept[..self.wanted.count_ones() as usize].to_vec();
        (keys, hashes, isa.entry_counts(self.entries, &keys), kept)
    }
}

#[test]
fn instruction_sets_agree_on_entries() {
    let mut state = 4;
    let mut seen = 0;
    let mut number = || (random(&mut state) as u64) << 33 ^ random(&mut state) as u64;
    for _ in 0..rounds(20_000) {
        let bytes = Entries { low: std::array::from_fn(|_| number()), high: std::array::from_fn(|_| number()) };
        let lens = std::array::from_fn(|_| number() % 19);
        let key = |i: usize| match lens[i] {
            0..=15 => entries::key(bytes.low[i], bytes.high[i], lens[i]),
            _ => [0, 0],
        };
        let changes: Eight<[u64; 2]> = std::array::from_fn(|_| match number() % 4 {
            0 => [1 << (number() % 64), 0],
            1 => [0, 1 << (number() % 56)],
            _ => [0, (number() % 4) << entries::COUNT_SHIFT],
        });
        let found = Entries {
            low: std::array::from_fn(|i| key(i)[0] ^ changes[i][0]),
            high: std::array::from_fn(|i| key(i)[1] ^ changes[i][1]),
        };
        let wanted = number() as u8;
        let look = || LookUpEntries { bytes: &bytes, lens: &lens, entries: &found, wanted };
        let (keys, hashes, known, kept) = Level::Portable.dispatch(look());
        for i in 0..EIGHT {
            assert_eq!(([keys.low[i], keys.high[i]], hashes[i]), (key(i), entries::hash(key(i))));
            let same = changes[i][0] == 0 && changes[i][1] & !(15 << entries::COUNT_SHIFT) == 0;
            let count = if same { changes[i][1] >> entries::COUNT_SHIFT } else { 0 };
            assert_eq!(known.counts[i], count);
            assert_eq!((known.some >> i & 1 == 1, known.one >> i & 1 == 1), (count != 0, count == 1));
            seen += usize::from(count > 1);
        }
        let expected: Vec<u64> = (0..EIGHT).filter(|i| wanted >> i & 1 == 1).map(|i| hashes[i]).collect();
        assert_eq!(kept, expected);
        for level in Level::all() {
            assert_eq!(level.dispatch(look()), (keys, hashes, known, kept.clone()));
        }
    }
    assert!(seen > 0);
}

/// The blocks find the pieces that the lexer finds. White space at the end of a text aside, which they may leave in one piece.
#[test]
fn blocks_and_lexer_agree() {
    let mut state = 2;
    for mut engine in [&CL100K, &O200K].map(engine) {
        for level in Level::all() {
            engine.level = level;
            for round in 0..rounds(3_000) {
                let words = 1 + random(&mut state) % if round % 50 == 49 { 3_000 } else { 90 };
                let mut text = text(&mut state, words);
                text.push('x');
                let mut marks = Marks::new(text.len());
                engine.mark(text.as_bytes(), 0, text.len(), &mut marks);
                marks.finish();
                let mut at = 0;
                while at < text.len() {
                    assert!(marks.is_start(at), "{:?} at {at} of {text:?}", engine.pattern);
                    let end = engine.pattern.piece_end(text.as_bytes(), at);
                    assert_eq!(marks.start_behind(at), end, "{:?} at {at} of {text:?}", engine.pattern);
                    at = end;
                }
                assert_eq!(marks.total(), engine.count(text.as_bytes()));
            }
        }
    }
}

/// That the lexer may cut white space at the end of a text after its last line break, where the pattern of `cl100k_base` does not, and that
/// the blocks may leave it in one piece, where the other patterns do not.
#[test]
fn no_token_goes_on_behind_its_last_line_break() {
    for family in [&CL100K, &O200K] {
        let engine = Engine::new(family.pattern, family.blob, family.limit);
        for token in engine.vocabulary.tokens() {
            let behind =
                token.iter().rposition(|byte| matches!(byte, b'\r' | b'\n')).map_or(&[][..], |at| &token[at + 1..]);
            let white = !behind.is_empty()
                && std::str::from_utf8(behind).is_ok_and(|behind| behind.chars().all(char::is_whitespace));
            assert!(!white, "{token:?}");
            // A white character beyond ASCII may be split between tokens.
            let fragment = matches!(behind, [0xC2 | 0xE1 | 0xE2 | 0xE3, ..]) && std::str::from_utf8(behind).is_err();
            assert!(!fragment, "{token:?}");
        }
    }
}

#[test]
fn pieces_do_not_depend_on_what_follows_unless_the_end_was_seen() {
    let mut state = 3;
    for pattern in [Pattern::R50k, Pattern::Cl100k, Pattern::O200k] {
        for _ in 0..20_000 {
            let (text, more) = (text(&mut state, 12), text(&mut state, 3));
            let both = format!("{text}{more}");
            let (end, saw_end) = pattern.piece(text.as_bytes(), 0);
            if !saw_end {
                assert_eq!(pattern.piece(both.as_bytes(), 0).0, end, "{pattern:?} {both:?}");
            }
        }
    }
}

/// What `encode_first_periodic` relies on.
#[test]
fn periodic_pieces_differ_at_their_ends_only() {
    let mut state = 5;
    let fixed = [
        "a", " ", "-", "=", "*", "#", "_", ".", "/", "\n", "\t", "0", "A", "\0", "\u{3000}", "—", "哈", "🙂", "é",
        "\r\n", "x", "er", "=-", " \n",
    ];
    let random_unit = |state: &mut u64| {
        let letters: Vec<char> = ["ab", "\r\n", "-= ", "etaoin", "\t ", "哈中"][random(state) % 6].chars().collect();
        (0..=random(state) % 5).map(|_| letters[random(state) % letters.len()]).collect::<String>()
    };
    let units: Vec<String> =
        fixed.iter().map(ToString::to_string).chain((0..60).map(|_| random_unit(&mut state))).collect();
    for family in [&CL100K, &O200K, &super::P50K, &super::R50K] {
        let engine = Engine::new(family.pattern, family.blob, family.limit);
        for unit in &units {
            let run = unit.repeat(12_000 / unit.len());
            assert!(merge::period(run.as_bytes()).is_some_and(|period| period <= unit.len()), "{unit:?}");
            let mut whole = Vec::new();
            merge::encode(&engine.vocabulary, run.as_bytes(), &mut whole);
            let mut first = Vec::new();
            for len in (2_400..3_600).step_by(61) {
                merge::encode_first_periodic(&engine.vocabulary, run.as_bytes(), len, &mut first);
                assert!(!first.is_empty() && whole.starts_with(&first), "{unit:?} {len}");
            }
        }
    }
}

/// What `encode_first` finds is what encoding all finds.
#[test]
fn first_tokens_are_those_of_the_whole() {
    let mut state = 4;
    let mut found = 0;
    for family in [&CL100K, &O200K, &super::R50K] {
        let engine = Engine::new(family.pattern, family.blob, family.limit);
        for round in 0..600 {
            let letters =
                &["ab", "abcdefghijklmnopqrstuvwxyz", "aeiou ", "-=", "漢字人的", " \n", "er", "ins"][round % 8];
            let letters: Vec<char> = letters.chars().collect();
            let run: String = (0..1_000)
                .map(|i| letters[if round % 3 == 0 { i % letters.len() } else { random(&mut state) % letters.len() }])
                .collect();
            let (mut whole, mut first) = (Vec::new(), Vec::new());
            merge::encode(&engine.vocabulary, run.as_bytes(), &mut whole);
            for len in [20, 100, 300, 301, 302, 500] {
                merge::encode_first(&engine.vocabulary, run.as_bytes(), len, &mut first);
                assert!(whole.starts_with(&first), "{run:?} {len}");
                found += first.len();
            }
        }
    }
    assert!(found > 100_000, "{found}");
}
