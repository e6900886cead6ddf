import CSurfSockets

/// Gives memory that was freed back to the system.
package func trimMemory() { surf_trim_memory() }
