//! Pieces beyond ASCII and their characters.

use super::{CL100K, Engine, O200K, engine, merge, random, rounds, text};
use crate::simd::characters::{Before, GROUPS, Joints, Letters, NUMBER_BITS, SIXTEEN, Sixteen};
use crate::simd::{BLOCK, Isa, Level, Work};
use crate::tokens::wide::LONGEST;

struct Characters<'a>(&'a [u8; BLOCK], u64);

impl Work for Characters<'_> {
    type Output = (Vec<u32>, Vec<u32>);

    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let (mut codes, mut places) = ([0; BLOCK], [0; BLOCK]);
        isa.characters(self.0, self.1, 7, &mut codes, &mut places);
        let len = self.1.count_ones() as usize;
        (codes[..len].to_vec(), places[..len].to_vec())
    }
}

#[test]
fn instruction_sets_agree_on_characters() {
    let mut state = 7;
    for _ in 0..rounds(20_000) {
        let text = text(&mut state, 70);
        let Some(block) = text.as_bytes().first_chunk() else { continue };
        let some = random(&mut state);
        let whole = text.char_indices().filter(|(at, c)| at + c.len_utf8() <= BLOCK);
        let wanted: Vec<(usize, char)> = whole.filter(|(at, _)| some >> (at % 31) & 1 == 1).collect();
        let firsts = wanted.iter().fold(0, |bits, (at, _)| bits | 1 << at);
        let expected = wanted.iter().map(|(at, c)| (u32::from(*c), *at as u32 + 7)).unzip();
        for level in Level::all() {
            assert_eq!(level.dispatch(Characters(block, firsts)), expected, "{text:?}");
        }
    }
}

struct Neighbours<'a>(Letters<'a>, Before);

impl Work for Neighbours<'_> {
    type Output = Joints;

    fn run<I: Isa>(self, isa: I) -> Joints {
        isa.joints(self.0, self.1)
    }
}

#[test]
fn instruction_sets_agree_on_joints() {
    let mut state = 8;
    let mut seen = [0; 2];
    for _ in 0..rounds(20_000) {
        let mut sixteen = |mask: usize| -> Sixteen<u32> { std::array::from_fn(|_| (random(&mut state) & mask) as u32) };
        let (codes, pairs) = (sixteen(0x1FF), sixteen(3));
        let (some, others, more) = (sixteen(usize::MAX), sixteen(usize::MAX), sixteen(usize::MAX));
        let entries = std::array::from_fn(|i| some[i] << 1 & others[i] & more[i]);
        let before = Before { code: codes[3] ^ 1, entry: entries[5] };
        let mut expected = Joints::default();
        for i in 0..SIXTEEN {
            let front = if i == 0 { before } else { Before { code: codes[i - 1], entry: entries[i - 1] } };
            let group = |group: u32| {
                front.entry >> (NUMBER_BITS + group) & 1 == 1 && entries[i] >> (NUMBER_BITS + GROUPS + group) & 1 == 1
            };
            let joined = (0..GROUPS).any(group) || pairs[i] & 1 == 1;
            let cut = !joined && codes[i].max(front.code) >= 0x80;
            expected.cuts |= u16::from(cut) << i;
            expected.low |= u16::from(entries[i] & 1 == 1) << i;
            expected.high |= u16::from(entries[i] & 2 == 2) << i;
            seen[usize::from(cut)] += 1;
        }
        let letters = Letters { codes: &codes, entries: &entries, pairs: &pairs };
        for level in Level::all() {
            assert_eq!(level.dispatch(Neighbours(letters, before)), expected);
        }
    }
    assert!(seen.iter().all(|seen| *seen > 0));
}

/// The letters of some script, so many bytes of them and perhaps one more.
fn letters(state: &mut u64, len: usize) -> String {
    const SCRIPTS: [&[&str]; 5] = [
        &["的", "一", "是", "在", "龘", "國", "中国", "我们", "人"],
        &["漢", "a", "the", "é", "字", "ing"],
        &["ж", "то", "ст", "Ё", "ab"],
        &["한", "국", "ア", "の", "ん"],
        &["𠀀", "𝔸", "中", "z"],
    ];
    let script = SCRIPTS[random(state) % SCRIPTS.len()];
    let mut letters = String::new();
    while letters.len() < len {
        letters.push_str(script[random(state) % script.len()]);
    }
    letters
}

/// Whether the sum of its parts is what merging the piece gives.
fn check(engine: &Engine, piece: &str, behind: &str) {
    let whole = merge::count(&engine.vocabulary, piece.as_bytes(), &mut Vec::new());
    let rest = merge::count(&engine.vocabulary, behind.as_bytes(), &mut Vec::new());
    assert_eq!(engine.count(format!("{piece}{behind}").as_bytes()), whole + rest, "{} {piece:?}", piece.len());
}

#[test]
fn a_piece_is_the_sum_of_its_parts() {
    let mut state = 9;
    for mut engine in [&CL100K, &O200K].map(engine) {
        for level in Level::all() {
            engine.level = level;
            let lens = [16, 62, 63, 64, 65, 127, 500, LONGEST - 1, LONGEST, LONGEST + 1, LONGEST + 70, 3 * LONGEST];
            for len in lens.into_iter().filter(|len| !cfg!(miri) || *len < 100) {
                for _ in 0..rounds(3) {
                    let piece = letters(&mut state, len);
                    if engine.pattern.piece_end(format!("{piece}!").as_bytes(), 0) == piece.len() {
                        check(&engine, &piece, "");
                        check(&engine, &piece, &"!".repeat(2 * BLOCK + 40));
                    }
                }
            }
        }
    }
}

/// As many pieces as fill the list, and more, of which some come twice.
#[test]
fn many_pieces_are_counted_together() {
    let mut state = 10;
    for mut engine in [&CL100K, &O200K].map(engine) {
        for _ in 0..rounds(5) {
            let words: Vec<String> = (0..rounds(300))
                .map(|_| {
                    let len = 4 + random(&mut state) % if random(&mut state).is_multiple_of(9) { 900 } else { 40 };
                    letters(&mut state, len)
                })
                .collect();
            let chosen = (0..2 * words.len()).map(|_| &words[random(&mut state) % words.len()]);
            let text: String = chosen.flat_map(|word| [word, "\n"]).collect();
            let (mut at, mut expected) = (0, 0);
            while at < text.len() {
                let end = engine.pattern.piece_end(text.as_bytes(), at);
                expected += merge::count(&engine.vocabulary, &text.as_bytes()[at..end], &mut Vec::new());
                at = end;
            }
            for level in Level::all() {
                engine.level = level;
                assert_eq!(engine.count(text.as_bytes()), expected, "{:?}", engine.pattern);
            }
        }
    }
}
