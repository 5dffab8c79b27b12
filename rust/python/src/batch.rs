//! Many documents on several threads, with the GIL released and an eye on Ctrl-C.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::chunk::Chunk;
use crate::chunker::{Chunker, Failure};
use crate::input::{Input, document};
use crate::view::Source;

/// How often a waiting thread looks for Ctrl-C.
const LOOK: Duration = Duration::from_millis(50);

/// Documents that wait for a thread; enough that none runs dry, few enough that memory is not held for them.
const WAITING: usize = 64;

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
fn wait<T>(messages: &Receiver<T>, cancel: &AtomicBool) -> PyResult<()> {
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
fn panicked() -> PyErr {
    pyo3::exceptions::PyRuntimeError::new_err("a chunkwright thread failed: this is a bug, please report the document")
}

type Entry = Result<Arc<Source>, (Failure, String)>;

/// A document that could not even be read, or the place of one that is being cut.
enum Slot {
    Bad(PyErr),
    Running,
}

pub(crate) fn chunk_many(
    py: Python<'_>,
    chunker: &Chunker,
    documents: &Bound<'_, PyAny>,
    document_ids: Option<Vec<String>>,
    threads: usize,
) -> PyResult<Vec<Py<PyAny>>> {
    let mut inputs = Inputs { documents: documents.try_iter()?, ids: document_ids.map(VecDeque::from), index: 0 };
    let (slots, mut results) =
        if threads == 1 { alone(py, chunker, &mut inputs)? } else { together(py, chunker, &mut inputs, threads)? };
    inputs.check_ids()?;
    let mut entries = Vec::with_capacity(slots.len());
    for (index, slot) in slots.into_iter().enumerate() {
        let result = results.get_mut(index).and_then(Option::take);
        entries.push(match (slot, result) {
            (Slot::Bad(error), _) => error.into_value(py).into_any(),
            (Slot::Running, Some(Ok(source))) => chunks(py, &source)?,
            (Slot::Running, Some(Err((failure, name)))) => failure.error(py, Some(&name)).into_value(py).into_any(),
            (Slot::Running, None) => return Err(panicked()),
        });
    }
    Ok(entries)
}

fn chunks(py: Python<'_>, source: &Arc<Source>) -> PyResult<Py<PyAny>> {
    let chunks: PyResult<Vec<_>> = Chunk::of(source).map(|chunk| Py::new(py, chunk)).collect();
    Ok(PyList::new(py, chunks?)?.into_any().unbind())
}

/// The documents of a batch, read one by one.
struct Inputs<'py> {
    documents: Bound<'py, pyo3::types::PyIterator>,
    ids: Option<VecDeque<String>>,
    index: usize,
}

impl Inputs<'_> {
    /// The next document (or why it cannot be read) with its name.
    fn next(&mut self) -> PyResult<Option<(PyResult<Input>, String)>> {
        let Some(value) = self.documents.next() else { return Ok(None) };
        let value = value?;
        let id = match &mut self.ids {
            None => None,
            Some(ids) => Some(ids.pop_front().ok_or_else(too_few_ids)?),
        };
        let place = format!("number {}", self.index);
        self.index += 1;
        let input = document(&value, id, Some(&place));
        let own = input.as_ref().ok().and_then(|input| input.document_id.clone());
        Ok(Some((input, own.unwrap_or(place))))
    }

    fn check_ids(&self) -> PyResult<()> {
        let left = self.ids.as_ref().map_or(0, VecDeque::len);
        if left == 0 {
            return Ok(());
        }
        let what =
            format!("document_ids has {left} more entries than there are documents: give one id for each document");
        Err(pyo3::exceptions::PyValueError::new_err(what))
    }
}

fn too_few_ids() -> PyErr {
    pyo3::exceptions::PyValueError::new_err(
        "document_ids has fewer entries than there are documents: give one id for each document",
    )
}

type Run = (Vec<Slot>, Vec<Option<Entry>>);

/// All documents on this thread.
fn alone(py: Python<'_>, chunker: &Chunker, inputs: &mut Inputs<'_>) -> PyResult<Run> {
    let (mut slots, mut results) = (Vec::new(), Vec::new());
    while let Some((input, name)) = inputs.next()? {
        py.check_signals()?;
        match input {
            Err(error) => {
                slots.push(Slot::Bad(error));
                results.push(None);
            }
            Ok(input) => {
                let result = chunker.run_here(py, input)?;
                slots.push(Slot::Running);
                results.push(Some(result.map_err(|failure| (failure, name))));
            }
        }
    }
    Ok((slots, results))
}

/// This thread reads documents (which needs the GIL), the others cut them (which does not).
fn together(py: Python<'_>, chunker: &Chunker, inputs: &mut Inputs<'_>, threads: usize) -> PyResult<Run> {
    let cancel = AtomicBool::new(false);
    let (sender, receiver) = sync_channel::<(usize, Input, String)>(WAITING);
    let receiver = Mutex::new(receiver);
    let results = Mutex::new(Vec::new());
    let mut slots = Vec::new();
    let outcome = thread::scope(|scope| {
        let (alive, ended) = channel::<()>();
        for _ in 0..threads {
            let alive = alive.clone();
            let (receiver, results, cancel) = (&receiver, &results, &cancel);
            scope.spawn(move || {
                work(chunker, receiver, results, cancel);
                drop(alive);
            });
        }
        drop(alive);
        let fed = feed(py, inputs, &sender, &mut slots);
        // Threads end when nothing more can come.
        drop(sender);
        let cancel = &cancel;
        if fed.is_err() {
            cancel.store(true, Ordering::Relaxed);
        }
        let waited = py.detach(move || wait(&ended, cancel));
        fed.and(waited)
    });
    outcome?;
    let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok((slots, results))
}

fn work(
    chunker: &Chunker,
    receiver: &Mutex<Receiver<(usize, Input, String)>>,
    results: &Mutex<Vec<Option<Entry>>>,
    cancel: &AtomicBool,
) {
    loop {
        let next = receiver.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((index, input, name)) = next else { return };
        if cancel.load(Ordering::Relaxed) {
            continue;
        }
        let entry = chunker.run(input, cancel).map_err(|failure| (failure, name));
        let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
        if results.len() <= index {
            results.resize_with(index + 1, || None);
        }
        results[index] = Some(entry);
    }
}

fn feed(
    py: Python<'_>,
    inputs: &mut Inputs<'_>,
    sender: &SyncSender<(usize, Input, String)>,
    slots: &mut Vec<Slot>,
) -> PyResult<()> {
    while let Some((input, name)) = inputs.next()? {
        let index = slots.len();
        let input = match input {
            Ok(input) => input,
            Err(error) => {
                slots.push(Slot::Bad(error));
                continue;
            }
        };
        slots.push(Slot::Running);
        let mut task = (index, input, name);
        while let Err(TrySendError::Full(back)) = sender.try_send(task) {
            task = back;
            py.check_signals()?;
            py.detach(|| thread::sleep(Duration::from_micros(200)));
        }
    }
    Ok(())
}
