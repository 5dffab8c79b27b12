//! Where this library's memory is from.

#![allow(unsafe_code, reason = "a global allocator cannot be written without")]

use std::alloc::{GlobalAlloc, Layout, System};

use libmimalloc_sys::{
    mi_free, mi_malloc, mi_malloc_aligned, mi_realloc, mi_realloc_aligned, mi_zalloc, mi_zalloc_aligned,
};

/// Memory of at least so many bytes is the system's: it can move pages instead of copying them, and takes them back at once. So the vectors
/// of a document of 100 MB have the peak that they have without mimalloc.
const LARGE: usize = 1 << 20;

/// mimalloc aligns every block to this, or to its size if that is less.
const ALIGNED: usize = 16;

/// mimalloc for what is small. In one run, `structure` took 7 to 11 % less CPU time than with glibc (en_ps, tldr), a batch of tldr 14 %;
/// another thread that frees a block never makes one wait that allocates.
pub(crate) struct Allocator;

fn is_small(layout: Layout) -> bool {
    layout.size() < LARGE
}

/// Whether mimalloc need not be told about the alignment. Telling costs it a slower path.
fn is_aligned(layout: Layout) -> bool {
    layout.align() <= ALIGNED && layout.align() <= layout.size()
}

// SAFETY: both allocators keep the contract of `GlobalAlloc`. Which of them owns a block depends on nothing but the size in its layout, and
// the caller passes the layout of the allocation (or the last reallocation) to `dealloc` and `realloc`; where a new size belongs to the
// other one, the block moves. In mimalloc, all ways of allocating go with all ways of freeing; where reallocating is not told about the
// alignment, the new size is at least the alignment too.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !is_small(layout) {
            return unsafe { System.alloc(layout) };
        }
        if is_aligned(layout) {
            unsafe { mi_malloc(layout.size()).cast() }
        } else {
            unsafe { mi_malloc_aligned(layout.size(), layout.align()).cast() }
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if !is_small(layout) {
            return unsafe { System.alloc_zeroed(layout) };
        }
        if is_aligned(layout) {
            unsafe { mi_zalloc(layout.size()).cast() }
        } else {
            unsafe { mi_zalloc_aligned(layout.size(), layout.align()).cast() }
        }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if is_small(layout) { unsafe { mi_free(block.cast()) } } else { unsafe { System.dealloc(block, layout) } }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        match (is_small(layout), new_size < LARGE) {
            (true, true) if is_aligned(layout) && layout.align() <= new_size => unsafe {
                mi_realloc(block.cast(), new_size).cast()
            },
            (true, true) => unsafe { mi_realloc_aligned(block.cast(), new_size, layout.align()).cast() },
            (false, false) => unsafe { System.realloc(block, layout, new_size) },
            _ => unsafe { moved(block, layout, new_size) },
        }
    }
}

/// The block in memory of the allocator that owns the new size; null, and the old block left as it is, if there is none.
///
/// # Safety
/// That of `GlobalAlloc::realloc`.
#[cold]
unsafe fn moved(block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
    // SAFETY: the caller keeps `new_size`, rounded up to the alignment, within `isize`.
    let new = unsafe { Allocator.alloc(Layout::from_size_align_unchecked(new_size, layout.align())) };
    if !new.is_null() {
        // SAFETY: both blocks have that many bytes, and a new block overlaps none.
        unsafe {
            std::ptr::copy_nonoverlapping(block, new, layout.size().min(new_size));
            Allocator.dealloc(block, layout);
        }
    }
    new
}
