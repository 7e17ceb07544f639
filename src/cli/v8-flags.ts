// What V8 is told of a process that only takes deliveries: what it makes is gone as soon as they are answered.
import { setFlagsFromString } from 'node:v8'

/**
 * Has V8 expect that. By itself it may conclude, from a few deliveries that were in memory when it looked, that such as them will stay: then the body
 * of each is held until the whole heap is collected, and that has to be done several times a second (docs/decisions/0037).
 */
export function expectShortLives(): void {
  // Read whenever code is optimized: so it may be set late.
  setFlagsFromString('--no-allocation-site-pretenuring')
}
