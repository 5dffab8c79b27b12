//! Work without the GIL that Ctrl-C can end.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;

/// How often a waiting thread looks for Ctrl-C.
const LOOK: Duration = Duration::from_millis(50);

/// Runs work on a thread of its own while this one looks for Ctrl-C; a signal sets the flag that the work is given.
pub(crate) fn interruptibly<T: Send>(py: Python<'_>, work: impl FnOnce(&AtomicBool) -> T + Send) -> PyResult<T> {
    let cancel = AtomicBool::new(false);
    py.detach(|| {
        thread::scope(|scope| {
            let (done, finished) = channel();
            let cancel = &cancel;
            let worker = scope.spawn(move || {
                let result = work(cancel);
                // The receiver waits until this is sent or the thread ends.
                let _ = done.send(());
                result
            });
            let interrupted = wait(&finished, cancel);
            let result = worker.join().map_err(|_| panicked());
            interrupted.and(result)
        })
    })
}

/// Waits for a message or for the other side to end; after a signal, sets the flag and goes on waiting for the work to stop.
#[expect(
    clippy::redundant_closure_for_method_calls,
    reason = "the method's path is not general enough in its lifetime"
)]
pub(crate) fn wait<T>(messages: &Receiver<T>, cancel: &AtomicBool) -> PyResult<()> {
    let mut outcome = Ok(());
    loop {
        match messages.recv_timeout(LOOK) {
            Err(RecvTimeoutError::Timeout) if outcome.is_ok() => {
                outcome = Python::attach(|py| py.check_signals());
                if outcome.is_err() {
                    cancel.store(true, Ordering::Relaxed);
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Ok(_) | Err(RecvTimeoutError::Disconnected) => return outcome,
        }
    }
}

/// A thread of ours ended by a panic: a bug, but the caller gets an exception.
pub(crate) fn panicked() -> PyErr {
    pyo3::exceptions::PyRuntimeError::new_err("a chunkwright thread failed: this is a bug, please report the document")
}
