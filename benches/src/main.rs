//! The runner of the light cases: see `onecopy_benches::runner`.

fn main() -> std::process::ExitCode {
    onecopy_benches::runner::main(&onecopy_benches::registry())
}
