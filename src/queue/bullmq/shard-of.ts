// Which shard a job belongs to: everything about one project is in the same.
import { createHash, randomUUID } from 'node:crypto'
import type { NewJob } from '../types.ts'

/**
 * The number of the shard, from 0: always the same for the same id, project or deduplication key, else any. Another rule
 * would let two jobs of one merge request run at once.
 */
export function shardOf(job: Pick<NewJob<unknown>, 'id' | 'data' | 'deduplicationKey'>, shards: number): number {
  return hash(placeOf(job)) % shards
}

/** Of a schedule, by its id. */
export function shardOfSchedule(id: string, shards: number): number {
  return hash(`schedule ${id}`) % shards
}

/** An add with an id that is kept does nothing: so the id comes first. */
function placeOf({ id, data, deduplicationKey }: Pick<NewJob<unknown>, 'id' | 'data' | 'deduplicationKey'>): string {
  if (id !== undefined) return `id ${id}`
  const project = typeof data === 'object' && data !== null && 'project' in data ? data.project : undefined
  return project === undefined ? `key ${deduplicationKey ?? randomUUID()}` : `project ${String(project)}`
}

function hash(place: string): number {
  return createHash('sha256').update(place).digest().readUInt32BE(0)
}
