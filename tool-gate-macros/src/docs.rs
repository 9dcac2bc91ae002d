//! From doc comments to what the model reads.

use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// The text of the doc comments among `attributes`: Markdown up to the first `# ` heading, its paragraphs on one line each.
pub(crate) fn text(attributes: &[Attribute]) -> String {
    let comments = attributes.iter().filter_map(comment).collect::<Vec<_>>();
    let mut lines = comments.iter().flat_map(|comment| comment_lines(comment)).collect::<Vec<_>>();
    unindent(&mut lines);
    join(&lines)
}

/// The first comment that some macro is to write, such as `#[doc = include_str!("…")]`.
pub(crate) fn not_literal(attributes: &[Attribute]) -> Option<&Attribute> {
    attributes.iter().find(|attribute| {
        is_doc(attribute) && matches!(attribute.meta, Meta::NameValue(_)) && comment(attribute).is_none()
    })
}

/// Whether the attribute is a doc comment, or another `#[doc]`.
pub(crate) fn is_doc(attribute: &Attribute) -> bool {
    attribute.path().is_ident("doc")
}

fn comment(attribute: &Attribute) -> Option<String> {
    match &attribute.meta {
        Meta::NameValue(meta) if meta.path.is_ident("doc") => match &meta.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    }
}

/// The lines of one comment, without the column of stars of a `/** … */`.
fn comment_lines(comment: &str) -> Vec<String> {
    let starred = comment
        .split('\n')
        .skip(1)
        .filter(|line| !line.trim().is_empty())
        .all(|line| line.trim_start().starts_with('*'));
    let unstarred = |(index, line): (usize, &str)| {
        let star = if starred && index > 0 { line.trim_start().strip_prefix('*') } else { None };
        star.unwrap_or(line).trim_end().to_owned()
    };
    comment.split('\n').enumerate().map(unstarred).collect()
}

fn unindent(lines: &mut [String]) {
    let indents =
        lines.iter().filter(|line| !line.is_empty()).map(|line| line.len() - line.trim_start_matches(' ').len());
    let indent = indents.min().unwrap_or(0);
    for line in lines.iter_mut().filter(|line| !line.is_empty()) {
        line.drain(..indent);
    }
}

fn join(lines: &[String]) -> String {
    let mut joined: Vec<String> = Vec::new();
    let mut fence = None;
    let mut may_continue = false;
    for line in lines {
        let trimmed = line.trim_start();
        if let Some(marker) = fence {
            if trimmed.starts_with(marker) {
                fence = None;
            }
            joined.push(line.clone());
            continue;
        }
        if trimmed.starts_with("# ") {
            break;
        }
        if trimmed.is_empty() {
            if joined.last().is_some_and(|last| !last.is_empty()) {
                joined.push(String::new());
            }
            may_continue = false;
            continue;
        }
        fence = ["```", "~~~"].into_iter().find(|marker| trimmed.starts_with(marker));
        let stands_alone = fence.is_some() || trimmed.starts_with(['#', '|']);
        match joined.last_mut() {
            Some(last) if may_continue && !stands_alone && !opens_block(trimmed) => {
                last.push(' ');
                last.push_str(trimmed);
            }
            _ => joined.push(line.clone()),
        }
        may_continue = !stands_alone;
    }
    joined.join("\n").trim().to_owned()
}

/// Whether a line is an item of a list or a quotation, and so stays a line of its own.
fn opens_block(line: &str) -> bool {
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = digits.len() < line.len() && (digits.starts_with(". ") || digits.starts_with(") "));
    numbered || ["- ", "* ", "+ ", "> "].iter().any(|bullet| line.starts_with(bullet))
}

#[cfg(test)]
mod tests {
    use syn::{ItemStruct, parse_str};

    fn text(source: &str) -> String {
        super::text(&parse_str::<ItemStruct>(&format!("{source}\nstruct S;")).unwrap().attrs)
    }

    #[test]
    fn a_paragraph_is_one_line_and_blank_lines_part_them() {
        assert_eq!(
            text("/// Find orders,\n/// newest first.\n///\n///\n/// At most 100."),
            "Find orders, newest first.\n\nAt most 100."
        );
    }

    #[test]
    fn it_ends_at_the_first_heading() {
        assert_eq!(text("/// Find orders.\n///\n/// # Errors\n///\n/// For Rust readers."), "Find orders.");
        assert_eq!(text("/// # Errors\n/// None."), "");
        assert_eq!(text("/// A.\n///\n/// ## Dates\n/// ISO."), "A.\n\n## Dates\nISO.");
    }

    #[test]
    fn lists_and_tables_keep_their_lines() {
        assert_eq!(
            text("/// One of:\n/// - open, which\n///   is new\n/// - shipped\n/// 1. x"),
            "One of:\n- open, which is new\n- shipped\n1. x"
        );
        assert_eq!(text("/// | a | b |\n/// | - | - |\n/// | 1 | 2 |"), "| a | b |\n| - | - |\n| 1 | 2 |");
    }

    #[test]
    fn code_is_left_alone() {
        let source = "/// Try\n/// ```sql\n/// # no heading\n///\n/// select *\n///   from t\n/// ```\n/// or not.";
        assert_eq!(text(source), "Try\n```sql\n# no heading\n\nselect *\n  from t\n```\nor not.");
    }

    #[test]
    fn block_comments_and_attributes_are_comments() {
        assert_eq!(text("/** Only orders in this state. */"), "Only orders in this state.");
        assert_eq!(text("/**\n * Find orders,\n * newest first.\n */"), "Find orders, newest first.");
        assert_eq!(text("#[doc = \"Find orders.\"]"), "Find orders.");
    }

    #[test]
    fn blank_comments_are_no_text() {
        assert_eq!(text("///\n///  "), "");
        assert_eq!(text(""), "");
    }
}
