// A run of a merge queue of !1 and !2 into main, whose service nock plays, and whose repository and journal are in memory.
import type { QueueRepository } from '../../../src/bot/merge-queue/git/repository.ts'
import type { QueueRun } from '../../../src/bot/merge-queue/queue-run.ts'
import type { MergeQueueEntry, MergeQueueNote } from '../../../src/journal/types.ts'
import type { Landing } from '../../../src/merge-queue/types.ts'
import type { MergeRequestRef } from '../../../src/rules/types.ts'
import { makeClient } from '../../client/world.ts'
import { bot } from '../../rules/world.ts'
import { silent } from '../stores.ts'

export const now = Date.parse('2026-11-21T12:00:00Z')
/** The address of a merge request. */
export const mr = (iid: number) => `/projects/7/merge_requests/${iid}`

const heads: Record<number, string> = { 1: 'a'.repeat(40), 2: 'b'.repeat(40) }
export const member = (iid: number) => ({ iid, head: heads[iid] ?? '' })
export const entry = (iid: number, more: Partial<MergeQueueEntry> = {}): MergeQueueEntry => ({
  ...{ ...member(iid), queue: 'main', target: 'main', since: now - 1_000 * iid, priority: 0, frozen: false },
  ...more,
})
export const landing = (more: Partial<Landing> = {}): Landing => ({
  ...{ since: now, by: 'accept', members: [member(1)], from: { commit: 'c0', tree: 't0' }, tree: 't1', commit: 'c1' },
  ...more,
})

/** Every method must be given, or fails. */
function repositoryOf(given: Partial<QueueRepository>): QueueRepository {
  const missing = (name: string) => () => Promise.reject(new Error(`the test does not say what ${name} gives`))
  return new Proxy(given, {
    get: (methods, name) => Reflect.get(methods, name) ?? missing(String(name)),
  }) as QueueRepository
}

/** The run, what it made of the queue of evaluations, and its notes as the journal has them. */
export function makeRun(repository: Partial<QueueRepository> = {}, more: Partial<QueueRun> = {}) {
  const { client, lines } = makeClient()
  const evaluated: number[] = []
  const notes = new Map<number, MergeQueueNote>()
  const run = {
    ...{ client, prefix: 'bellhop/queue/main/', entries: [entry(1), entry(2)], now: () => now, log: silent },
    ...{ queue: { service: 's', project: 7, target: 'main' }, made: new Map(), found: new Map(), landed: [] },
    ...{ pipelines: new Map(), started: new Map() },
    settings: { pipelines: 'branch' },
    ...{ botUser: async () => bot, claim: async () => false, repository: repositoryOf(repository) },
    mergeRequests: { add: async ({ data }: { data: MergeRequestRef }) => void evaluated.push(data.iid) },
    journal: {
      mergeQueueNote: async ({ iid }: MergeRequestRef) => notes.get(iid),
      saveMergeQueueNote: async ({ iid }: MergeRequestRef, note: MergeQueueNote) => void notes.set(iid, note),
    },
    ...more,
  } as unknown as QueueRun
  return { run, evaluated, notes, calls: lines }
}
