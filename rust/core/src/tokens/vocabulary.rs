//! A vocabulary: tokens by their bytes and by the pair of tokens they are merged from.

/// A token's number in order of rank. It differs from the encoding's id where the ids have a gap.
pub(super) type Rank = u32;

/// Not a rank: ranks have 18 bits.
pub(super) const NONE: Rank = u32::MAX;

const RANK_BITS: u32 = 18;
const RANK_MASK: u64 = (1 << RANK_BITS) - 1;
const EMPTY: u64 = u64::MAX;

/// The tables of one vocabulary.
pub(super) struct Vocabulary {
    /// All tokens, joined in order of rank.
    bytes: &'static [u8],
    /// Where each token starts in `bytes`, and the end.
    starts: Vec<u32>,
    /// Open addressing by the hash of the bytes: ranks, and 14 other bits of the hash above them, so that few bytes are compared in vain.
    slots: Vec<u32>,
    /// Open addressing by the hash of the pair: left, right and merged rank in 18 bits each.
    pairs: Vec<u64>,
    pair_shift: u32,
    /// The rank of each single byte.
    singles: [Rank; 256],
    /// What two bytes merge into.
    byte_pairs: Vec<Rank>,
    longest: usize,
    /// The length of the left part of each token, 0 for bytes.
    splits: &'static [u8],
    /// A bit for the hash of each pair. Most pairs do not merge, and this is small enough to stay in the cache.
    filter: Vec<u64>,
}

impl Vocabulary {
    /// Builds the tables for the first `limit` tokens of a blob that the build script wrote.
    pub(super) fn new(blob: &'static [u8], limit: usize) -> Self {
        let (head, rest) = blob.split_at(4);
        let all = head.iter().rev().fold(0, |sum, byte| sum << 8 | usize::from(*byte));
        let count = all.min(limit);
        let (lengths, rest) = rest.split_at(all);
        let (splits, bytes) = rest.split_at(all);
        let mut starts = Vec::with_capacity(count + 1);
        let mut end = 0;
        starts.push(0);
        for length in &lengths[..count] {
            end += u32::from(*length);
            starts.push(end);
        }
        let slots = vec![NONE; (count * 2).next_power_of_two()];
        let pair_slots = (count * 2).next_power_of_two();
        let mut vocabulary = Self {
            bytes,
            starts,
            slots,
            pairs: vec![EMPTY; pair_slots],
            pair_shift: 64 - pair_slots.trailing_zeros(),
            singles: [NONE; 256],
            byte_pairs: vec![NONE; 1 << 16],
            longest: lengths[..count].iter().copied().max().unwrap_or(0).into(),
            splits: &splits[..count],
            filter: vec![0; pair_slots / 16],
        };
        vocabulary.fill(&splits[..count]);
        vocabulary
    }

    fn fill(&mut self, splits: &[u8]) {
        let mask = self.slots.len() - 1;
        for rank in 0..splits.len() as Rank {
            let token = self.token(rank);
            match *token {
                [byte] => self.singles[usize::from(byte)] = rank,
                [left, right] => self.byte_pairs[usize::from(left) << 8 | usize::from(right)] = rank,
                _ => {}
            }
            let hash = hash(token);
            let mut slot = hash as usize & mask;
            while self.slots[slot] != NONE {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = tag(hash) | rank;
        }
        for (rank, split) in splits.iter().enumerate() {
            let (left, right) = self.token(rank as Rank).split_at(usize::from(*split));
            if left.is_empty() {
                continue;
            }
            if let (Some(left), Some(right)) = (self.rank(left), self.rank(right)) {
                self.insert_pair(left, right, rank as Rank);
            }
        }
    }

    fn insert_pair(&mut self, left: Rank, right: Rank, merged: Rank) {
        let key = u64::from(left) << RANK_BITS | u64::from(right);
        let mask = self.pairs.len() - 1;
        let mut slot = self.pair_slot(key);
        while self.pairs[slot] != EMPTY {
            slot = (slot + 1) & mask;
        }
        self.pairs[slot] = key << RANK_BITS | u64::from(merged);
        let bit = self.filter_bit(key);
        self.filter[bit / 64] |= 1 << (bit % 64);
    }

    /// All tokens in order.
    pub(super) fn tokens(&self) -> impl Iterator<Item = &'static [u8]> {
        (0..self.starts.len() as Rank - 1).map(|rank| self.token(rank))
    }

    /// The bytes of a token.
    pub(super) fn token(&self, rank: Rank) -> &'static [u8] {
        let rank = rank as usize;
        &self.bytes[self.starts[rank] as usize..self.starts[rank + 1] as usize]
    }

    /// The rank of the token with these bytes.
    pub(super) fn rank(&self, token: &[u8]) -> Option<Rank> {
        match *token {
            [byte] => return Some(self.single(byte)),
            [left, right] => return Some(self.merged_bytes(left, right)).filter(|rank| *rank != NONE),
            _ => {}
        }
        let mask = self.slots.len() - 1;
        let hash = hash(token);
        let mut slot = hash as usize & mask;
        loop {
            let entry = self.slots[slot];
            if entry == NONE {
                return None;
            }
            let rank = entry & RANK_MASK as u32;
            if entry ^ rank == tag(hash) && self.token(rank) == token {
                return Some(rank);
            }
            slot = (slot + 1) & mask;
        }
    }

    /// The rank of a token of one byte.
    pub(super) fn single(&self, byte: u8) -> Rank {
        self.singles[usize::from(byte)]
    }

    /// What two neighbouring bytes merge into, or `NONE`.
    pub(super) fn merged_bytes(&self, left: u8, right: u8) -> Rank {
        self.byte_pairs[usize::from(left) << 8 | usize::from(right)]
    }

    /// The length of the left one of the two tokens that a token is merged from, 0 for a byte.
    pub(super) fn left_len(&self, rank: Rank) -> usize {
        self.splits[rank as usize].into()
    }

    /// The length of the longest token.
    pub(super) fn longest(&self) -> usize {
        self.longest
    }

    /// What two neighbouring tokens merge into, or `NONE`.
    pub(super) fn merged(&self, left: Rank, right: Rank) -> Rank {
        let key = u64::from(left) << RANK_BITS | u64::from(right);
        let bit = self.filter_bit(key);
        if self.filter[bit / 64] >> (bit % 64) & 1 == 0 {
            return NONE;
        }
        let mask = self.pairs.len() - 1;
        let mut slot = self.pair_slot(key);
        loop {
            let entry = self.pairs[slot];
            if entry >> RANK_BITS == key {
                return (entry & RANK_MASK) as Rank;
            }
            if entry == EMPTY {
                return NONE;
            }
            slot = (slot + 1) & mask;
        }
    }

    /// Four bits for each slot of the table.
    fn filter_bit(&self, key: u64) -> usize {
        (key.wrapping_mul(0xC2B2_AE3D_27D4_EB4F) >> (self.pair_shift - 2)) as usize
    }

    fn pair_slot(&self, key: u64) -> usize {
        (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.pair_shift) as usize
    }
}

/// The upper bits of a hash, where they stand above a rank.
const fn tag(hash: u64) -> u32 {
    (hash >> 32) as u32 & !(RANK_MASK as u32)
}

/// A hash of short byte strings.
pub(super) fn hash(bytes: &[u8]) -> u64 {
    let mut state = bytes.len() as u64;
    let mut chunks = bytes.chunks_exact(8);
    for chunk in &mut chunks {
        state = mix(state ^ chunk.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)));
    }
    mix(state ^ chunks.remainder().iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)))
}

const fn mix(word: u64) -> u64 {
    let product = (word ^ 0xA076_1D64_78BD_642F) as u128 * 0xE703_7ED1_A0B4_28DB;
    (product >> 64) as u64 ^ product as u64
}
