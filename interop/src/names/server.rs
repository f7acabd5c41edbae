//! The server of downloads and uploads, by axum: each name in a header that `rfc5987` builds, and
//! each upload kept as it came.

use super::cases::{Case, FIELD};
use anyhow::{Context as _, Result, bail};
use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use rfc5987::Builder;
use std::collections::{BTreeMap, BTreeSet};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use tokio::sync::{Notify, oneshot};

/// How long a browser is kept waiting for its download to be found.
const PATIENCE: Duration = Duration::from_secs(15);

/// The values of the Content-Disposition of uploaded parts, by way and number of the case.
pub(super) type Uploads = BTreeMap<(String, usize), Vec<u8>>;

/// What happened so far.
#[derive(Debug, Default)]
struct Seen {
    saved: BTreeSet<usize>,
    uploads: Uploads,
    /// What the page said at its end.
    end: Option<String>,
}

#[derive(Debug)]
struct Site {
    cases: &'static [Case],
    seen: Mutex<Seen>,
    changed: Notify,
}

impl Site {
    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The running server, in a thread of its own; ended when this is dropped.
#[derive(Debug)]
pub(super) struct Server {
    address: SocketAddr,
    site: Arc<Site>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<Result<()>>>,
}

impl Server {
    /// Serves the cases on a free port of the loopback interface.
    pub(super) fn start(cases: &'static [Case]) -> Result<Self> {
        // Bound before anyone can ask: no client meets somebody else's server.
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let site =
            Arc::new(Site { cases, seen: Mutex::new(Seen::default()), changed: Notify::new() });
        let (stop, stopped) = oneshot::channel();
        let app = routes(Arc::clone(&site));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let thread = thread::spawn(move || {
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::from_std(listener)?;
                // Not gracefully: a browser keeps its connections.
                tokio::select! {
                    outcome = async { axum::serve(listener, app).await } => outcome?,
                    _ = stopped => {}
                }
                Ok(())
            })
        });
        Ok(Self { address, site, stop: Some(stop), thread: Some(thread) })
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }

    /// `http://…` of one of its pages.
    pub(super) fn url(&self, path: &str) -> String {
        format!("http://{}/{path}", self.address)
    }

    /// Lets the page go on after this download.
    pub(super) fn saved(&self, at: usize) {
        self.site.seen().saved.insert(at);
        self.site.changed.notify_waiters();
    }

    /// What the page said at its end, once it is there.
    pub(super) fn end(&self) -> Option<String> {
        self.site.seen().end.clone()
    }

    /// The uploads so far, which are forgotten here.
    pub(super) fn uploads(&self) -> Uploads {
        std::mem::take(&mut self.site.seen().uploads)
    }

    /// Ends it; an error when it had failed.
    pub(super) fn stop(mut self) -> Result<()> {
        self.end_thread()
    }

    fn end_thread(&mut self) -> Result<()> {
        drop(self.stop.take());
        match self.thread.take().map(JoinHandle::join) {
            None => Ok(()),
            Some(Ok(outcome)) => outcome.context("the server of names"),
            Some(Err(_)) => bail!("the server of names panicked"),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.end_thread();
    }
}

fn routes(site: Arc<Site>) -> Router {
    Router::new()
        .route("/", get(async || Html(include_str!("scripts/page.html"))))
        .route("/cases", get(cases))
        .route("/names/{at}/url-name", get(download))
        .route("/saved/{at}", get(saved))
        .route("/uploads/{way}/{at}", post(upload))
        .route("/done", post(done))
        .with_state(site)
}

/// The header under which a case is sent.
pub(super) fn header_of(name: &str) -> Result<String> {
    Ok(Builder::attachment().filename(name).build()?)
}

/// What a downloaded file holds: by it a file is known whatever it is called.
pub(super) fn content(at: usize) -> String {
    format!("case {at}\n")
}

/// As a user of the crate writes it: axum asks the builder for the header.
async fn download(State(site): State<Arc<Site>>, Path(at): Path<usize>) -> Response {
    match site.cases.get(at) {
        Some(case) => {
            (Builder::attachment().filename(&case.name), content(at).into_bytes()).into_response()
        }
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// What the clients are to send, as JSON.
async fn cases(State(site): State<Arc<Site>>) -> Response {
    let names: Vec<_> = site.cases.iter().map(|case| &case.name).collect();
    let body = serde_json::json!({ "field": FIELD, "names": names }).to_string();
    ([(header::CONTENT_TYPE, "application/json")], body).into_response()
}

/// Answers when the file has been found, or late.
async fn saved(State(site): State<Arc<Site>>, Path(at): Path<usize>) -> StatusCode {
    let found = async {
        loop {
            let changed = site.changed.notified();
            tokio::pin!(changed);
            // From here on no change is missed.
            changed.as_mut().enable();
            if site.seen().saved.contains(&at) {
                break;
            }
            changed.await;
        }
    };
    match tokio::time::timeout(PATIENCE, found).await {
        Ok(()) => StatusCode::NO_CONTENT,
        Err(_) => StatusCode::GATEWAY_TIMEOUT,
    }
}

async fn upload(
    State(site): State<Arc<Site>>,
    Path((way, at)): Path<(String, usize)>,
    headers: HeaderMap,
    body: Bytes,
) -> (StatusCode, &'static str) {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    match kind.and_then(|kind| disposition(kind, &body)) {
        Some(value) => {
            site.seen().uploads.insert((way, at), value.to_vec());
            (StatusCode::OK, "ok")
        }
        None => (StatusCode::BAD_REQUEST, "no part with a Content-Disposition"),
    }
}

async fn done(State(site): State<Arc<Site>>, outcome: String) {
    site.seen().end = Some(outcome);
}

/// The bytes of the Content-Disposition of the first part: that alone, as it came.
fn disposition<'b>(content_type: &str, body: &'b [u8]) -> Option<&'b [u8]> {
    let boundary = content_type.strip_prefix("multipart/form-data; boundary=")?.trim_matches('"');
    let rest = body.strip_prefix(b"--")?.strip_prefix(boundary.as_bytes())?;
    let rest = rest.strip_prefix(b"\r\n")?;
    let end = rest.windows(4).position(|window| window == b"\r\n\r\n")?;
    let mut lines = Lines(Some(&rest[..end]));
    lines.find_map(|line| {
        let colon = line.iter().position(|byte| *byte == b':')?;
        let (name, value) = (&line[..colon], &line[colon + 1..]);
        name.eq_ignore_ascii_case(b"content-disposition").then(|| value.trim_ascii())
    })
}

/// Cut at CR LF and nowhere else: a CR or LF alone belongs to the value.
struct Lines<'b>(Option<&'b [u8]>);

impl<'b> Iterator for Lines<'b> {
    type Item = &'b [u8];

    fn next(&mut self) -> Option<&'b [u8]> {
        let rest = self.0?;
        match rest.windows(2).position(|window| window == b"\r\n") {
            Some(end) => {
                self.0 = Some(&rest[end + 2..]);
                Some(&rest[..end])
            }
            None => {
                self.0 = None;
                Some(rest)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read as _, Write as _};
    use std::net::TcpStream;

    #[test]
    fn the_first_parts_disposition_is_found_as_it_came() {
        let body =
            b"--xyz\r\nContent-Type: a\r\ncontent-disposition: form-data; name=\"\n\xE9\"\r\n\
                     \r\nbody\r\n--xyz--\r\n";
        let of = |kind: &str| disposition(kind, body);
        let found = b"form-data; name=\"\n\xE9\"";
        assert_eq!(of("multipart/form-data; boundary=xyz"), Some(&found[..]));
        assert_eq!(of("multipart/form-data; boundary=\"xyz\""), Some(&found[..]));
        assert_eq!(of("multipart/form-data; boundary=other"), None);
        assert_eq!(of("text/plain"), None);
        assert_eq!(disposition("multipart/form-data; boundary=x", b"--x\r\nA: b\r\n\r\n"), None);
    }

    /// The response to a GET, as it came.
    fn ask(address: SocketAddr, path: &str) -> String {
        let mut stream = TcpStream::connect(address).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).unwrap();
        response
    }

    #[test]
    fn it_serves_on_loopback_every_name_in_one_line_and_ends() {
        let cases = super::super::cases::all();
        let server = Server::start(cases).unwrap();
        let address = server.address();
        assert!(address.ip().is_loopback());
        for (at, case) in cases.iter().enumerate() {
            let response = ask(address, &format!("/names/{at}/url-name"));
            let (head, body) = response.split_once("\r\n\r\n").unwrap();
            let line = format!("content-disposition: {}", header_of(&case.name).unwrap());
            let is_header = |line: &&str| line.starts_with("content-disposition");
            assert_eq!(head.lines().filter(is_header).collect::<Vec<_>>(), [line]);
            // The five of an answer and nothing that a name has brought along.
            assert_eq!(
                head.split(['\r', '\n']).filter(|line| !line.is_empty()).count(),
                6,
                "{head}"
            );
            assert_eq!(body, content(at));
        }
        assert!(ask(address, "/names/999/url-name").starts_with("HTTP/1.1 404"));
        server.stop().unwrap();
        assert!(TcpStream::connect(address).is_err());
    }
}
