//! Ports of the loopback interface.

use anyhow::{Context as _, Result};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};

/// `port` on loopback, after a check that nothing listens there: a server of someone else's that
/// answers in place of ours would be compared, and might even pass.
pub(crate) fn free(port: u16) -> Result<SocketAddr> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let listener = TcpListener::bind(address)
        .with_context(|| format!("port {port} of the loopback interface is not free"))?;
    // Closed at once; a port that was only listened on can be bound again.
    Ok(listener.local_addr()?)
}

/// Any free port.
pub(crate) fn any() -> Result<SocketAddr> {
    free(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_in_use_is_refused_with_its_number() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let error = format!("{:#}", free(port).unwrap_err());
        assert!(
            error.contains(&format!("port {port} of the loopback interface is not free")),
            "{error}"
        );
        drop(listener);
        assert_eq!(free(port).unwrap().port(), port);
    }

    #[test]
    fn any_port_is_a_port() {
        let address = any().unwrap();
        assert!(address.ip().is_loopback());
        assert_ne!(address.port(), 0);
    }
}
