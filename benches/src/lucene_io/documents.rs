//! The seed's documents, from a fixed generator; shared with the runner of tantivy.

/// Documents of as many fields each, every one a GUID of 36 characters.
#[derive(Debug)]
pub(super) struct Documents {
    /// Names of the fields.
    pub(super) names: Vec<String>,
    /// All GUIDs one behind the other, as text and as Java and .NET hold it.
    text: String,
    units: Vec<u16>,
}

const GUID: usize = 36;

/// So many documents of 100 GUIDs: the seed's.
pub(super) fn documents(count: usize) -> Documents {
    documents_of(count, 100)
}

/// So many documents of so many GUIDs.
pub(super) fn documents_of(count: usize, fields: usize) -> Documents {
    let mut random = fastrand::Rng::with_seed(1207);
    let names: Vec<String> = (0..fields).map(|i| format!("field{i:02}")).collect();
    let text: String = (0..count * names.len() * GUID)
        .map(|i| if [8, 13, 18, 23].contains(&(i % GUID)) { '-' } else { random.digit(16) })
        .collect();
    let units = text.encode_utf16().collect();
    Documents { names, text, units }
}

impl Documents {
    /// Name and value of every field of every document.
    pub(super) fn texts(&self) -> impl Iterator<Item = impl Iterator<Item = (&str, &str)>> {
        self.places().map(|fields| fields.map(|(name, at)| (name, &self.text[at..at + GUID])))
    }

    /// The same as UTF-16.
    pub(super) fn units(&self) -> impl Iterator<Item = impl Iterator<Item = (&str, &[u16])>> {
        self.places().map(|fields| fields.map(|(name, at)| (name, &self.units[at..at + GUID])))
    }

    fn places(&self) -> impl Iterator<Item = impl Iterator<Item = (&str, usize)>> {
        let document = self.names.len() * GUID;
        (0..self.units.len()).step_by(document).map(|at| {
            let names = self.names.iter().map(String::as_str);
            names.zip((at..).step_by(GUID))
        })
    }
}
