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
fn merge_all<const N: usize>(
    vocabulary: &Vocabulary,
    ranks: &mut [Rank; N],
    pairs: &mut [Rank; N],
    len: usize,
    lowest: Rank,
) -> usize {
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

/// After giving up so many tokens, `encode_first` gives up altogether.
const PATIENCE: usize = 256;

/// The first tokens of `piece`: those that are certain when nothing is known of the merges behind its first `len` bytes.
///
/// Merges go by rank. Before each, the last token is given up if a token of lower rank is merged from it and what is behind it in `piece`: it might be gone
/// by now. What is left in the end can only merge with what is left.
pub(super) fn encode_first(vocabulary: &Vocabulary, piece: &[u8], len: usize, tokens: &mut Vec<Token>) {
    let first = &piece[..len];
    let bytes = first.iter().zip(1..).map(|(byte, end)| Token { rank: vocabulary.single(*byte), end });
    let mut pairs: Vec<Rank> = first.windows(2).map(|two| vocabulary.merged_bytes(two[0], two[1])).collect();
    pairs.push(NONE);
    let links = Links::new(vocabulary, &bytes.collect::<Vec<_>>(), pairs);
    let mut open = Open { piece, last: len - 1, threat: 0, given_up: 0, links };
    open.look();
    open.merge_all(tokens);
}

/// The longest unit of a piece that counts as periodic.
const PERIOD: usize = 16;
/// What `encode_first_periodic` leaves out at the end, in lengths of the longest token.
const MARGIN: usize = 16;

/// The shortest unit, up to `PERIOD` bytes, of which `piece` is a repetition, perhaps not a whole one at the end.
pub(super) fn period(piece: &[u8]) -> Option<usize> {
    (1..=PERIOD.min(piece.len())).find(|unit| piece[*unit..].iter().zip(piece).all(|(byte, before)| byte == before))
}

/// The same for a piece that repeats one unit, where nothing is certain in that way.
///
/// Its tokens are periodic at any time, but for some at the start, which do not depend on the length, and a few at the end: merges go from left
/// to right, so what is left over is at the end, and grows by at most the longest token each time that all others merge.
pub(super) fn encode_first_periodic(vocabulary: &Vocabulary, piece: &[u8], len: usize, tokens: &mut Vec<Token>) {
    encode(vocabulary, &piece[..len], tokens);
    let certain = len.saturating_sub(vocabulary.longest() * MARGIN) as u32;
    tokens.truncate(tokens.partition_point(|token| token.end <= certain));
}

/// Links whose last token has something unknown behind it.
struct Open<'a> {
    piece: &'a [u8],
    last: usize,
    /// The lowest rank of the tokens at its place that are merged from it and something behind it.
    threat: Rank,
    given_up: usize,
    links: Links<'a>,
}

impl Open<'_> {
    fn merge_all(mut self, tokens: &mut Vec<Token>) {
        let mut some = true;
        while some && let Some(Reverse((rank, at))) = self.links.heap.pop() {
            let at = at as usize;
            if self.links.pairs[at] != rank {
                continue;
            }
            some = self.give_up(rank);
            if self.links.pairs[at] == rank {
                let ends = self.links.next[at] as usize == self.last;
                self.links.merge(at, rank);
                if ends {
                    self.last = at;
                    self.look();
                }
            }
        }
        tokens.clear();
        if some && self.give_up(NONE) {
            self.links.collect(tokens);
        }
    }

    /// Gives up tokens at the end that may have merged before `rank`. Whether any is left.
    fn give_up(&mut self, rank: Rank) -> bool {
        while self.threat < rank {
            let before = self.links.before[self.last];
            self.given_up += 1;
            if before == u32::MAX || self.given_up > PATIENCE {
                return false;
            }
            self.last = before as usize;
            self.links.next[self.last] = self.links.tokens.len() as u32;
            self.links.pairs[self.last] = NONE;
            self.look();
        }
        true
    }

    fn look(&mut self) {
        let token = self.links.tokens[self.last];
        let len = self.links.vocabulary.token(token.rank).len();
        let rest = &self.piece[token.end as usize - len..];
        let longest = rest.len().min(self.links.vocabulary.longest());
        let longer = (len + 1..=longest).filter_map(|len| self.links.vocabulary.rank(&rest[..len]));
        self.threat = longer.filter(|longer| self.links.vocabulary.left_len(*longer) == len).min().unwrap_or(NONE);
    }
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
        self.collect(tokens);
    }

    fn collect(&self, tokens: &mut Vec<Token>) {
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
        self.pairs[at] =
            self.tokens.get(next).map_or(NONE, |next| self.vocabulary.merged(self.tokens[at].rank, next.rank));
        if self.pairs[at] != NONE {
            self.heap.push(Reverse((self.pairs[at], at as u32)));
        }
    }
}
