//! pktpool
