// The processor time of work in this process: unlike the time of the clock, it does not grow on a busy machine.

/** In milliseconds. */
export function processorTimeOf(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  return process.cpuUsage(before).user / 1_000
}
