//! What a runner prints: one JSON object a line, on standard output. Nothing else goes there.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Raised when a line changes its meaning; `bench compare` refuses a runner of another number.
pub const PROTOCOL: u32 = 1;

/// The name under which the duplicate of `after`, the null control, is reported.
pub const NULL: &str = "(null)";

/// The name under which the clock is reported when it is asked for as a variant: work whose time
/// depends on the processor's speed alone. An older runner knows no such variant and leaves it out.
pub const CLOCK: &str = "(clock)";

/// The function that callgrind's `--toggle-collect` and `--dump-after` name, as valgrind demangles it
/// (`--dump-after` takes no pattern).
pub const REGION: &str = "onecopy_benches::count::onecopy_bench_region";

/// How often the counted region runs its call, so that what the region itself costs does not show.
pub const REGION_CALLS: u64 = 50;

/// A line of a runner.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "snake_case")]
pub enum Line {
    /// The first line: who speaks.
    Hello(Hello),
    /// A case begins; if the process dies now, this case killed it.
    Start {
        /// The case.
        case: String,
    },
    /// Slices of one case in one process.
    Time(Time),
    /// Allocations of one variant.
    Alloc(Alloc),
    /// A variant was run once inside the counted region (callgrind holds the count).
    Counted {
        /// The case.
        case: String,
        /// The variant or peer.
        variant: String,
    },
    /// A variant's digest, right or wrong.
    Digest {
        /// The case.
        case: String,
        /// The variant or peer.
        variant: String,
        /// 16 hex digits.
        digest: String,
    },
    /// A variant panicked; the case ends here, the runner goes on with the next.
    Panicked {
        /// The case.
        case: String,
        /// The variant or peer.
        variant: String,
        /// The panic's message.
        message: String,
    },
    /// The definition and the registry disagree.
    Definition {
        /// The case.
        case: String,
        /// What is wrong.
        message: String,
    },
    /// The last line.
    Done,
}

/// Who speaks.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Hello {
    /// [`PROTOCOL`] of the runner.
    pub protocol: u32,
    /// The instruction set in force: "portable", "sse2", "avx2" or "avx512".
    pub tier: String,
    /// The compiler that built it.
    pub rustc: String,
    /// The target triple.
    pub target: String,
    /// Registered variants and peers of every case, by case name.
    pub registered: BTreeMap<String, Vec<String>>,
}

/// All variants of a case, slice by slice.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Time {
    /// The case.
    pub case: String,
    /// Nanoseconds a call, one figure a round, by variant; [`NULL`] is the duplicate of `after`,
    /// [`CLOCK`] the clock.
    /// Figures of the same index were taken in the same round, in random order.
    pub rounds: BTreeMap<String, Vec<f64>>,
}

/// Heap use of one call and of ten.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Alloc {
    /// The case.
    pub case: String,
    /// The variant or peer.
    pub variant: String,
    /// Of one call, on its own thread, after one warm-up call.
    pub one: Counts,
    /// Of ten calls in a row: ten times `one`, or the variant is not steady.
    pub ten: Counts,
    /// What other threads allocated meanwhile, in calls of `alloc`: 0 unless the case has threads.
    pub elsewhere: u64,
}

impl Alloc {
    /// Whether ten calls did ten times what one does.
    #[must_use]
    pub fn is_steady(&self) -> bool {
        self.ten.allocs == 10 * self.one.allocs
            && self.ten.bytes == 10 * self.one.bytes
            && self.ten.reallocs == 10 * self.one.reallocs
            && self.ten.leak == 10 * self.one.leak
    }
}

/// Heap use of a region.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Calls of `alloc`.
    pub allocs: u64,
    /// Bytes of those, plus what `realloc` grew.
    pub bytes: u64,
    /// Calls of `realloc`.
    pub reallocs: u64,
    /// Most bytes live at once, above those live at the start.
    pub peak: u64,
    /// Bytes live at the end, above those live at the start; negative when more was freed.
    pub leak: i64,
}
