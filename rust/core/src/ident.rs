//! Ids and hashes: the same text gives the same ones, on every run and machine.

use std::fmt::Write;

use sha1::{Digest, Sha1};

/// The URL namespace of RFC 9562.
const NAMESPACE_URL: [u8; 16] =
    [0x6b, 0xa7, 0xb8, 0x11, 0x9d, 0xad, 0x11, 0xd1, 0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8];

/// `uuid5(NAMESPACE_URL, name)` of RFC 9562, for a name given in pieces.
#[must_use]
pub fn uuid5(name: &[&str]) -> String {
    let mut hash = Sha1::new();
    hash.update(NAMESPACE_URL);
    for piece in name {
        hash.update(piece.as_bytes());
    }
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash.finalize()[..16]);
    bytes[6] = bytes[6] & 0x0f | 0x50;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let mut id = String::with_capacity(36);
    for (at, byte) in bytes.iter().enumerate() {
        if matches!(at, 4 | 6 | 8 | 10) {
            id.push('-');
        }
        // Writing to a string cannot fail.
        let _ = write!(id, "{byte:02x}");
    }
    id
}

/// The id of a document that was given none.
#[must_use]
pub fn document_id(text: &str) -> String {
    uuid5(&[text])
}

/// The id of a chunk.
#[must_use]
pub fn chunk_id(document_id: &str, index: usize, content: &str) -> String {
    uuid5(&[document_id, ":chunk:", &index.to_string(), ":", content])
}

/// BLAKE3 of a text, in hexadecimal digits.
#[must_use]
pub fn content_hash(content: &str) -> String {
    blake3::hash(content.as_bytes()).to_hex().to_string()
}

/// A short digest of named settings, for telling outputs made in different ways apart.
#[must_use]
pub fn fingerprint(settings: &[(&str, &str)]) -> String {
    let mut hash = blake3::Hasher::new();
    for (name, value) in settings {
        for field in [name, value] {
            hash.update(&(field.len() as u64).to_le_bytes());
            hash.update(field.as_bytes());
        }
    }
    hash.finalize().to_hex()[..32].to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uuid5_is_the_standard_one() {
        assert_eq!(uuid5(&["http://", "python.org/"]), "4c565f0d-3f5a-5890-b41b-20cf47701c5e");
    }

    #[test]
    fn fingerprints_tell_fields_apart() {
        assert_ne!(fingerprint(&[("a", "bc")]), fingerprint(&[("ab", "c")]));
    }
}
