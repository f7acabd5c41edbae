//! Programs that are run to their end, and servers that are started, waited for and ended by their
//! own process id.

use anyhow::{Context as _, Result, bail};
use std::io::Write as _;
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How long a server is given to end by itself before it is killed.
const GRACE: Duration = Duration::from_secs(10);

/// Runs a program with `input` on its stdin; its stdout, or an error with what it complained.
pub(crate) fn output(mut command: Command, input: &[u8]) -> Result<Vec<u8>> {
    let name = command.get_program().to_string_lossy().into_owned();
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().with_context(|| format!("cannot start {name}"))?;
    let mut stdin = child.stdin.take().context("stdin")?;
    let input = input.to_vec();
    // From a thread: a program that answers before it has read all must not block us both.
    let writer = thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output()?;
    let written = writer.join().ok().context("the writing thread")?;
    if !output.status.success() {
        let complaint = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        bail!("{name}: {}: {complaint}", output.status);
    }
    written.with_context(|| format!("{name} did not read its input"))?;
    Ok(output.stdout)
}

/// A program that runs beside us, ended by its own process id when this is dropped.
///
/// It stays in this process's group, so that what ends the group ends it too.
#[derive(Debug)]
pub(crate) struct Running {
    child: Child,
    name: String,
}

impl Running {
    /// Starts `command`, which gets no input and whose output nobody reads.
    pub(crate) fn start(mut command: Command) -> Result<Self> {
        let name = command.get_program().to_string_lossy().into_owned();
        command.stdin(Stdio::null()).stdout(Stdio::null());
        let child = command.spawn().with_context(|| format!("cannot start {name}"))?;
        Ok(Self { child, name })
    }

    /// Its process id.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// An error when it has ended.
    pub(crate) fn lives(&mut self) -> Result<()> {
        match self.child.try_wait()? {
            Some(status) => bail!("{} had ended by itself: {status}", self.name),
            None => Ok(()),
        }
    }

    /// Asks it to end, waits, kills it if it must; an error when it had ended before.
    pub(crate) fn stop(mut self) -> Result<ExitStatus> {
        self.lives()?;
        self.end()
    }

    fn end(&mut self) -> Result<ExitStatus> {
        if let Some(status) = self.child.try_wait()? {
            return Ok(status);
        }
        // The shell's own `kill`: a signal other than KILL needs no unsafe call for it.
        let _ = Command::new("sh").arg("-c").arg(format!("kill -TERM {}", self.id())).status();
        let asked = Instant::now();
        while asked.elapsed() < GRACE {
            if let Some(status) = self.child.try_wait()? {
                return Ok(status);
            }
            thread::sleep(Duration::from_millis(20));
        }
        self.child.kill()?;
        Ok(self.child.wait()?)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.end();
    }
}

/// A server in the foreground, ended when this is dropped.
#[derive(Debug)]
pub(crate) struct Server {
    running: Running,
    address: SocketAddr,
}

impl Server {
    /// Starts `command`, which is to listen on `address` (from [`crate::ports`]), and waits until
    /// it takes connections; an error when it ends before, or is not ready after `patience`.
    pub(crate) fn start(command: Command, address: SocketAddr, patience: Duration) -> Result<Self> {
        crate::ports::free(address.port())?;
        let running = Running::start(command)?;
        let mut server = Self { running, address };
        let start = Instant::now();
        loop {
            let Running { child, name } = &mut server.running;
            // First whether it lives: a port that answers for a dead server is someone else's.
            if let Some(status) = child.try_wait()? {
                bail!("{name} ended before it was ready: {status}");
            }
            if TcpStream::connect_timeout(&address, Duration::from_millis(200)).is_ok() {
                return Ok(server);
            }
            if start.elapsed() > patience {
                bail!("{name} does not answer on {address} after {patience:?}");
            }
            thread::sleep(Duration::from_millis(50));
        }
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Asks it to end, waits, kills it if it must; an error when it had ended before.
    pub(crate) fn stop(self) -> Result<ExitStatus> {
        self.running.stop()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ports;
    use std::net::{Ipv4Addr, TcpListener};
    use std::path::Path;

    fn sh(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.arg("-c").arg(script);
        command
    }

    #[test]
    fn a_program_gets_its_input_and_gives_its_output() {
        assert_eq!(output(sh("tr a-z A-Z"), b"abc").unwrap(), b"ABC");
        let large = vec![b'x'; 1 << 20];
        assert_eq!(output(Command::new("cat"), &large).unwrap(), large);
    }

    #[test]
    fn a_program_that_fails_says_why() {
        let error = format!("{:#}", output(sh("echo no such table >&2; exit 3"), b"").unwrap_err());
        assert!(error.contains("no such table") && error.contains('3'), "{error}");
        let error =
            format!("{:#}", output(Command::new("a-program-that-is-nowhere"), b"").unwrap_err());
        assert!(error.contains("cannot start a-program-that-is-nowhere"), "{error}");
    }

    /// A listener in Python where there is one; these tests need nothing installed.
    fn listener(address: SocketAddr, before: &str) -> Option<Command> {
        let there = Command::new("python3").arg("-c").arg("import socket").status();
        if !there.is_ok_and(|status| status.success()) {
            println!("no python3: nothing to start");
            return None;
        }
        let script = format!(
            "import signal, socket, time\n{before}\ns = socket.socket()\n\
             s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)\n\
             s.bind(('127.0.0.1', {}))\ns.listen()\nwhile True:\n    s.accept()\n",
            address.port()
        );
        let mut command = Command::new("python3");
        command.arg("-c").arg(script);
        Some(command)
    }

    fn lives(id: u32) -> bool {
        Path::new(&format!("/proc/{id}")).exists()
    }

    const PATIENCE: Duration = Duration::from_secs(20);

    #[test]
    fn a_server_is_started_waited_for_and_stopped() {
        let address = ports::any().unwrap();
        let Some(command) = listener(address, "") else { return };
        let server = Server::start(command, address, PATIENCE).unwrap();
        let id = server.running.id();
        assert!(lives(id));
        assert!(TcpStream::connect(server.address()).is_ok());
        let status = server.stop().unwrap();
        assert!(!status.success(), "ended by a signal");
        assert!(!lives(id));
        assert!(TcpStream::connect(address).is_err());
    }

    #[test]
    fn a_dropped_server_is_ended() {
        let address = ports::any().unwrap();
        let Some(command) = listener(address, "") else { return };
        let id = Server::start(command, address, PATIENCE).unwrap().running.id();
        assert!(!lives(id));
    }

    #[test]
    fn a_server_that_ignores_the_request_is_killed() {
        let address = ports::any().unwrap();
        let deaf = "signal.signal(signal.SIGTERM, signal.SIG_IGN)";
        let Some(command) = listener(address, deaf) else { return };
        let server = Server::start(command, address, PATIENCE).unwrap();
        let id = server.running.id();
        server.stop().unwrap();
        assert!(!lives(id));
    }

    #[test]
    fn a_busy_port_is_told_before_anything_is_started() {
        let busy = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let error =
            Server::start(sh("sleep 60"), busy.local_addr().unwrap(), PATIENCE).unwrap_err();
        assert!(format!("{error:#}").contains("is not free"), "{error:#}");
    }

    #[test]
    fn a_server_that_dies_or_never_answers_is_told() {
        let address = ports::any().unwrap();
        let error = Server::start(sh("exit 7"), address, PATIENCE).unwrap_err();
        assert!(format!("{error:#}").contains("ended before it was ready"), "{error:#}");
        let error =
            Server::start(sh("exec sleep 60"), address, Duration::from_millis(300)).unwrap_err();
        assert!(format!("{error:#}").contains("does not answer"), "{error:#}");
    }
}
