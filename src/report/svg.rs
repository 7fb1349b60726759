//! A picture in SVG, written element by element: coordinates in CSS pixels, y downwards.
//!
//! Colours and fonts are left to the page's style sheet, so that a picture follows dark and light and prints well.

use std::fmt::{self, Display, Write};

/// A length or coordinate, to a tenth of a pixel.
#[derive(Debug, Clone, Copy)]
pub struct Px(pub f64);

impl Display for Px {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tenths = (self.0 * 10.0).round() as i64;
        match (tenths.abs() % 10, tenths.abs() / 10) {
            (0, whole) if tenths < 0 => write!(f, "-{whole}"),
            (0, whole) => write!(f, "{whole}"),
            (tenth, whole) if tenths < 0 => write!(f, "-{whole}.{tenth}"),
            (tenth, whole) => write!(f, "{whole}.{tenth}"),
        }
    }
}

/// A text with the characters replaced that mark-up gives a meaning.
pub struct Escaped<'a>(pub &'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '&' => f.write_str("&amp;")?,
                '"' => f.write_str("&quot;")?,
                _ => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

/// Picture with its caption.
#[derive(Debug)]
pub struct Panel {
    /// SVG.
    pub svg: String,
    /// A sentence or two.
    pub caption: String,
}

/// A picture that is being drawn; later elements cover earlier ones.
#[derive(Debug, Default)]
pub struct Picture {
    body: String,
}

impl Picture {
    /// Adds mark-up.
    fn add(&mut self, element: fmt::Arguments<'_>) {
        // a String takes everything
        let _ = self.body.write_fmt(element);
    }

    /// Opens a group whose elements share a class.
    pub fn open(&mut self, class: &str) {
        self.add(format_args!("<g class=\"{class}\">"));
    }

    /// Closes the group opened last.
    pub fn close(&mut self) {
        self.add(format_args!("</g>"));
    }

    /// A straight line.
    pub fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(Px);
        self.add(format_args!("<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>"));
    }

    /// A rectangle, given its upper left corner and its size; `title` is shown under the pointer if it is not empty.
    pub fn rect(&mut self, class: &str, corner: (f64, f64), size: (f64, f64), title: &str) {
        let [x, y, w, h] = [corner.0, corner.1, size.0, size.1].map(Px);
        self.add(format_args!("<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\""));
        self.end("rect", title);
    }

    /// A circle.
    pub fn circle(&mut self, class: &str, centre: (f64, f64), radius: f64, data: &str, title: &str) {
        let [x, y, r] = [centre.0, centre.1, radius].map(Px);
        self.add(format_args!("<circle class=\"{class}\" {data} cx=\"{x}\" cy=\"{y}\" r=\"{r}\""));
        self.end("circle", title);
    }

    /// A curve in SVG's path language.
    pub fn path(&mut self, class: &str, d: &str, data: &str, title: &str) {
        self.add(format_args!("<path class=\"{class}\" {data} d=\"{d}\""));
        self.end("path", title);
    }

    /// A rectangle in the fewest bytes, for pictures of thousands; the class is that of its group.
    pub fn cell(&mut self, corner: (f64, f64), size: (f64, f64), packet: u32, title: &str) {
        let [x, y, w, h] = [corner.0, corner.1, size.0, size.1].map(Px);
        self.add(format_args!("<path data-p=\"{packet}\" d=\"M{x} {y}h{w}v{h}h-{w}z\""));
        self.end("path", title);
    }

    /// Cycles `from..from + count` side by side, in which the page's script marks one.
    pub fn window(&mut self, corner: (f64, f64), size: (f64, f64), from: u32, count: u32) {
        let [x, y, w, h] = [corner.0, corner.1, size.0, size.1].map(Px);
        self.add(format_args!(
            "<rect class=\"window\" data-from=\"{from}\" data-count=\"{count}\" x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\"/>"
        ));
    }

    /// A text at its baseline's start, middle or end as the class has it.
    pub fn text(&mut self, class: &str, at: (f64, f64), text: &str) {
        let (x, y) = (Px(at.0), Px(at.1));
        self.add(format_args!("<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{}</text>", Escaped(text)));
    }

    fn end(&mut self, name: &str, title: &str) {
        match title {
            "" => self.add(format_args!("/>")),
            _ => self.add(format_args!("><title>{}</title></{name}>", Escaped(title))),
        }
    }

    /// The picture: `id` is unique on the page, `title` and `description` are read aloud in its place.
    pub fn finish(self, id: &str, title: &str, description: &str, size: (f64, f64)) -> String {
        let (w, h) = (Px(size.0.ceil()), Px(size.1.ceil()));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"{id}\" role=\"img\" aria-labelledby=\"{id}-t {id}-d\" \
             viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\"><title id=\"{id}-t\">{}</title><desc id=\"{id}-d\">{}</desc>{}</svg>",
            Escaped(title),
            Escaped(description),
            self.body
        )
    }
}

/// The distance of marks on an axis of `span` units, so that there are about `marks`: 1, 2 or 5 times a power of ten.
pub fn tick(span: u32, marks: u32) -> u32 {
    let least = span.div_ceil(marks.max(1)).max(1);
    let power = 10u32.pow(least.ilog10());
    [1, 2, 5].map(|n| n * power).into_iter().find(|&t| t >= least).unwrap_or(power.saturating_mul(10))
}

/// Up to `limit` of `n` things, the first and the last of them, with None where some are left out.
pub fn shown(n: u32, limit: u32) -> Vec<Option<u32>> {
    if n <= limit {
        return (0..n).map(Some).collect();
    }
    let last = limit / 4;
    (0..limit - last - 1).map(Some).chain([None]).chain((n - last..n).map(Some)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_short() {
        let shown = [0.0, 1.25, -0.04, -3.96, 12.0].map(|v| Px(v).to_string());
        assert_eq!(shown, ["0", "1.3", "0", "-4", "12"]);
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!([(14, 20), (34, 20), (130, 20), (8194, 20), (0, 5)].map(|(s, n)| tick(s, n)), [1, 2, 10, 500, 1]);
    }

    #[test]
    fn what_is_left_out_leaves_a_gap() {
        assert_eq!(shown(3, 4), [Some(0), Some(1), Some(2)]);
        assert_eq!(shown(9, 5), [Some(0), Some(1), Some(2), None, Some(8)]);
    }

    #[test]
    fn texts_are_escaped() {
        let mut picture = Picture::default();
        picture.text("a", (0.0, 0.0), "<&>");
        assert!(picture.finish("x", "a\"b", "", (1.0, 1.0)).contains("&lt;&amp;&gt;"));
    }
}
