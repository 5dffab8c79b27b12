//! Words that tell whether a full stop ends a sentence.

/// What a full stop behind an abbreviation means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Abbreviation {
    /// Never the end of a sentence (`Dr.`, `e.g.`).
    Never,
    /// An end unless a figure or a small letter follows, for what is a word too (`no.`, `art.`) or ends lists (`etc.`).
    BeforeNumber,
    /// An end only if a word that often begins sentences follows (`Co. It closed`).
    BeforeStarter,
}

/// The meaning of `word` (without its final full stop), whether its ASCII letters are small or not; `None` for an ordinary word.
pub(super) fn find(word: &[u8]) -> Option<Abbreviation> {
    if word.len() > ABBREVIATION_MAX { None } else { find_key(key(word, true) as u64) }
}

/// The same for the word of `length` small letters (at most 7) that are the last bytes of `word`, the last one in its low byte.
#[inline]
pub(super) fn find_small(word: u64, length: u32) -> Option<Abbreviation> {
    let front = 1 << (8 * length);
    if length > ABBREVIATION_MAX as u32 { None } else { find_key(word & (front - 1) | front) }
}

/// The meaning of the word with this key, which has at most 56 bits.
#[inline]
fn find_key(key: u64) -> Option<Abbreviation> {
    let mut at = place(key);
    while ABBREVIATIONS[at] != 0 {
        if ABBREVIATIONS[at] << 8 == key << 8 {
            return Some(match ABBREVIATIONS[at] >> 56 {
                1 => Abbreviation::Never,
                2 => Abbreviation::BeforeNumber,
                _ => Abbreviation::BeforeStarter,
            });
        }
        at = (at + 1) % SLOTS;
    }
    None
}

/// Whether `word` (as written) often begins an English sentence.
pub(super) fn is_starter(word: &[u8]) -> bool {
    if word.len() > STARTER_MAX {
        return false;
    }
    let key = key(word, false);
    let mut at = starter_place(key);
    while STARTER[at] != 0 && STARTER[at] != key {
        at = (at + 1) % SLOTS;
    }
    STARTER[at] == key
}

/// Whether `word` (as written) is a name that is spelled with an exclamation mark.
pub(super) fn is_exclaimed_name(word: &str) -> bool {
    EXCLAIMED.contains(&word)
}

/// Whether `word` (as written) may follow a time of day.
pub(super) fn follows_time(word: &str) -> bool {
    AFTER_TIME.binary_search(&word).is_ok()
}

/// A word of at most 14 bytes as a number, with a one in front, so that no two have the same.
const fn key(word: &[u8], small: bool) -> u128 {
    let (mut key, mut i) = (1, 0);
    while i < word.len() {
        let byte = if small { word[i].to_ascii_lowercase() } else { word[i] };
        key = key << 8 | byte as u128;
        i += 1;
    }
    key
}

/// Places for words, of which at most half are taken. A word is at its place or behind, with no free one between.
const SLOTS: usize = 512;

const fn place(key: u64) -> usize {
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 55) as usize
}

/// A key in each place that is taken, and in the top byte which table it is from, counted from 1.
static ABBREVIATIONS: [u64; SLOTS] = {
    let tables: [&[&str]; 3] = [&NEVER, &BEFORE_NUMBER, &BEFORE_STARTER];
    let mut words = [0; SLOTS];
    let mut table = 0;
    while table < tables.len() {
        let mut i = 0;
        while i < tables[table].len() {
            let key = key(tables[table][i].as_bytes(), false) as u64;
            let mut at = place(key);
            while words[at] != 0 {
                at = (at + 1) % SLOTS;
            }
            words[at] = (table as u64 + 1) << 56 | key;
            i += 1;
        }
        table += 1;
    }
    words
};

/// A key in each place that is taken.
static STARTER: [u128; SLOTS] = {
    let mut words = [0; SLOTS];
    let mut i = 0;
    while i < STARTERS.len() {
        let key = key(STARTERS[i].as_bytes(), false);
        let mut at = starter_place(key);
        while words[at] != 0 {
            at = (at + 1) % SLOTS;
        }
        words[at] = key;
        i += 1;
    }
    words
};

const fn starter_place(key: u128) -> usize {
    place(key as u64 ^ (key >> 64) as u64)
}

/// Longest word of [`ABBREVIATIONS`] in bytes.
const ABBREVIATION_MAX: usize = 6;

/// Longest word of [`STARTERS`] and [`AFTER_TIME`] in bytes.
pub(super) const STARTER_MAX: usize = 12;

const NEVER: [&str; 37] = [
    "adm", "atty", "brig", "c.f", "capt", "cdr", "cf", "cmdr", "cpl", "dr", "e.g", "eg", "gov", "hon", "i.e", "ie",
    "lt", "maj", "messrs", "mlle", "mme", "mr", "mrs", "ms", "msgr", "mt", "n.b", "pfc", "pres", "prof", "pvt", "rev",
    "sen", "sgt", "supt", "viz", "vs",
];

const BEFORE_NUMBER: [&str; 39] = [
    "abbrev", "app", "art", "bk", "coll", "conf", "cont", "div", "elev", "etc", "ex", "exec", "ext", "hist", "ident",
    "max", "min", "no", "n°", "nº", "obs", "op", "par", "prev", "proc", "pron", "pt", "pts", "ref", "refs", "spec",
    "specs", "tab", "tel", "temp", "trans", "transl", "ver", "№",
];

const BEFORE_STARTER: [&str; 93] = [
    "abbr", "al", "approx", "apr", "apt", "assn", "assoc", "asst", "aug", "ave", "avg", "bldg", "blvd", "bros", "ca",
    "calif", "ch", "chap", "chs", "cit", "co", "col", "corp", "cos", "ct", "dec", "dept", "dist", "ed", "eds", "eq",
    "eqs", "est", "feb", "fig", "figs", "fla", "fr", "fri", "ft", "gen", "hrs", "hwy", "ibid", "illus", "inc", "incl",
    "intl", "jan", "jr", "jul", "jun", "ltd", "mfg", "mgr", "misc", "mon", "mtg", "natl", "nos", "nov", "nr", "oct",
    "orig", "para", "paras", "ph.d", "pl", "pp", "prob", "pty", "publ", "rd", "rep", "reps", "resp", "rt", "sec",
    "sect", "sep", "sept", "sq", "sr", "st", "ste", "supp", "thu", "thurs", "tue", "tues", "univ", "vol", "vols",
];

const STARTERS: [&str; 169] = [
    "A",
    "After",
    "All",
    "Also",
    "Although",
    "Always",
    "An",
    "And",
    "Another",
    "Any",
    "Are",
    "As",
    "At",
    "Avoid",
    "Be",
    "Because",
    "Before",
    "Being",
    "Both",
    "But",
    "By",
    "Can",
    "Check",
    "Choose",
    "Click",
    "Consider",
    "Could",
    "Despite",
    "Did",
    "Do",
    "Does",
    "During",
    "Each",
    "Either",
    "Even",
    "Every",
    "Few",
    "Finally",
    "First",
    "For",
    "From",
    "Generally",
    "Given",
    "Has",
    "Have",
    "He",
    "Hence",
    "Her",
    "Here",
    "His",
    "How",
    "However",
    "I",
    "If",
    "Imagine",
    "In",
    "Indeed",
    "Instead",
    "Is",
    "It",
    "Its",
    "Just",
    "Last",
    "Later",
    "Let",
    "Like",
    "Make",
    "Many",
    "Maybe",
    "Meanwhile",
    "More",
    "Moreover",
    "Most",
    "Much",
    "My",
    "Neither",
    "Never",
    "Next",
    "No",
    "None",
    "Nor",
    "Not",
    "Note",
    "Nothing",
    "Now",
    "Of",
    "Often",
    "On",
    "Once",
    "One",
    "Only",
    "Open",
    "Or",
    "Other",
    "Others",
    "Our",
    "Over",
    "Perhaps",
    "Please",
    "Run",
    "Second",
    "See",
    "Several",
    "She",
    "Should",
    "Similarly",
    "Since",
    "So",
    "Some",
    "Someone",
    "Something",
    "Sometimes",
    "Soon",
    "Still",
    "Such",
    "Suppose",
    "Than",
    "Thank",
    "Thanks",
    "That",
    "The",
    "Their",
    "Them",
    "Then",
    "There",
    "Therefore",
    "These",
    "They",
    "Third",
    "This",
    "Those",
    "Though",
    "Through",
    "Thus",
    "To",
    "Today",
    "Too",
    "Try",
    "Two",
    "Under",
    "Unless",
    "Unlike",
    "Until",
    "Up",
    "Upon",
    "Use",
    "Using",
    "Usually",
    "Was",
    "We",
    "Well",
    "Were",
    "What",
    "When",
    "Where",
    "Whether",
    "Which",
    "While",
    "Who",
    "Whose",
    "Why",
    "With",
    "Within",
    "Without",
    "Would",
    "Yes",
    "Yet",
    "You",
    "Your",
];

const EXCLAIMED: [&str; 5] = ["Jeopardy", "Panic", "Wham", "Yahoo", "Yum"];

const AFTER_TIME: [&str; 26] = [
    "BST",
    "CDT",
    "CEST",
    "CET",
    "CST",
    "Central",
    "EDT",
    "EST",
    "ET",
    "Eastern",
    "Friday",
    "GMT",
    "JST",
    "MDT",
    "MST",
    "Monday",
    "PDT",
    "PST",
    "PT",
    "Pacific",
    "Saturday",
    "Sunday",
    "Thursday",
    "Tuesday",
    "UTC",
    "Wednesday",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted_and_disjoint() {
        for table in [&NEVER[..], &BEFORE_NUMBER, &BEFORE_STARTER, &STARTERS, &EXCLAIMED, &AFTER_TIME] {
            assert!(table.is_sorted_by(|a, b| a < b));
        }
        assert!(STARTERS.iter().chain(&AFTER_TIME).all(|word| word.len() <= STARTER_MAX));
        let all: Vec<&str> = [&NEVER[..], &BEFORE_NUMBER, &BEFORE_STARTER].concat();
        assert!(all.iter().all(|word| word.len() <= ABBREVIATION_MAX));
        assert!((0..all.len()).all(|i| !all[..i].contains(&all[i])));
    }

    #[test]
    fn words_are_found() {
        let tables = [
            (&NEVER[..], Abbreviation::Never),
            (&BEFORE_NUMBER, Abbreviation::BeforeNumber),
            (&BEFORE_STARTER, Abbreviation::BeforeStarter),
        ];
        for (table, abbreviation) in tables {
            for word in table {
                assert_eq!(find(word.as_bytes()), Some(abbreviation));
                assert_eq!(find(word.to_ascii_uppercase().as_bytes()), Some(abbreviation));
            }
        }
        assert!(STARTERS.iter().all(|word| is_starter(word.as_bytes())));
        for word in ["", "d", "drs", "abbrevs", "transla", "The", "N\u{B0}x"] {
            assert_eq!(find(word.as_bytes()), None);
        }
        for word in ["", "the", "THE", "Th", "Thee", "Neverthelessly", "\0The"] {
            assert!(!is_starter(word.as_bytes()));
        }
    }
}
