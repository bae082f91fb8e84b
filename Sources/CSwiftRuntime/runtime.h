// A function of the Swift runtime that the language has no spelling for; it is in every runtime since Swift 3, on all
// platforms. See "Runtime.md" in the Swift repository, which lists the runtime's entry points.

#ifndef LOAM_SWIFT_RUNTIME_H
#define LOAM_SWIFT_RUNTIME_H

/// Retains an object unless it is being destroyed already.
///
/// The object's memory must be valid, if only by an unowned reference. Returns the object, retained, or null.
void *_Nullable swift_tryRetain(void *_Nonnull object);

#endif
