//! Cases by name: code registers here what `cases/*.toml` describes.
//!
//! ```
//! use onecopy_benches::registry::Registry;
//!
//! let mut registry = Registry::default();
//! registry
//!     .case("demo/upper/short", || String::from("abc"))
//!     // returns its output
//!     .variant("before", |text: &'static String| text.chars().flat_map(char::to_uppercase).collect::<String>())
//!     // keeps a buffer between calls and shows what borrows from it
//!     .stateful("after", |_| String::new(), |buffer, text, sink| {
//!         buffer.clear();
//!         buffer.push_str(text);
//!         buffer.make_ascii_uppercase();
//!         sink.see(buffer.as_str());
//!     });
//! let case = registry.find("demo/upper/short").unwrap();
//! assert_eq!(case.build("before").unwrap().digest(), case.build("after").unwrap().digest());
//! ```

use crate::digest::Digest;
use crate::subject::{Returning, Showing, Sink, Subject};
use std::any::Any;
use std::cell::OnceCell;
use std::fmt;

/// All registered cases.
#[derive(Debug, Default)]
pub struct Registry {
    cases: Vec<Case>,
}

type Input = &'static (dyn Any + 'static);
type Build = Box<dyn Fn(Input) -> Box<dyn Subject>>;

/// One registered case: its input, made once a process and shared by all variants, so that they
/// read the same bytes at the same address, and its variants.
pub struct Case {
    name: &'static str,
    make: Box<dyn Fn() -> Input>,
    input: OnceCell<Input>,
    variants: Vec<(&'static str, Build)>,
}

impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Case").field("name", &self.name).field("variants", &self.names()).finish()
    }
}

impl Registry {
    /// Opens a case; `make` makes its input (kept for the life of the process).
    ///
    /// # Panics
    /// When the name is registered already.
    pub fn case<I: 'static>(
        &mut self,
        name: &'static str,
        make: impl Fn() -> I + 'static,
    ) -> CaseBuilder<'_, I> {
        assert!(self.find(name).is_none(), "case `{name}` is registered twice");
        self.cases.push(Case {
            name,
            make: Box::new(move || Box::leak(Box::new(make()))),
            input: OnceCell::new(),
            variants: Vec::new(),
        });
        let at = self.cases.len() - 1;
        CaseBuilder { case: &mut self.cases[at], input: std::marker::PhantomData }
    }

    /// The case of that name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Case> {
        self.cases.iter().find(|c| c.name == name)
    }

    /// All cases, in the order of registration.
    #[must_use]
    pub fn cases(&self) -> &[Case] {
        &self.cases
    }
}

impl Case {
    /// `crate/what/variant-of-input`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The names of its variants and peers.
    #[must_use]
    pub fn names(&self) -> Vec<&'static str> {
        self.variants.iter().map(|(name, _)| *name).collect()
    }

    /// Makes a variant ready to run, with a fresh state.
    #[must_use]
    pub fn build(&self, variant: &str) -> Option<Box<dyn Subject>> {
        let (_, build) = self.variants.iter().find(|(name, _)| *name == variant)?;
        Some(build(*self.input.get_or_init(|| (self.make)())))
    }
}

/// Adds variants to a case.
#[derive(Debug)]
pub struct CaseBuilder<'r, I> {
    case: &'r mut Case,
    input: std::marker::PhantomData<I>,
}

impl<I: 'static> CaseBuilder<'_, I> {
    /// A variant that keeps nothing between calls and returns its output; the drop of the output
    /// is part of the call.
    ///
    /// # Panics
    /// When the variant is registered already.
    pub fn variant<O, F>(self, name: &'static str, call: F) -> Self
    where
        O: Digest,
        F: Fn(&'static I) -> O + Copy + 'static,
    {
        self.add(name, Box::new(move |input| Box::new(Returning { input: down::<I>(input), call })))
    }

    /// A variant that shows its values to the sink (many of them, or ones that borrow from what
    /// lives during the call only).
    ///
    /// # Panics
    /// When the variant is registered already.
    pub fn showing<F>(self, name: &'static str, call: F) -> Self
    where
        F: Fn(&'static I, &mut Sink) + Copy + 'static,
    {
        self.add(name, Box::new(move |input| Box::new(Showing { input: down::<I>(input), call })))
    }

    /// A variant with a state of its own, made outside the measured region.
    ///
    /// # Panics
    /// When the variant is registered already.
    pub fn stateful<S, M, F>(self, name: &'static str, make: M, call: F) -> Self
    where
        S: 'static,
        M: Fn(&'static I) -> S + 'static,
        F: Fn(&mut S, &'static I, &mut Sink) + Copy + 'static,
    {
        self.add(
            name,
            Box::new(move |input| {
                let input = down::<I>(input);
                let mut state = make(input);
                Box::new(Showing {
                    input,
                    call: move |input: &'static I, sink: &mut Sink| call(&mut state, input, sink),
                })
            }),
        )
    }

    fn add(self, name: &'static str, build: Build) -> Self {
        assert!(
            self.case.variants.iter().all(|(known, _)| *known != name),
            "case `{}`: `{name}` is registered twice",
            self.case.name
        );
        self.case.variants.push((name, build));
        self
    }
}

fn down<I: 'static>(input: Input) -> &'static I {
    input.downcast_ref().expect("a case's input has the type its variants were registered with")
}
