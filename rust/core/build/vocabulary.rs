//! A vocabulary in a form that needs no parsing.

use std::collections::HashMap;

use tiktoken_rs::CoreBPE;

/// Highest id that is asked for.
const IDS: u32 = 210_000;

/// The number of tokens (u32, little endian); for each token, in order of rank, its length in bytes (u8); for each, the
/// length of the left one of the two tokens that it is merged from, 0 for none (u8); all tokens joined.
pub(crate) fn blob(oracle: &CoreBPE) -> Vec<u8> {
    let tokens = ordinary_tokens(oracle);
    let ranks: HashMap<&[u8], usize> =
        tokens.iter().enumerate().map(|(rank, token)| (token.as_slice(), rank)).collect();
    assert_eq!(ranks.len(), tokens.len(), "tokens are distinct");
    let mut blob = u32::try_from(tokens.len()).expect("few tokens").to_le_bytes().to_vec();
    blob.extend(tokens.iter().map(|token| u8::try_from(token.len()).expect("short tokens")));
    blob.extend(tokens.iter().map(|token| split(token, &ranks)));
    blob.extend(tokens.concat());
    blob
}

fn ordinary_tokens(oracle: &CoreBPE) -> Vec<Vec<u8>> {
    let special = oracle.special_tokens();
    let is_special = |token: &[u8]| std::str::from_utf8(token).is_ok_and(|token| special.contains(token));
    (0..IDS).filter_map(|id| oracle.decode_bytes(&[id]).ok()).filter(|token| !is_special(token)).collect()
}

/// Where the last merge that makes `token` joins its parts; 0 if it is a byte. Merging has to lead to every token, as the core
/// counts by merging alone.
fn split(token: &[u8], ranks: &HashMap<&[u8], usize>) -> u8 {
    let mut ends: Vec<usize> = (0..=token.len()).collect();
    while ends.len() > 3 {
        let merges = ends.windows(3).enumerate();
        let ranked = merges.filter_map(|(i, parts)| ranks.get(&token[parts[0]..parts[2]]).map(|rank| (*rank, i)));
        match ranked.min() {
            Some((_, i)) => ends.remove(i + 1),
            None => panic!("merging leads to every token"),
        };
    }
    if ends.len() == 3 { u8::try_from(ends[1]).expect("short tokens") } else { 0 }
}
