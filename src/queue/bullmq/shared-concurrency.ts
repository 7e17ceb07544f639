// One concurrency for the workers of all shards: each may use what the others leave.
import { Semaphore } from 'async-mutex'

/** The worker of one shard. */
export interface ShardWorker {
  /** Runs the job of this shard when fewer than the total run. */
  run<R>(job: () => Promise<R>): Promise<R>
  /** Receives how many jobs the worker may have from now on. */
  onChange(allow: (jobs: number) => void): void
}

/**
 * A worker may have the jobs that it has and as many more as are free, but always one: a shard that just got its first
 * job takes it, and the job waits here for a free place.
 */
export function sharedConcurrency(total: number): { join(): ShardWorker } {
  const places = new Semaphore(total)
  const members: { jobs: number; allow: (jobs: number) => void }[] = []

  function tell(): void {
    const free = Math.max(0, total - members.reduce((sum, { jobs }) => sum + jobs, 0))
    for (const { jobs, allow } of members) allow(Math.max(1, jobs + free))
  }

  return {
    join() {
      const member = { jobs: 0, allow: (_: number): void => undefined }
      members.push(member)
      return {
        async run(job) {
          member.jobs += 1
          tell()
          try {
            return await places.runExclusive(job)
          } finally {
            member.jobs -= 1
            tell()
          }
        },
        onChange(allow) {
          member.allow = allow
        },
      }
    },
  }
}
