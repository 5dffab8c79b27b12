//! Eight times the input takes no more than about eight times the time, whatever the input.

use std::time::{Duration, Instant};

use crate::lex::lex;
use crate::structured::from_document;

const SIZE: usize = if cfg!(debug_assertions) { 1 << 17 } else { 1 << 20 };
/// How many times longer the longer input is.
const TIMES: usize = 8;
/// How much longer it may take: a quadratic step takes 64 times as long, and a busy machine may double anything.
const MOST_GROWTH: f64 = 24.0;
/// What is faster than this is not measured well, and a quadratic step would not be.
const LEAST: Duration = Duration::from_millis(200);
const TRIES: usize = 4;

/// The time that a text takes beyond lexing.
fn time(text: &str) -> Duration {
    let document = lex(text);
    let start = Instant::now();
    let made = from_document(text, &document, true);
    let time = start.elapsed();
    assert_eq!(made.document.blocks.len(), made.blocks.len());
    time
}

fn guard(name: &str, unit: &dyn Fn(usize) -> String) {
    let text = |size: usize| {
        let mut text = String::new();
        for number in 0.. {
            text.push_str(&unit(number));
            if text.len() >= size {
                break;
            }
        }
        text
    };
    let (part, whole) = (text(SIZE / TIMES), text(SIZE));
    let grows = (0..TRIES).all(|_| {
        let (short, long) = (time(&part), time(&whole));
        long > LEAST && long.as_secs_f64() > MOST_GROWTH * short.as_secs_f64()
    });
    assert!(!grows, "{name}: {:?} for one in {TIMES}, {:?} for all", time(&part), time(&whole));
}

#[test]
fn time_is_linear() {
    let fixed = |unit: &'static str| move |_: usize| unit.to_string();
    guard("numbered lines", &|n| format!("{n}. 甲\n"));
    guard("numbered lines with blank ones", &|n| format!("{n}. 甲\n\n"));
    guard("one number", &fixed("1. 甲\n\n"));
    guard("numbers that do not count on", &|n| format!("{}. 甲\n\n乙\n\n", n * 2));
    guard("deeper and deeper", &|n| format!("{}1. 甲\n", " ".repeat(n % 500)));
    guard("shallower and shallower", &|n| format!("{}1. 甲\n", " ".repeat(500 - n % 500)));
    guard("one number over lines indented", &|n| if n == 0 { "1. 甲\n".into() } else { "  乙\n".into() });
    guard("questions", &fixed("Q: 甲？\n"));
    guard("questions apart", &fixed("Q: 甲？\n\n"));
    guard("questions over one paragraph", &|n| if n % 2 == 0 { "甲？\n".into() } else { "Q:\n".into() });
    guard("bare questions", &fixed("Q:\n\n甲\n"));
    guard("one question", &|n| if n == 0 { "Q:\n".into() } else { "甲\n".into() });
    guard("pairs", &fixed("Q: 甲？\nA: 乙\n"));
    guard("answers", &fixed("甲？\nA:\n\n"));
    guard("colons", &fixed("甲：\n"));
    guard("colons apart", &fixed("甲：\n\n"));
    guard("lists under headings", &|n| format!("{}# 甲\n1. 乙\n2. 丙\n", "#".repeat(n % 5)));
    guard("lists under one long title", &|n| {
        if n == 0 { format!("# {}\n", "长".repeat(SIZE / 16)) } else { "## 甲\n1. 乙\n2. 丙\n\n".into() }
    });
    guard("closing marks", &fixed("）\n注意：\n"));
    guard("one line", &fixed("1"));
    guard("one line of marks", &fixed("**"));
    guard("blank lines", &|n| if n % 1000 == 0 { "甲：\n".into() } else { "\n".into() });
    guard("rules", &fixed("甲：\n\n---\n\n"));
    guard("atoms", &fixed("`a` "));
    guard("nested code", &fixed("- a\n\n      b\n\n"));
}
