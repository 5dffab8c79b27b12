//! Things that one thread at a time uses.

use std::cell::Cell;
use std::sync::Mutex;

const PLACES: usize = 16;

/// Places for things that are made when first needed. A thread takes the place that it used last, and a new one the first that is free: so
/// threads that come and go (a batch makes its own) find things that have learnt something, and those that stay keep theirs in their core's cache.
///
/// Nothing here waits: where all places are taken, and in a process forked while one was, a thing is made for the one use.
pub(super) struct Pool<T> {
    places: [Place<T>; PLACES],
}

/// In cache lines of its own (processors fetch them in pairs): else each thread's locking would take the line from the others.
#[repr(align(128))]
struct Place<T>(Mutex<Option<Box<T>>>);

impl<T> Pool<T> {
    pub(super) const fn new() -> Self {
        Self { places: [const { Place(Mutex::new(None)) }; PLACES] }
    }

    /// Calls `work` with a thing.
    pub(super) fn with<R>(&self, make: impl FnOnce() -> T, work: impl FnOnce(&mut T) -> R) -> R {
        for place in std::iter::once(PLACE.get()).chain(0..PLACES) {
            if let Ok(mut thing) = self.places[place].0.try_lock() {
                PLACE.set(place);
                return work(thing.get_or_insert_with(|| Box::new(make())));
            }
        }
        work(&mut make())
    }
}

thread_local! {
    static PLACE: Cell<usize> = const { Cell::new(0) };
}
