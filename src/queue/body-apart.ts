// A large body stands beside its job, as the job's log, which BullMQ removes with it (docs/decisions/0035): who takes a job need not take its body, so that what is in memory can be bounded by bytes.
import type { Job } from 'bullmq'
import type { Redis } from 'ioredis'
import { decodeData, encodeData, type Stored } from './job-data.ts'

/** A body of more bytes than that stands apart. */
const LARGEST_WITHIN = 32 * 1024
/** Of a job whose body does: hardly any other name is as short, so that the backlog looks at few jobs' data for their size. */
export const NAME_OF_APART = 'apart'

/** How many bytes the body has that stands beside the job; undefined where there is none. */
export function bytesApart(job: Job): number | undefined {
  return (job.data as Stored).bodyApart
}

/** Where it stands. */
export function keyApart(job: Job): string {
  return `${job.queueQualifiedName}:${job.id}:logs`
}

/** What holds a job's data and body: a small body is its name, a large one its log. */
export function placeBody(data: unknown, body: Buffer): { name: string | Buffer; data: Stored; log?: Buffer } {
  if (body.length <= LARGEST_WITHIN) return { name: body, data: encodeData(data, { bodyIsName: true }) }
  return { name: NAME_OF_APART, data: encodeData(data, { bodyApart: body.length }), log: body }
}

/** Reads a body that stands beside its job; null where it is gone: the job holds other data by now, or was removed. */
export type ReadApart = (job: Job) => Promise<string | null>

/** Over that connection. */
export function redisReadApart(redis: Redis): ReadApart {
  return (job) => redis.lindex(keyApart(job), 0)
}

/** A job's data with its body, wherever that stands; undefined where it is gone. */
export async function readData(job: Job, readApart: ReadApart): Promise<unknown> {
  const data = decodeData(job)
  if (bytesApart(job) === undefined) return data
  const body = await readApart(job)
  return body === null ? undefined : { ...(data as object), body }
}
