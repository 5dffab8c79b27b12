//! Byte pair encoding of one piece.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::vocabulary::{NONE, Rank, Vocabulary};

/// Up to this many bytes the next merge is found by looking at all pairs.
const SHORT: usize = 256;

/// One token of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Token {
    /// Which.
    pub(super) rank: Rank,
    /// Where it ends in the piece.
    pub(super) end: u32,
}

/// The tokens that merging by rank makes of `piece`, without the short cut for pieces that are one token.
pub(super) fn encode(vocabulary: &Vocabulary, piece: &[u8], tokens: &mut Vec<Token>) {
    tokens.clear();
    if piece.len() > SHORT {
        merge_long(vocabulary, piece, tokens);
        return;
    }
    let mut ranks = [NONE; SHORT + 1];
    let count = merge_short(vocabulary, piece, &mut ranks);
    let mut end = 0;
    tokens.extend(ranks[..count].iter().map(|rank| {
        end += vocabulary.token(*rank).len() as u32;
        Token { rank: *rank, end }
    }));
}

/// The number of those tokens. `tokens` is scratch space.
pub(super) fn count(vocabulary: &Vocabulary, piece: &[u8], tokens: &mut Vec<Token>) -> usize {
    match piece.len() {
        // The common case has less to clear.
        ..=15 => merge_short(vocabulary, piece, &mut [NONE; 16]),
        16..=63 => merge_short(vocabulary, piece, &mut [NONE; 64]),
        64..=SHORT => merge_short(vocabulary, piece, &mut [NONE; SHORT + 1]),
        _ => {
            tokens.clear();
            merge_long(vocabulary, piece, tokens);
            tokens.len()
        }
    }
}

/// Merges all pairs of the lowest rank at once, again and again. That is the right order, as a token has a higher rank than its parts, so that
/// no merge makes a pair of the same rank or a lower one. Leaves the tokens in `ranks` and returns their number.
#[inline(always)]
fn merge_short<const N: usize>(vocabulary: &Vocabulary, piece: &[u8], ranks: &mut [Rank; N]) -> usize {
    // What each token merges into with the next one.
    let mut pairs = [NONE; N];
    let mut len = piece.len().min(N - 1);
    for at in 0..len {
        ranks[at] = vocabulary.single(piece[at]);
    }
    for at in 1..len {
        pairs[at - 1] = vocabulary.merged_bytes(piece[at - 1], piece[at]);
    }
    while len > 1 {
        let lowest = pairs[..len - 1].iter().copied().fold(NONE, Rank::min);
        if lowest == NONE {
            break;
        }
        len = merge_all(vocabulary, ranks, &mut pairs, len, lowest);
    }
    len
}

#[inline(always)]
fn merge_all<const N: usize>(vocabulary: &Vocabulary, ranks: &mut [Rank; N], pairs: &mut [Rank; N], len: usize, lowest: Rank) -> usize {
    let mut kept = pairs[..len].iter().position(|pair| *pair == lowest).unwrap_or(len);
    let mut at = kept;
    // Whether the token kept last is new.
    let mut new = false;
    while at < len {
        let merges = pairs[at] == lowest;
        let pair = if merges { NONE } else { pairs[at] };
        ranks[kept] = if merges { lowest } else { ranks[at] };
        if kept > 0 && (new || merges) {
            pairs[kept - 1] = vocabulary.merged(ranks[kept - 1], ranks[kept]);
        }
        pairs[kept] = pair;
        at += 1 + usize::from(merges);
        kept += 1;
        new = merges;
    }
    pairs[kept - 1] = NONE;
    kept
}

/// After so many sweeps a long piece is not repetitive, and a heap is better.
const SWEEPS: usize = 16;

/// As `merge_short`, but for any length: time is linear but for a logarithm.
fn merge_long(vocabulary: &Vocabulary, piece: &[u8], tokens: &mut Vec<Token>) {
    tokens.extend(piece.iter().zip(1..).map(|(byte, end)| Token { rank: vocabulary.single(*byte), end }));
    let mut pairs: Vec<Rank> = piece.windows(2).map(|two| vocabulary.merged_bytes(two[0], two[1])).collect();
    pairs.push(NONE);
    for _ in 0..SWEEPS {
        let lowest = pairs.iter().copied().fold(NONE, Rank::min);
        if lowest == NONE {
            return;
        }
        sweep(vocabulary, tokens, &mut pairs, lowest);
    }
    Links::new(vocabulary, tokens, pairs).merge_all(tokens);
}

/// Merges all pairs of the lowest rank.
fn sweep(vocabulary: &Vocabulary, tokens: &mut Vec<Token>, pairs: &mut Vec<Rank>, lowest: Rank) {
    let (mut kept, mut at) = (0, 0);
    let mut new = false;
    while at < tokens.len() {
        let merges = pairs[at] == lowest;
        let pair = pairs[at];
        tokens[kept] = if merges { Token { rank: lowest, end: tokens[at + 1].end } } else { tokens[at] };
        if kept > 0 && (new || merges) {
            pairs[kept - 1] = vocabulary.merged(tokens[kept - 1].rank, tokens[kept].rank);
        }
        pairs[kept] = if merges { NONE } else { pair };
        at += 1 + usize::from(merges);
        kept += 1;
        new = merges;
    }
    tokens.truncate(kept);
    pairs.truncate(kept);
}

/// A linked list of tokens, and a heap of the pairs that can merge.
struct Links<'a> {
    vocabulary: &'a Vocabulary,
    tokens: Vec<Token>,
    next: Vec<u32>,
    before: Vec<u32>,
    /// What each token merges into with the next one. A heap entry that differs is out of date.
    pairs: Vec<Rank>,
    heap: BinaryHeap<Reverse<(Rank, u32)>>,
}

impl<'a> Links<'a> {
    fn new(vocabulary: &'a Vocabulary, tokens: &[Token], pairs: Vec<Rank>) -> Self {
        let len = tokens.len() as u32;
        let mergeable = pairs.iter().zip(0..).filter(|(pair, _)| **pair != NONE);
        let heap: Vec<_> = mergeable.map(|(pair, at)| Reverse((*pair, at))).collect();
        Self {
            vocabulary,
            tokens: tokens.to_vec(),
            next: (1..=len).collect(),
            before: (0..len).map(|at| at.wrapping_sub(1)).collect(),
            pairs,
            heap: heap.into(),
        }
    }

    fn merge_all(mut self, tokens: &mut Vec<Token>) {
        while let Some(Reverse((rank, at))) = self.heap.pop() {
            if self.pairs[at as usize] == rank {
                self.merge(at as usize, rank);
            }
        }
        tokens.clear();
        let mut at = 0;
        while let Some(token) = self.tokens.get(at) {
            tokens.push(*token);
            at = self.next[at] as usize;
        }
    }

    fn merge(&mut self, at: usize, rank: Rank) {
        let gone = self.next[at] as usize;
        let next = self.next[gone];
        self.tokens[at] = Token { rank, end: self.tokens[gone].end };
        self.next[at] = next;
        self.pairs[gone] = NONE;
        if let Some(before) = self.before.get_mut(next as usize) {
            *before = at as u32;
        }
        self.pair(at);
        let before = self.before[at];
        if before != u32::MAX {
            self.pair(before as usize);
        }
    }

    fn pair(&mut self, at: usize) {
        let next = self.next[at] as usize;
        self.pairs[at] = self.tokens.get(next).map_or(NONE, |next| self.vocabulary.merged(self.tokens[at].rank, next.rank));
        if self.pairs[at] != NONE {
            self.heap.push(Reverse((self.pairs[at], at as u32)));
        }
    }
}
