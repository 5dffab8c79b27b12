//! Things that one thread at a time uses.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Mutex;
use std::thread;

const PLACES: usize = 16;

/// Places for things that are made when first needed. A thread finds the one that it used last, if no other took it.
///
/// Nothing here waits: where all places are taken, and in a process forked while one was, a thing is made for the one use.
pub(super) struct Pool<T> {
    places: [Mutex<Option<Box<T>>>; PLACES],
}

impl<T> Pool<T> {
    pub(super) const fn new() -> Self {
        Self { places: [const { Mutex::new(None) }; PLACES] }
    }

    /// Calls `work` with a thing.
    pub(super) fn with<R>(&self, make: impl FnOnce() -> T, work: impl FnOnce(&mut T) -> R) -> R {
        let first = PLACE.with(|place| *place);
        for i in 0..PLACES {
            if let Ok(mut place) = self.places[(first + i) % PLACES].try_lock() {
                return work(place.get_or_insert_with(|| Box::new(make())));
            }
        }
        work(&mut make())
    }
}

thread_local! {
    static PLACE: usize = {
        let mut hasher = DefaultHasher::new();
        thread::current().id().hash(&mut hasher);
        hasher.finish() as usize % PLACES
    };
}
