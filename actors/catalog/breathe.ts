/** Lets what waits in this thread go first: a search, the heartbeat. To be called between slices of long work. */
export function breathe(): Promise<void> {
  return new Promise(setImmediate);
}
