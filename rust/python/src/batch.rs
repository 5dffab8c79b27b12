//! Many documents, on this thread or on several.

use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::sync::mpsc::channel;
use std::thread;

use pyo3::prelude::*;

use crate::chunk::Chunk;
use crate::chunker::{Chunker, LARGE};
use crate::input::{Input, document};
use crate::interrupt::{panicked, wait};
use crate::queue::{Outcome, Queue, Task};

/// One entry a document, in order: a list of chunks, or the exception that says why there is none.
pub(crate) fn chunk_many(
    py: Python<'_>,
    chunker: &Chunker,
    documents: &Bound<'_, PyAny>,
    document_ids: Option<Vec<String>>,
    threads: usize,
) -> PyResult<Vec<Py<PyAny>>> {
    let mut inputs = Inputs { documents: documents.try_iter()?, ids: document_ids.map(VecDeque::from), index: 0 };
    let mut entries = Entries { py, chunker, list: Vec::new() };
    if threads == 1 {
        alone(&mut inputs, &mut entries)?;
    } else {
        together(&mut inputs, &mut entries, threads)?;
    }
    inputs.check_ids()?;
    entries.finish()
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

/// What Python gets for each document that was read, once it is known.
struct Entries<'a, 'py> {
    py: Python<'py>,
    chunker: &'a Chunker,
    list: Vec<Entry>,
}

enum Entry {
    /// Not known yet; the document's name.
    Open(String),
    Known(Py<PyAny>),
}

impl Entries<'_, '_> {
    /// A document that is to be cut, or nothing for one that could not be read.
    fn add(&mut self, input: PyResult<Input>, name: String) -> Option<Task> {
        let index = self.list.len();
        match input {
            Ok(input) => {
                self.list.push(Entry::Open(name));
                Some(Task { index, input })
            }
            Err(error) => {
                self.list.push(Entry::Known(error.into_value(self.py).into_any()));
                None
            }
        }
    }

    fn set(&mut self, (index, outcome): (usize, Outcome)) -> PyResult<()> {
        let entry = &mut self.list[index];
        let known = match (outcome, &entry) {
            (Ok(source), _) => Chunk::list(self.py, &source)?.into_any().unbind(),
            (Err(failure), Entry::Open(name)) => failure.error(self.py, Some(name)).into_value(self.py).into_any(),
            (Err(failure), Entry::Known(_)) => failure.error(self.py, None).into_value(self.py).into_any(),
        };
        *entry = Entry::Known(known);
        Ok(())
    }

    /// Cuts one document on this thread, looking for Ctrl-C if it is a large one.
    fn cut(&mut self, Task { index, input }: Task) -> PyResult<()> {
        let outcome = self.chunker.run_here(self.py, input)?;
        self.set((index, outcome))
    }

    fn finish(self) -> PyResult<Vec<Py<PyAny>>> {
        let known = |entry| match entry {
            Entry::Known(known) => Ok(known),
            Entry::Open(_) => Err(panicked()),
        };
        self.list.into_iter().map(known).collect()
    }
}

/// All documents on this thread.
fn alone(inputs: &mut Inputs<'_>, entries: &mut Entries<'_, '_>) -> PyResult<()> {
    while let Some((input, name)) = inputs.next()? {
        entries.py.check_signals()?;
        if let Some(task) = entries.add(input, name) {
            entries.cut(task)?;
        }
    }
    Ok(())
}

/// This thread reads documents and makes objects, which needs the GIL, and in between cuts documents as the others do, which does not.
fn together(inputs: &mut Inputs<'_>, entries: &mut Entries<'_, '_>, threads: usize) -> PyResult<()> {
    let (py, chunker) = (entries.py, entries.chunker);
    let queue = Queue::default();
    thread::scope(|scope| {
        let (alive, ended) = channel::<()>();
        let mut others = threads - 1;
        let mut help = || {
            if others > 0 {
                others -= 1;
                let (alive, queue) = (alive.clone(), &queue);
                scope.spawn(move || {
                    queue.serve(chunker);
                    drop(alive);
                });
            }
        };
        let outcome = share(&queue, inputs, entries, &mut help);
        drop(alive);
        if outcome.is_err() {
            queue.cancel.store(true, Ordering::Relaxed);
        }
        queue.close();
        let cancel = &queue.cancel;
        let waited = py.detach(move || wait(&ended, cancel));
        outcome.and(waited)
    })?;
    queue.done().into_iter().try_for_each(|done| entries.set(done))
}

/// Reads all documents, and cuts until none waits; `help` starts another thread, if there may be one.
fn share(
    queue: &Queue,
    inputs: &mut Inputs<'_>,
    entries: &mut Entries<'_, '_>,
    help: &mut impl FnMut(),
) -> PyResult<()> {
    let (py, chunker) = (entries.py, entries.chunker);
    let mut is_more = true;
    loop {
        py.check_signals()?;
        while is_more && !queue.is_full() {
            match inputs.next()? {
                None => is_more = false,
                Some((input, name)) => {
                    if entries.add(input, name).is_some_and(|task| queue.push(task)) {
                        help();
                    }
                }
            }
        }
        queue.done().into_iter().try_for_each(|done| entries.set(done))?;
        let mut tasks = queue.take();
        if tasks.first().is_some_and(|task| task.len() >= LARGE) {
            // It is the only one.
            tasks.drain(..).try_for_each(|task| entries.cut(task))?;
        } else if tasks.is_empty() && !is_more {
            return Ok(());
        }
        let done = py.detach(|| queue.cut(chunker, tasks));
        done.into_iter().try_for_each(|done| entries.set(done))?;
    }
}
