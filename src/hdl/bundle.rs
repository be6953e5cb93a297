//! Records of signals, generic in the leaf: one shape for ports, payloads, widths and test values.

use super::instance::Instance;
use super::ir::Op;
use super::scope::Scope;
use super::signal::Signal;

/// A record all of whose fields have type `Leaf`; made with [`bundle!`](crate::bundle).
pub trait Bundle: Sized {
    /// The type of every field.
    type Leaf;
    /// The same record with another leaf type.
    type With<U>: Bundle<Leaf = U>;

    /// Makes each field from its name.
    fn from_fields(make: impl FnMut(&'static str) -> Self::Leaf) -> Self;

    /// Turns each field into another.
    fn map<U>(self, f: impl FnMut(&'static str, Self::Leaf) -> U) -> Self::With<U>;
}

/// Declares a [`Bundle`]: `bundle! { /// doc  pub MacIn { a, b, acc } }` is a struct `MacIn<T> { a: T, b: T, acc: T }`.
#[macro_export]
macro_rules! bundle {
    ($($(#[$meta:meta])* $vis:vis $name:ident { $($(#[$field_meta:meta])* $field:ident),+ $(,)? })+) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        // Fields that make sense together only are described with the record.
        #[allow(missing_docs)]
        $vis struct $name<T> { $($(#[$field_meta])* pub $field: T),+ }

        impl<T> $crate::hdl::Bundle for $name<T> {
            type Leaf = T;
            type With<U> = $name<U>;

            fn from_fields(mut make: impl FnMut(&'static str) -> T) -> Self {
                $name { $($field: make(stringify!($field))),+ }
            }

            fn map<U>(self, mut f: impl FnMut(&'static str, T) -> U) -> $name<U> {
                $name { $($field: f(stringify!($field), self.$field)),+ }
            }
        }
    )+};
}

bundle! {
    /// A payload of one field.
    pub Data {
        /// The payload itself.
        data,
    }
}

impl Scope {
    /// Declares an input port for each field, `prefix_field`, of the given widths.
    #[track_caller]
    pub fn inputs<'m, B: Bundle<Leaf = u32>>(&'m self, prefix: &str, widths: B) -> B::With<Signal<'m>> {
        let loc = self.here();
        widths.map(|field, width| self.input_at(&join(prefix, field), width, loc))
    }

    /// Declares an output port for each field, `prefix_field`.
    #[track_caller]
    pub fn outputs<'m, B: Bundle<Leaf = Signal<'m>>>(&'m self, prefix: &str, values: B) {
        let loc = self.here();
        values.map(|field, value| self.output_at(&join(prefix, field), value, loc));
    }

    /// All fields side by side, the first one lowest.
    #[track_caller]
    pub(super) fn pack_bundle<'m, B: Bundle<Leaf = Signal<'m>>>(&'m self, values: B) -> (Signal<'m>, B::With<u32>) {
        let mut parts = Vec::new();
        let widths = values.map(|_, value| {
            parts.push(value);
            value.width()
        });
        (self.pack(&parts), widths)
    }
}

impl<'m> Instance<'m> {
    /// Drives the input port of each field, `prefix_field`.
    #[track_caller]
    pub fn set_bundle<B: Bundle<Leaf = Signal<'m>>>(&self, prefix: &str, values: B) -> &Instance<'m> {
        let loc = self.scope().here();
        values.map(|field, value| {
            self.set_at(&join(prefix, field), value, loc);
        });
        self
    }

    /// The output ports of all fields, `prefix_field`.
    #[track_caller]
    pub fn get_bundle<B: Bundle<Leaf = Signal<'m>>>(&self, prefix: &str) -> B {
        let loc = self.scope().here();
        B::from_fields(|field| self.get_at(&join(prefix, field), loc))
    }
}

/// Splits a packed signal into the fields that `widths` describes.
pub(super) fn unpack_bundle<'m, B: Bundle<Leaf = u32>>(packed: Signal<'m>, widths: B) -> B::With<Signal<'m>> {
    let mut lo = 0;
    widths.map(|_, width| {
        let field = packed.slice(lo, width);
        lo += width;
        // A field that spans the whole signal must still be a node of its own, so that naming it renames nothing else.
        if width == packed.width { packed.scope.add(Op::Wire(Some(packed.id)), width, packed.loc()) } else { field }
    })
}

fn join(prefix: &str, field: &str) -> String {
    if prefix.is_empty() { field.to_string() } else { format!("{prefix}_{field}") }
}
