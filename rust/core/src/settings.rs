//! Settings of the structure strategy, checked when they are given.

use crate::error::SettingError;
use crate::tokens::Tokenizer;

/// The line in front of a chunk that says which section it is from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HeadingTemplate {
    /// Text in front of the path.
    pub before: String,
    /// Text behind it.
    pub after: String,
}

impl HeadingTemplate {
    /// Name of the place that the path takes.
    pub const FIELD: &'static str = "{path}";

    /// Reads `章节：{path}` and the like.
    ///
    /// # Errors
    /// If `{path}` does not stand in it exactly once, there is another brace, or a line end.
    pub fn parse(template: &str) -> Result<Self, SettingError> {
        let mut parts = template.split(Self::FIELD);
        if let (Some(before), Some(after), None) = (parts.next(), parts.next(), parts.next())
            && !template.replace(Self::FIELD, "").contains(['{', '}', '\n', '\r'])
        {
            return Ok(Self { before: before.into(), after: after.into() });
        }
        Err(SettingError {
            setting: "heading_template",
            value: format!("{template:?}"),
            allowed: "None, or one line that holds {path} exactly once and no other brace".into(),
        })
    }
}

/// Settings of the structure strategy.
#[derive(Clone)]
pub struct Settings {
    /// Hard budget of a chunk.
    pub max_tokens: u32,
    /// How much of the previous chunk a chunk of prose may begin with.
    pub overlap_tokens: u32,
    /// Soft size: a chunk is closed at the first unit boundary from here on.
    pub target_tokens: Option<u32>,
    /// What counts.
    pub tokenizer: Tokenizer,
    /// Prefix, if any.
    pub heading_template: Option<HeadingTemplate>,
    /// What stands between the headings of a path in the prefix.
    pub path_separator: String,
}

/// Smallest budget: below it, a prefix, a fence and one character of four tokens may not fit together.
pub const MIN_TOKENS: u32 = 16;

impl Settings {
    /// Checks the numbers against each other.
    ///
    /// # Errors
    /// Names the first setting that is out of its range.
    pub fn check(self) -> Result<Self, SettingError> {
        let fail = |setting, value: u32, allowed| Err(SettingError { setting, value: value.to_string(), allowed });
        if self.max_tokens < MIN_TOKENS {
            return fail("max_tokens", self.max_tokens, format!("at least {MIN_TOKENS}"));
        }
        if self.overlap_tokens >= self.max_tokens {
            let allowed = format!("from 0 to {} (less than max_tokens = {})", self.max_tokens - 1, self.max_tokens);
            return fail("overlap_tokens", self.overlap_tokens, allowed);
        }
        if let Some(target) = self.target_tokens
            && !(1..=self.max_tokens).contains(&target)
        {
            return fail("target_tokens", target, format!("None or from 1 to max_tokens = {}", self.max_tokens));
        }
        if self.path_separator.contains(['\n', '\r']) {
            let value = format!("{:?}", self.path_separator);
            return Err(SettingError { setting: "path_separator", value, allowed: "text without a line end".into() });
        }
        Ok(self)
    }

    /// Looks a tokenizer up.
    ///
    /// # Errors
    /// If there is none of that name; the message lists those there are.
    pub fn tokenizer(name: &str) -> Result<Tokenizer, SettingError> {
        Tokenizer::by_name(name).ok_or_else(|| SettingError {
            setting: "tokenizer_name",
            value: format!("{name:?}"),
            allowed: format!("one of {}", Tokenizer::NAMES.join(", ")),
        })
    }
}

/// Name of the structure strategy.
pub const STRUCTURE: &str = "structure";

/// Version of what the structure strategy does: it changes whenever the same input and settings may give another output.
pub const STRUCTURE_VERSION: &str = "1";

impl Settings {
    /// A digest of everything that the output depends on besides the document.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let target = self.target_tokens.map_or_else(String::new, |target| target.to_string());
        let template = self.heading_template.as_ref().map_or_else(String::new, |template| {
            format!("{}{}{}", template.before, HeadingTemplate::FIELD, template.after)
        });
        crate::ident::fingerprint(&[
            ("strategy", STRUCTURE),
            ("version", STRUCTURE_VERSION),
            ("max_tokens", &self.max_tokens.to_string()),
            ("overlap_tokens", &self.overlap_tokens.to_string()),
            ("target_tokens", &target),
            ("tokenizer", self.tokenizer.digest()),
            ("heading_template", &template),
            ("path_separator", &self.path_separator),
        ])
    }
}
