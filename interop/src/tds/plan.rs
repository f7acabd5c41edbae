//! What each client is told to ask, and what it is to find.

use super::question::{Question, WHOLE};
use super::values::{Row, Value};
use serde::Serialize;

/// One connection.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Session {
    /// How the server is to write: see [`Responder`](super::responder::Responder).
    pub(super) user: String,
    /// What the client asks for; 0 when it cannot.
    pub(super) packet_size: usize,
    pub(super) asks: Vec<Ask>,
}

/// One question.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Ask {
    pub(super) how: How,
    pub(super) sql: String,
    #[serde(skip)]
    pub(super) question: Question,
}

/// How it is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum How {
    /// As a batch.
    Batch,
    /// As a call of `sp_executesql`, with a value of the answer before it for a parameter.
    Call,
    /// As a batch that is cancelled after the first rows.
    Cancel,
}

/// What a client can do.
#[derive(Debug, Clone, Copy)]
pub(super) struct Skills {
    /// It asks for a packet size; else the server insists on one.
    pub(super) packet_size: bool,
    /// It calls `sp_executesql`, so a value can be sent back.
    pub(super) call: bool,
    /// It sends an attention.
    pub(super) cancel: bool,
}

pub(super) const SIZES: [usize; 4] = [512, 4096, 8000, 32_767];
/// Bytes of a value.
const LENGTHS: [usize; 5] = [0, 1, 1000, 65_536, 300_000];
const LARGE: usize = 10 << 20;
/// No divisor of any packet size, and it ends inside a UTF-16 unit.
const CHUNK: usize = 997;

/// All sessions of a client.
pub(super) fn sessions(skills: Skills) -> Vec<Session> {
    let mut all = Vec::new();
    for size in SIZES {
        all.push(session(skills, "whole", size, whole(skills, size)));
    }
    for size in [512, 4096] {
        all.push(session(skills, "dribble", size, dribbled(skills)));
    }
    // Every length is at every place of a packet sooner or later: some sizes of the original test.
    for size in (515..2048).step_by(219) {
        all.push(session(skills, "whole", size, vec![batch(Question::Awkward)]));
    }
    all
}

fn session(skills: Skills, pace: &str, size: usize, asks: Vec<Ask>) -> Session {
    if skills.packet_size {
        Session { user: pace.to_owned(), packet_size: size, asks }
    } else {
        Session { user: format!("{pace}-{size}"), packet_size: 0, asks }
    }
}

/// Whether this moves so much that a capture of it is not worth its time.
pub(super) fn is_large(ask: &Ask) -> bool {
    match ask.question {
        Question::Binary { len, .. } => len == LARGE,
        Question::Text { units, .. } => units == LARGE / 2,
        _ => false,
    }
}

fn whole(skills: Skills, size: usize) -> Vec<Ask> {
    let mut asks = Vec::new();
    for len in LENGTHS {
        for chunk in [WHOLE, CHUNK] {
            asks.push(batch(Question::Binary { len, chunk }));
            asks.push(batch(Question::Text { units: len.div_ceil(2), chunk }));
        }
        if skills.call {
            asks.push(call());
        }
    }
    asks.push(batch(Question::Rows(500)));
    if skills.call {
        // Both ways, a binary value too.
        asks.push(batch(Question::Binary { len: 300_001, chunk: WHOLE }));
        asks.push(call());
    }
    // A batch of many packets.
    asks.push(batch(Question::Back(super::values::text(100_000))));
    if skills.cancel {
        asks.push(Ask { how: How::Cancel, ..batch(Question::Endless) });
        // What follows is not taken for the rest of what was stopped.
        asks.push(batch(Question::Rows(20)));
    }
    // Ten megabytes a size, each in another way.
    asks.push(batch(match size {
        4096 => Question::Text { units: LARGE / 2, chunk: WHOLE },
        8000 => Question::Binary { len: LARGE, chunk: 8000 },
        _ => Question::Binary { len: LARGE, chunk: WHOLE },
    }));
    if skills.call && size >= 8000 {
        asks.push(call());
    }
    asks
}

fn dribbled(skills: Skills) -> Vec<Ask> {
    let mut asks = Vec::new();
    for len in [0, 1, 1000, 65_536] {
        asks.push(batch(Question::Binary { len, chunk: WHOLE }));
        asks.push(batch(Question::Text { units: len.div_ceil(2), chunk: CHUNK }));
    }
    if skills.call {
        asks.push(call());
    }
    asks.push(batch(Question::Rows(50)));
    if skills.cancel {
        asks.push(Ask { how: How::Cancel, ..batch(Question::Endless) });
        asks.push(batch(Question::Rows(20)));
    }
    asks
}

fn batch(question: Question) -> Ask {
    Ask { how: How::Batch, sql: question.to_string(), question }
}

fn call() -> Ask {
    Ask { how: How::Call, ..batch(Question::Parameters) }
}

impl Session {
    /// What the client is to find, answer by answer.
    pub(super) fn expected(&self) -> Vec<Vec<Row>> {
        let mut answers: Vec<Vec<Row>> = Vec::new();
        for ask in &self.asks {
            answers.push(match ask.how {
                How::Batch => ask.question.answer().rows,
                // The second column of the first row comes back.
                How::Call => {
                    let before = answers.last().and_then(|rows| rows.first()?.get(1));
                    vec![vec![before.cloned().unwrap_or(Value::Null)]]
                }
                How::Cancel => Vec::new(),
            });
        }
        answers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_call_follows_an_answer_that_has_something_to_send_back() {
        let skills = Skills { packet_size: true, call: true, cancel: true };
        for session in sessions(skills) {
            let answers = session.expected();
            for (ask, answer) in session.asks.iter().zip(&answers) {
                if ask.how == How::Call {
                    assert_ne!(answer[0][0], Value::Null);
                }
            }
        }
    }

    #[test]
    fn every_length_and_size_is_there() {
        let skills = Skills { packet_size: true, call: false, cancel: false };
        let sessions = sessions(skills);
        for size in SIZES {
            assert!(sessions.iter().any(|s| s.packet_size == size && s.user == "whole"));
        }
        let asks = sessions.iter().flat_map(|session| &session.asks);
        let mut lengths: Vec<_> = asks
            .filter_map(|ask| match ask.question {
                Question::Binary { len, .. } => Some(len),
                _ => None,
            })
            .collect();
        lengths.sort_unstable();
        lengths.dedup();
        assert_eq!(lengths, [&LENGTHS[..], &[LARGE]].concat());
    }
}
