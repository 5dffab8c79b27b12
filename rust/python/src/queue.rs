//! Documents that wait for a thread, and what became of those that had one.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::chunker::{Chunker, Failure};
use crate::input::Input;
use crate::view::Source;

/// Bytes that a thread takes at a time: so many that taking them costs nothing beside cutting them, so few that all threads end together.
pub(crate) const GRAIN: usize = 16 << 10;

/// Documents and bytes that wait at most: enough that no thread runs dry while the caller cuts one itself, few enough that memory is not held
/// for them.
const WAITING: (usize, usize) = (1024, 4 << 20);

/// A document of a batch. What it owns becomes part of its chunks: were a thread to free what another made, the C library would hand it out
/// again in this thread, and each time it grows there the two would wait for each other.
pub(crate) struct Task {
    pub(crate) index: usize,
    pub(crate) input: Input,
}

impl Task {
    pub(crate) fn len(&self) -> usize {
        self.input.body.len()
    }
}

/// A document's chunks, or why it has none.
pub(crate) type Outcome = Result<Arc<Source>, Failure>;

#[derive(Default)]
pub(crate) struct Queue {
    waiting: Mutex<Waiting>,
    more: Condvar,
    done: Mutex<Vec<(usize, Outcome)>>,
    pub(crate) cancel: AtomicBool,
}

#[derive(Default)]
struct Waiting {
    tasks: VecDeque<Task>,
    bytes: usize,
    /// Threads that wait for tasks and that nobody has called yet.
    idle: usize,
    closed: bool,
}

impl Waiting {
    /// A grain of tasks, but no more than half of them, so that others have some to take; at least one if there are any.
    fn take(&mut self) -> Vec<Task> {
        let most = self.tasks.len().div_ceil(2);
        let (mut count, mut bytes) = (0, 0);
        for task in self.tasks.iter().take(most) {
            if count > 0 && bytes + task.len() > GRAIN {
                break;
            }
            count += 1;
            bytes += task.len();
        }
        self.bytes -= bytes;
        self.tasks.drain(..count).collect()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Queue {
    pub(crate) fn is_full(&self) -> bool {
        let waiting = lock(&self.waiting);
        waiting.tasks.len() >= WAITING.0 || waiting.bytes >= WAITING.1
    }

    /// Adds a task. Results in whether more threads would find something to do.
    pub(crate) fn push(&self, task: Task) -> bool {
        let mut waiting = lock(&self.waiting);
        waiting.bytes += task.len();
        waiting.tasks.push_back(task);
        if waiting.idle == 0 {
            return waiting.bytes > GRAIN;
        }
        waiting.idle -= 1;
        drop(waiting);
        self.more.notify_one();
        false
    }

    /// Tasks for a thread, none if none wait.
    pub(crate) fn take(&self) -> Vec<Task> {
        lock(&self.waiting).take()
    }

    /// Nothing is added any more.
    pub(crate) fn close(&self) {
        lock(&self.waiting).closed = true;
        self.more.notify_all();
    }

    /// What was cut since the last call, in any order.
    pub(crate) fn done(&self) -> Vec<(usize, Outcome)> {
        lock(&self.done).drain(..).collect()
    }

    /// Cuts tasks until the queue is closed and empty.
    pub(crate) fn serve(&self, chunker: &Chunker) {
        loop {
            let tasks = self.wait();
            if tasks.is_empty() {
                return;
            }
            let outcomes = self.cut(chunker, tasks);
            lock(&self.done).extend(outcomes);
        }
    }

    /// Tasks, none when there will be none.
    fn wait(&self) -> Vec<Task> {
        let mut waiting = lock(&self.waiting);
        while waiting.tasks.is_empty() && !waiting.closed {
            waiting.idle += 1;
            waiting = self.more.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
        waiting.take()
    }

    /// Cuts tasks, without the GIL; those that are left when the batch is given up are dropped.
    pub(crate) fn cut(&self, chunker: &Chunker, tasks: Vec<Task>) -> Vec<(usize, Outcome)> {
        let mut outcomes = Vec::with_capacity(tasks.len());
        for Task { index, input } in tasks {
            if self.cancel.load(Ordering::Relaxed) {
                break;
            }
            outcomes.push((index, chunker.run(input, &self.cancel)));
        }
        outcomes
    }
}
