/** A sign of life on standard error while something takes longer than a moment. */

const FIRST_MS = 1_000;

export async function whileWaiting<Value>(what: string, work: () => Promise<Value>): Promise<Value> {
  const begin = Date.now();
  const timer = setInterval(() => console.error(`${what}, ${Math.round((Date.now() - begin) / 1_000)} s`), FIRST_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
