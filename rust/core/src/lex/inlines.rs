//! stub
use crate::block::Part;
use crate::span::Span;
#[derive(Default)]
pub(super) struct Labels { all: Vec<String> }
fn norm(s:&str)->String { s.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase() }
impl Labels { pub(super) fn insert(&mut self, label:&str, _l:usize){ self.all.push(norm(label)); } pub(super) fn lookup(&self, l:&str)->Option<bool>{ Some(self.all.contains(&norm(l))) } }
pub(super) struct Leaf { pub images:u32, pub others: bool }
fn plain(text:&str, span:Span)->bool { !text[span.range()].bytes().any(|b| b"`[]<$\\!&*_~".contains(&b)) }
pub(super) fn scan(text:&str, span:Span,_l:&Labels,_q:bool,_p:&mut Vec<Part>)->Option<Leaf>{ plain(text,span).then_some(Leaf{images:0,others:true}) }
pub(super) fn scan_heading(text:&str, span:Span,_l:&Labels,_p:&mut Vec<Part>)->Option<String>{ plain(text,span).then(|| text[span.range()].to_owned()) }
