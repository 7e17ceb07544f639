// What V8 is told of a process that only takes deliveries: what it makes is gone as soon as they are answered.
import { setFlagsFromString } from 'node:v8'

/**
 * Has V8 expect that. By itself it may conclude, from a few deliveries that were in memory when it looked, that such as them will stay, and hold
 * the body of each until the whole heap is collected; and as the heap is small, and bodies count, it does so several times a second. Both were a
 * quarter of the processor time, and the slowest answers (docs/performance.md). In return memory may grow to four times what is kept.
 */
export function expectShortLives(): void {
  // Read whenever code is optimized, or a limit set anew: so they may be set late.
  setFlagsFromString('--no-allocation-site-pretenuring')
  setFlagsFromString('--heap-growing-percent=300')
}
