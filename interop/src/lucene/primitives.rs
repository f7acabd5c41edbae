//! Thousands of generated values: what the counterpart writes must be what we write, and what it
//! reads from our bytes, whole, damaged or cut, must be what we read.

use super::answer::{self, Form};
use super::question::{Expected, Question, Value, op, outcome, value};
use super::texts::{SEED, stored};
use crate::counterpart::Tally;
use anyhow::{Context as _, Result, ensure};
use fastrand::Rng;

/// How many values of each kind.
const EACH: usize = 1500;

/// What a counterpart can be asked.
#[derive(Debug)]
pub(super) struct Skills {
    pub(super) form: Form,
    pub(super) ops: &'static [u8],
    /// Lone surrogates, noncharacters, values that are refused, and input that is not what was
    /// written.
    pub(super) faults: bool,
}

/// All questions, in an order that mixes the operations.
pub(super) fn questions(skills: &Skills) -> Vec<Question> {
    let mut rng = Rng::with_seed(SEED);
    let mut questions = Vec::new();
    for _ in 0..EACH {
        for op in skills.ops {
            let value = value(&mut rng, *op);
            if !skills.faults && !is_plain(&value) {
                continue;
            }
            let (_, answer) = answer::written(&value, skills.form).swap_remove(0);
            let mut bytes = answer[1..].to_vec();
            let mut expected = expected(&mut rng, &value);
            // A footer ends the file, anything else may have something behind it.
            if *op != op::FOOTER && rng.bool() {
                bytes.push(rng.u8(..));
            }
            if skills.faults && rng.bool() {
                damage(&mut rng, *op, &mut bytes);
            }
            if rng.u8(..10) == 0 {
                expected.suffix.push('x');
            }
            let readable = match *op {
                // Java's decoder replaces an encoded surrogate by one U+FFFD, ours (as .NET's) by
                // three: a known difference, tested in the crate.
                op::TEXT => !has_encoded_surrogate(&bytes),
                // No lossy read of these is offered.
                op::MAP | op::SET => {
                    let (_, answer) =
                        answer::read(*op, &bytes, &expected, skills.form).swap_remove(0);
                    answer != [outcome::NOT_UTF8]
                }
                op::FOOTER => bytes.len() >= 16,
                _ => true,
            };
            questions.push(Question::Write(value));
            if readable {
                questions.push(Question::Read { op: *op, bytes, expected });
            }
        }
    }
    questions
}

/// Nothing that only Java handles as we do.
fn is_plain(value: &Value) -> bool {
    match value {
        Value::Text(units) => {
            String::from_utf16(units).is_ok() && !units.iter().any(|unit| *unit >= 0xFFFE)
        }
        Value::VLong(n) => *n >= 0,
        // It writes them in an order of its own.
        Value::Map(entries) => {
            let noncharacter = |text: &str| text.contains(['\u{FFFE}', '\u{FFFF}']);
            let mut texts = entries.iter().flat_map(|(key, value)| [key, value]);
            entries.len() < 2 && !texts.any(|text| noncharacter(text))
        }
        _ => true,
    }
}

/// What to expect of a header: mostly what is in it.
fn expected(rng: &mut Rng, value: &Value) -> Expected {
    let (Value::Header(codec, version) | Value::IndexHeader(codec, version, ..)) = value else {
        return Expected::default();
    };
    let (min, max) = match rng.u8(..6) {
        0 => (version.saturating_add(1), i32::MAX),
        1 => (i32::MIN, version.saturating_sub(1)),
        _ => (version.saturating_sub(rng.i32(0..3)), version.saturating_add(rng.i32(0..3))),
    };
    let mut codec = stored(codec);
    if rng.u8(..10) == 0 {
        codec.push('x');
    }
    let (id, suffix) = match value {
        Value::IndexHeader(_, _, id, suffix) => (*id, stored(suffix)),
        _ => ([0; 16], String::new()),
    };
    Expected { codec, min, max, id, suffix }
}

fn damage(rng: &mut Rng, op: u8, bytes: &mut Vec<u8>) {
    match rng.u8(..4) {
        0 => bytes.truncate(rng.usize(..=bytes.len())),
        1 if matches!(op, op::VINT | op::VLONG | op::ZINT | op::ZLONG) => {
            // Often too long for what it is.
            let long = rng.usize(4..11);
            *bytes = (0..long).map(|_| rng.u8(0x80..)).collect();
            bytes.push(rng.u8(..));
        }
        1 if op == op::TEXT && rng.bool() => {
            // A length below zero.
            *bytes = (0..4).map(|_| rng.u8(0x80..)).collect();
            bytes.push(rng.u8(0x08..0x10));
        }
        1 => *bytes = (0..rng.usize(..40)).map(|_| rng.u8(..)).collect(),
        2 if matches!(op, op::MAP | op::SET) => {
            // Counts below zero and beyond what is there.
            let first = bytes.first_mut();
            first.into_iter().for_each(|byte| *byte ^= 1 << rng.u8(..8));
        }
        _ if bytes.is_empty() => {}
        _ => {
            let at = rng.usize(..bytes.len());
            bytes[at] ^= 1 << rng.u8(..8);
        }
    }
}

fn has_encoded_surrogate(bytes: &[u8]) -> bool {
    bytes.windows(2).any(|pair| pair[0] == 0xED && pair[1] >= 0xA0)
}

/// Asks all questions at once and compares the answers.
pub(super) fn check(
    skills: &Skills,
    ask: impl FnOnce(&[u8]) -> Result<Vec<u8>>,
    tally: &mut Tally,
) -> Result<()> {
    let questions = questions(skills);
    let mut records = Vec::new();
    questions.iter().for_each(|question| question.record(&mut records));
    let answers = ask(&records)?;
    let mut answers = answers.as_slice();
    for (at, question) in questions.iter().enumerate() {
        let theirs = next(&mut answers).with_context(|| format!("answer {at}"))?;
        let ours = match question {
            Question::Write(value) => answer::written(value, skills.form),
            Question::Read { op, bytes, expected } => {
                answer::read(*op, bytes, expected, skills.form)
            }
        };
        for (how, ours) in ours {
            // Java reads all of a codec's name before it compares; ours sees by its length that it
            // is another, also where it is cut.
            let cut = [outcome::EOF] == *theirs && [outcome::CORRUPT] == ours[..];
            let ours = if cut && question.is_of_a_header() { theirs } else { &ours[..] };
            tally.compare(Asked { at, how, question }, ours, theirs);
        }
    }
    ensure!(answers.is_empty(), "{} bytes more than asked for", answers.len());
    println!("{} questions on the primitives", questions.len());
    Ok(())
}

/// Cuts the next answer off.
fn next<'a>(answers: &mut &'a [u8]) -> Result<&'a [u8]> {
    let (length, rest) = answers.split_first_chunk::<4>().context("no answer")?;
    let length = usize::try_from(i32::from_be_bytes(*length))?;
    let (answer, rest) = rest.split_at_checked(length).context("a cut answer")?;
    *answers = rest;
    Ok(answer)
}

/// What a failure says of its question: enough to ask it again.
struct Asked<'a> {
    at: usize,
    how: &'a str,
    question: &'a Question,
}

impl std::fmt::Display for Asked<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { at, how, question } = self;
        write!(f, "{how}: seed {SEED:#x}, question {at}: {:.400}", format!("{question:?}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    const ALL: &[u8] = &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

    #[test]
    fn questions_repeat_and_have_every_outcome() {
        let skills = Skills { form: Form::New, ops: ALL, faults: true };
        let questions = questions(&skills);
        assert_eq!(questions, super::questions(&skills));
        let mut outcomes = BTreeMap::<(u8, u8), usize>::new();
        for question in &questions {
            if let Question::Read { op, bytes, expected } = question {
                let answers = answer::read(*op, bytes, expected, Form::New);
                *outcomes.entry((*op, answers[0].1[0])).or_default() += 1;
            }
        }
        let seen = |op, outcome| outcomes.get(&(op, outcome)).copied().unwrap_or_default();
        for op in ALL {
            assert!(seen(*op, outcome::FINE) > 100, "{op}: {outcomes:?}");
        }
        for op in [op::VINT, op::VLONG, op::ZINT, op::ZLONG] {
            assert!(seen(op, outcome::BAD_INTEGER) > 20, "{op}: {outcomes:?}");
        }
        for op in [op::HEADER, op::INDEX_HEADER] {
            for outcome in [outcome::CORRUPT, outcome::TOO_OLD, outcome::TOO_NEW, outcome::EOF] {
                assert!(seen(op, outcome) > 20, "{op}: {outcomes:?}");
            }
        }
        assert!(seen(op::FOOTER, outcome::CORRUPT) > 100, "{outcomes:?}");
        assert!(seen(op::TEXT, outcome::NEGATIVE_LENGTH) > 0, "{outcomes:?}");
    }

    #[test]
    fn answers_are_cut_apart() {
        let mut answers: &[u8] = &[0, 0, 0, 1, 7, 0, 0, 0, 0, 0, 0, 0, 9];
        assert_eq!(next(&mut answers).unwrap(), [7]);
        assert!(next(&mut answers).unwrap().is_empty());
        assert!(next(&mut answers).is_err());
    }
}
