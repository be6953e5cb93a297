//! The syntax of Liberty: nested groups of attributes.

/// `kind (arguments) { ... }`.
#[derive(Debug, Default)]
pub struct Group<'a> {
    pub kind: &'a str,
    arguments: Vec<&'a str>,
    /// `name : value;`
    simple: Vec<(&'a str, &'a str)>,
    /// `name (values);`
    complex: Vec<(&'a str, Vec<&'a str>)>,
    groups: Vec<Group<'a>>,
}

impl<'a> Group<'a> {
    /// The first argument.
    pub fn name(&self) -> Option<&'a str> {
        self.arguments.first().copied()
    }

    /// The groups of a kind in it.
    pub fn groups(&self, kind: &str) -> impl Iterator<Item = &Group<'a>> {
        self.groups.iter().filter(move |group| group.kind == kind)
    }

    /// The value of a simple attribute, without quotes.
    pub fn attribute(&self, name: &str) -> Option<&'a str> {
        self.simple.iter().find(|(other, _)| *other == name).map(|(_, value)| *value)
    }

    /// The values of a complex attribute that has `N` of them.
    pub fn complex<const N: usize>(&self, name: &str) -> Option<[&'a str; N]> {
        let (_, values) = self.complex.iter().find(|(other, _)| *other == name)?;
        values.as_slice().try_into().ok()
    }
}

/// Groups within groups; real libraries need six.
const MAX_DEPTH: usize = 32;

/// The group `library` that makes up the text.
pub fn library(text: &str) -> Result<Group<'_>, String> {
    let mut parser = Parser { text, at: 0 };
    parser.skip_space();
    if parser.rest().is_empty() {
        return Err("it is empty".to_owned());
    }
    let mut file = Group::default();
    parser.statement(&mut file, 0)?;
    file.groups
        .pop()
        .filter(|group| group.kind == "library")
        .ok_or_else(|| "it does not begin with `library`".to_owned())
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn line(&self) -> usize {
        1 + self.text.as_bytes()[..self.at].iter().filter(|byte| **byte == b'\n').count()
    }

    fn problem(&self, what: &str) -> String {
        match self.peek() {
            None => "it ends within a group".to_owned(),
            Some(_) => {
                let found: String = self.rest().chars().take_while(|c| !c.is_control()).take(20).collect();
                format!("line {}: {what} instead of `{}`", self.line(), found.escape_debug())
            }
        }
    }

    /// White space, comments and continued lines.
    fn skip_space(&mut self) {
        loop {
            let rest = self.rest();
            if rest.starts_with(|c: char| c.is_ascii_whitespace() || c == '\\') {
                self.at += 1;
            } else if rest.starts_with("/*") {
                self.at += rest.find("*/").map_or(rest.len(), |end| end + 2);
            } else if rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else {
                return;
            }
        }
    }

    fn take(&mut self, wanted: u8) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn word(&mut self) -> Result<&'a str, String> {
        let is_inside = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.[]:-+".contains(byte);
        // A colon may be within a word, but the one after the name of an attribute is not.
        let rest = self.rest();
        let length = rest.bytes().position(|byte| !is_inside(&byte) || byte == b':').unwrap_or(rest.len());
        if length == 0 {
            return Err(self.problem("a name is expected"));
        }
        self.at += length;
        Ok(&rest[..length])
    }

    /// A quoted string, whose quotes are left out, or everything up to one of the bytes `ends`.
    fn value(&mut self, ends: &[u8]) -> Result<&'a str, String> {
        if self.take(b'"') {
            let rest = self.rest();
            let length = rest.find('"').ok_or_else(|| format!("line {}: a string does not end", self.line()))?;
            self.at += length + 1;
            return Ok(&rest[..length]);
        }
        let rest = self.rest();
        let length = rest.bytes().position(|byte| ends.contains(&byte)).unwrap_or(rest.len());
        self.at += length;
        Ok(rest[..length].trim())
    }

    /// One attribute or group, which is added to `group`.
    fn statement(&mut self, group: &mut Group<'a>, depth: usize) -> Result<(), String> {
        let name = self.word()?;
        self.skip_space();
        if self.take(b':') {
            self.skip_space();
            let value = self.value(b";\n}")?;
            group.simple.push((name, value));
        } else if self.take(b'(') {
            let values = self.arguments()?;
            self.skip_space();
            if self.take(b'{') {
                if depth == MAX_DEPTH {
                    return Err(format!("line {}: groups are nested too deep", self.line()));
                }
                let mut inner = Group { kind: name, arguments: values, ..Group::default() };
                self.statements(&mut inner, depth + 1)?;
                group.groups.push(inner);
            } else {
                group.complex.push((name, values));
            }
        } else {
            return Err(self.problem("`:` or `(` is expected"));
        }
        self.skip_space();
        self.take(b';');
        Ok(())
    }

    /// Everything up to the brace that closes the group, with it.
    fn statements(&mut self, group: &mut Group<'a>, depth: usize) -> Result<(), String> {
        loop {
            self.skip_space();
            if self.take(b'}') {
                return Ok(());
            }
            if !self.take(b';') {
                self.statement(group, depth)?;
            }
        }
    }

    /// Values in parentheses, of which the first has been taken.
    fn arguments(&mut self) -> Result<Vec<&'a str>, String> {
        let mut values = Vec::new();
        loop {
            self.skip_space();
            if self.take(b')') {
                return Ok(values);
            }
            if self.take(b',') {
                continue;
            }
            if self.peek().is_none() {
                return Err(self.problem(""));
            }
            values.push(self.value(b",)\n\\")?);
        }
    }
}
