//! Page markers: `<!-- page: 12 -->` and `<!-- page 12 -->`.

/// The page that begins behind an HTML block, if the block is nothing but one marker.
#[must_use]
pub fn page_marker(html: &str) -> Option<u32> {
    let inner = html.trim().strip_prefix("<!--")?.strip_suffix("-->")?.trim_matches([' ', '\t']);
    let (word, rest) = inner.split_at_checked(4)?;
    if !word.eq_ignore_ascii_case("page") || !rest.starts_with([':', ' ', '\t']) {
        return None;
    }
    let digits = rest.trim_start_matches([' ', '\t']);
    let digits = digits.strip_prefix(':').unwrap_or(digits).trim_start_matches([' ', '\t']);
    if digits.is_empty() || digits.len() > 9 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    digits.parse().ok()
}

/// The page in front of the first turn, which a marker with this number or a form feed makes.
#[must_use]
pub fn page_before(first: Option<u32>) -> u32 {
    first.map_or(1, |page| page.saturating_sub(1).max(1))
}

/// The page behind a turn that a marker with this number or a form feed makes; an unknown page counts as 1.
#[must_use]
pub fn page_behind(now: Option<u32>, marker: Option<u32>) -> u32 {
    marker.unwrap_or_else(|| now.unwrap_or(1).saturating_add(1))
}

#[cfg(test)]
mod tests {
    use super::page_marker;

    #[test]
    fn forms() {
        for (html, page) in [
            ("<!-- page: 12 -->", Some(12)),
            ("<!-- page 12 -->\n", Some(12)),
            ("<!--PAGE:3-->", Some(3)),
            ("<!-- page : 3 -->", Some(3)),
            ("<!-- pages 3 -->", None),
            ("<!-- page -->", None),
            ("<!-- page 3 of 4 -->", None),
            ("<!-- page 99999999999 -->", None),
            ("<!-- page 1 --> text", None),
            ("<!-- page12 -->", None),
            ("<!--\npage 1\n-->", None),
        ] {
            assert_eq!(page_marker(html), page, "{html}");
        }
    }
}
