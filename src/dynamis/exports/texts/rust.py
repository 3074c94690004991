"""The parts of an exported Rust crate that are the same for every robot."""

from __future__ import annotations

CARGO = """\
[package]
name = "NAME"
version = "0.1.0"
edition = "2021"
publish = false

[features]
default = ["std"]
# Sines, cosines and square roots of the standard library; without it the crate has its own and needs core alone.
std = []

[lib]
test = false
doctest = false

[[test]]
name = "vectors"
harness = false
"""
LIBRARY = """\
HEAD
//!
//! Functions take arrays by reference and return arrays: no allocation, no state, no unsafe code, no panic.
//! They stand here for f64, and in [`single`] for f32. Matrices are arrays of rows.
#![no_std]
#![forbid(unsafe_code)]
#![allow(non_snake_case, unused_imports, unused_variables, clippy::all)]

#[cfg(feature = "std")]
extern crate std;

mod math;

mod double {
    use crate::math::double::*;
    type Real = f64;
    include!("functions.rs");
}
pub use double::*;

/// The same functions for f32.
pub mod single {
    use crate::math::single::*;
    type Real = f32;
    include!("functions.rs");
}
"""
MATH = """\
//! Sine, cosine and square root of std; where there is no std, these. Within 2 ulp for angles up to 1e5 rad in f64 and
//! 1e4 rad in f32; farther angles lose accuracy in proportion to their size.
#![allow(dead_code)]

pub mod MODULE {
    #[cfg(not(feature = "std"))]
    pub use self::plain::{cos, sin, sqrt};
    #[cfg(feature = "std")]
    pub use self::standard::{cos, sin, sqrt};

    pub fn sign(x: REAL) -> REAL {
        if x > 0.0 { 1.0 } else if x < 0.0 { -1.0 } else { x }
    }

    pub fn min(a: REAL, b: REAL) -> REAL {
        if b < a { b } else { a }
    }

    pub fn max(a: REAL, b: REAL) -> REAL {
        if b > a { b } else { a }
    }

    /// The nearest integer, an even one between two.
    pub fn round(x: REAL) -> REAL {
        /// From here on every number is whole.
        const LEAST: REAL = WHOLE;
        if x >= 0.0 && x < LEAST {
            (x + LEAST) - LEAST
        } else if x < 0.0 && x > -LEAST {
            (x - LEAST) + LEAST
        } else {
            x
        }
    }

    #[cfg(feature = "std")]
    mod standard {
        pub fn sin(x: REAL) -> REAL {
            x.sin()
        }

        pub fn cos(x: REAL) -> REAL {
            x.cos()
        }

        pub fn sqrt(x: REAL) -> REAL {
            x.sqrt()
        }
    }

    pub mod plain {
        /// pi/2 as a sum; the first two times an integer are exact.
        const HALF_PI: [REAL; 3] = [PARTS];
        /// sin r = r + r^3 P(r^2)
        const P: [REAL; COUNT] = [SINE];
        /// cos r = 1 - r^2/2 + r^4 Q(r^2)
        const Q: [REAL; COUNT] = [COSINE];

        pub fn sin(x: REAL) -> REAL {
            let (quadrant, r, t) = reduce(x);
            match quadrant {
                0 => sine(r, t),
                1 => cosine(r, t),
                2 => -sine(r, t),
                _ => -cosine(r, t),
            }
        }

        pub fn cos(x: REAL) -> REAL {
            let (quadrant, r, t) = reduce(x);
            match quadrant {
                0 => cosine(r, t),
                1 => -sine(r, t),
                2 => -cosine(r, t),
                _ => sine(r, t),
            }
        }

        /// x = k pi/2 + r + t, with |r| <= pi/4 and a tiny t: k mod 4, r, t.
        fn reduce(x: REAL) -> (i32, REAL, REAL) {
            let near = x >= -LIMIT && x <= LIMIT;
            let x = if near { x } else { x % core::REAL::consts::TAU };
            let turns = x * core::REAL::consts::FRAC_2_PI;
            let k = (if turns < 0.0 { turns - 0.5 } else { turns + 0.5 }) as i32;
            let n = k as REAL;
            let a = x - n * HALF_PI[0];
            let b = n * HALF_PI[1];
            let c = n * HALF_PI[2];
            let rest = a - b;
            let r = rest - c;
            (k & 3, r, ((a - rest) - b) + ((rest - r) - c))
        }

        fn sine(r: REAL, t: REAL) -> REAL {
            let z = r * r;
            r + (r * z * polynomial(&P, z) + t * (1.0 - 0.5 * z))
        }

        fn cosine(r: REAL, t: REAL) -> REAL {
            let z = r * r;
            let near = 1.0 - 0.5 * z;
            near + (z * z * polynomial(&Q, z) + ((1.0 - near) - 0.5 * z - r * t))
        }

        fn polynomial(coefficients: &[REAL; COUNT], z: REAL) -> REAL {
            let mut value = 0.0;
            for coefficient in coefficients.iter().rev() {
                value = value * z + coefficient;
            }
            value
        }

        /// Newton's method, from above until it stands still.
        pub fn sqrt(x: REAL) -> REAL {
            if !(x > 0.0 && x < REAL::INFINITY) {
                return if x < 0.0 { REAL::NAN } else { x };
            }
            let guess = REAL::from_bits((x.to_bits() >> 1) + EXPONENT);
            let mut y = 0.5 * (guess + x / guess);
            loop {
                let next = 0.5 * (y + x / y);
                if next >= y {
                    return y;
                }
                y = next;
            }
        }
    }
}
"""
MAIN = """\
//! Runs every function on the states of vectors.json, in f64 and f32: cargo test, and cargo test --no-default-features
#![allow(non_snake_case, unused_imports, unused_variables, clippy::all)]

#[path = "../src/math.rs"]
mod math;

CHECKS

fn compare(worst: &mut f64, values: impl Iterator<Item = f64>, expected: &[f64], tolerance: f64) {
    let mut count = 0;
    for (value, wanted) in values.zip(expected) {
        let error = (value - wanted).abs() / tolerance;
        if !(error <= *worst) {
            *worst = if error.is_nan() { f64::INFINITY } else { error };
        }
        count += 1;
    }
    assert_eq!(count, expected.len());
}

fn report(name: &str, worst: [f64; 2]) -> bool {
    println!("{name:<32} largest error {:.3} of the tolerance in f64, {:.3} in f32", worst[0], worst[1]);
    worst[0] <= 1.0 && worst[1] <= 1.0
}

/// The functions that take the place of std's: errors in those of 4 units in the last place of the largest value.
fn without_std() -> [f64; 2] {
    let mut worst = [0.0_f64; 2];
    for k in -20000..20000 {
        let x = 0.37 * k as f64;
        let y = x.abs();
        let double = [math::double::plain::sin(x) - x.sin(), math::double::plain::cos(x) - x.cos(),
            (math::double::plain::sqrt(y) - y.sqrt()) / (1.0 + y)];
        let (x, y) = (x as f32, y as f32);
        let single = [math::single::plain::sin(x) - x.sin(), math::single::plain::cos(x) - x.cos(),
            (math::single::plain::sqrt(y) - y.sqrt()) / (1.0 + y)];
        for j in 0..3 {
            worst[0] = worst[0].max(double[j].abs() / (4.0 * f64::EPSILON));
            worst[1] = worst[1].max(single[j].abs() as f64 / (4.0 * f32::EPSILON as f64));
        }
    }
    worst
}

fn main() {
    let mut passed = report("sin, cos and sqrt without std", without_std());
CALLS
    if !passed {
        println!("FAILED");
        std::process::exit(1);
    }
    println!("all functions agree with the reference");
}
"""
