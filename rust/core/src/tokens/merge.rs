//! Byte pair encoding of one piece.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::vocabulary::{NONE, Rank, Vocabulary};

/// Up to this many bytes the next merge is found by looking at all pairs.
const SHORT: usize = 64;

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
    if piece.len() <= SHORT {
        tokens.extend(piece.iter().zip(1..).map(|(byte, end)| Token { rank: vocabulary.single(*byte), end }));
        merge_short(vocabulary, tokens);
    } else {
        merge_long(vocabulary, piece, tokens);
    }
}

fn merge_short(vocabulary: &Vocabulary, tokens: &mut Vec<Token>) {
    let mut pairs = [NONE; SHORT];
    for (pair, two) in pairs.iter_mut().zip(tokens.windows(2)) {
        *pair = vocabulary.merged(two[0].rank, two[1].rank);
    }
    while tokens.len() > 1 {
        let live = tokens.len() - 1;
        let mut best = 0;
        for (at, pair) in pairs[..live].iter().enumerate() {
            if *pair < pairs[best] {
                best = at;
            }
        }
        if pairs[best] == NONE {
            return;
        }
        tokens[best] = Token { rank: pairs[best], end: tokens[best + 1].end };
        tokens.remove(best + 1);
        pairs.copy_within(best + 1..live, best);
        if best > 0 {
            pairs[best - 1] = vocabulary.merged(tokens[best - 1].rank, tokens[best].rank);
        }
        if best + 1 < tokens.len() {
            pairs[best] = vocabulary.merged(tokens[best].rank, tokens[best + 1].rank);
        }
    }
}

/// A linked list of tokens over byte positions, and a heap of the pairs that can merge.
struct Links<'a> {
    vocabulary: &'a Vocabulary,
    ranks: Vec<Rank>,
    next: Vec<u32>,
    before: Vec<u32>,
    /// What the token at a position merges into with the next one. A heap entry that differs is out of date.
    pairs: Vec<Rank>,
    heap: BinaryHeap<Reverse<(Rank, u32)>>,
}

fn merge_long(vocabulary: &Vocabulary, piece: &[u8], tokens: &mut Vec<Token>) {
    let len = piece.len();
    let mut links = Links {
        vocabulary,
        ranks: piece.iter().map(|byte| vocabulary.single(*byte)).collect(),
        next: (1..=len as u32).collect(),
        before: (0..len as u32).map(|at| at.wrapping_sub(1)).collect(),
        pairs: vec![NONE; len],
        heap: BinaryHeap::new(),
    };
    let mut first = Vec::with_capacity(len);
    for at in 0..len - 1 {
        links.pairs[at] = vocabulary.merged(links.ranks[at], links.ranks[at + 1]);
        if links.pairs[at] != NONE {
            first.push(Reverse((links.pairs[at], at as u32)));
        }
    }
    links.heap = first.into();
    while let Some(Reverse((rank, at))) = links.heap.pop() {
        if links.pairs[at as usize] == rank {
            links.merge(at as usize, rank);
        }
    }
    let mut at = 0;
    while at < len {
        let end = links.next[at];
        tokens.push(Token { rank: links.ranks[at], end });
        at = end as usize;
    }
}

impl Links<'_> {
    fn merge(&mut self, at: usize, rank: Rank) {
        let gone = self.next[at] as usize;
        let next = self.next[gone];
        self.ranks[at] = rank;
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
        self.pairs[at] = self.ranks.get(next).map_or(NONE, |next| self.vocabulary.merged(self.ranks[at], *next));
        if self.pairs[at] != NONE {
            self.heap.push(Reverse((self.pairs[at], at as u32)));
        }
    }
}
