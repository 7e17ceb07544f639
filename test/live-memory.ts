// How much memory is really in use: after collections of garbage, so that a test can say what must not be kept.
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Bytes of objects and buffers that something still holds. */
export async function liveMemory(): Promise<number> {
  // What a first collection finishes (closed handles, buffers that are freed beside it) is seen by the second.
  collect()
  await setImmediate()
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
