//! Memory keeps what is in it when it grows and shrinks from one allocator into the other.

#[path = "../src/allocator.rs"]
mod allocator;

#[global_allocator]
static ALLOCATOR: allocator::Allocator = allocator::Allocator;

/// Sizes on both sides of the border, and at it.
const SIZES: [usize; 7] = [1, 4096, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3 << 20, 9 << 20];

/// Bytes that do not repeat every page.
fn pattern(length: usize) -> Vec<u8> {
    let mut bytes: Vec<u8> = (0..length.min(4099)).map(|at| (at * 31 + at / 251) as u8).collect();
    while bytes.len() < length {
        bytes.extend_from_within(..bytes.len().min(length - bytes.len()));
    }
    bytes
}

#[test]
fn contents_survive_every_change_of_size() {
    for from in SIZES {
        for to in SIZES {
            let mut bytes = pattern(from);
            bytes.truncate(to);
            bytes.shrink_to(to);
            bytes.reserve_exact(to - bytes.len());
            assert!(bytes == pattern(from.min(to)), "{from} -> {to}");
        }
    }
}

#[test]
fn zeroed_memory_is_zero() {
    for size in SIZES {
        // Memory that was used before, if there is any.
        drop(vec![0xAA_u8; size]);
        assert!(vec![0_u8; size].iter().all(|byte| *byte == 0), "{size}");
    }
}

#[test]
fn alignment_is_kept() {
    #[derive(Clone)]
    #[repr(align(4096))]
    struct Page(#[expect(dead_code, reason = "takes room")] [u8; 4096]);

    for count in [1, 255, 256, 300] {
        let mut pages = vec![Page([1; 4096]); count];
        for _ in 0..3 {
            assert_eq!(pages.as_ptr().addr() % 4096, 0);
            pages.reserve(pages.len() + 1);
        }
    }
}

#[test]
fn threads_free_what_others_made() {
    let made: Vec<_> = (0..4).map(|_| std::thread::spawn(|| SIZES.map(pattern))).collect();
    for thread in made {
        for (bytes, size) in thread.join().unwrap_or_default().into_iter().zip(SIZES) {
            assert!(bytes == pattern(size), "{size}");
        }
    }
}
