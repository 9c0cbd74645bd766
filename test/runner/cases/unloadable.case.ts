/** A file that fails before it has tests. */
throw new Error("This file cannot be loaded");
