// A run of a merge queue of !1 and !2 into main: nock plays the service; repository and journal are in memory.
import type { QueueRepository } from '../../../src/bot/merge-queue/git/repository.ts'
import type { QueueRun } from '../../../src/bot/merge-queue/queue-run.ts'
import type { MergeQueueEntry, MergeQueueNote } from '../../../src/journal/types.ts'
import type { Landing } from '../../../src/merge-queue/types.ts'
import { emptyMemory } from '../../../src/rules/engine/update-memory.ts'
import type { DecideInput, MergeRequestRef } from '../../../src/rules/types.ts'
import { makeClient } from '../../client/world.ts'
import { answer, answers, bot, file, input, mergeRequest } from '../../rules/world.ts'
import { marksInMemory } from '../marks-in-memory.ts'
import { silent } from '../stores.ts'
import { operatorSettings, testContext } from '../test-context.ts'

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

const queueRules = `version: 1
queues: [{ name: main, target: main }]
rules: [{ name: a, if: { labels: { none: [hold] } }, then: { accept: { queue: main, pipeline: none } } }]
`
/** As the service tells of a member that the rules request. */
export const requested = (iid: number, fields: object = {}) =>
  mergeRequest({
    ...{ id: iid, iid, project_id: 7, source_project_id: 7, target_project_id: 7, sha: member(iid).head },
    ...fields,
  })

/** What the rules request a member on. */
export function checked(iid: number): DecideInput {
  const queued = { queue: 'main', target: 'main', sha: member(iid).head, priority: 0, frozen: false }
  const project = answers().project ?? answer({})
  return input([file(queueRules)], {
    ...{ mergeRequest: { project: 7, iid }, memory: { ...emptyMemory(), of: { accept: { queued } } } },
    answers: { project, mergeRequest: answer(requested(iid)), landingCommits: answer([]) },
  })
}

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
    service: testContext().service,
    operator: operatorSettings,
    ...{ client, prefix: 'bellhop/queue/main/', entries: [entry(1), entry(2)], now: () => now, log: silent },
    ...{ queue: { project: 7, target: 'main' }, made: new Map(), found: new Map(), landed: [] },
    ...{ pipelines: new Map(), started: new Map(), retried: new Map() },
    settings: { pipelines: 'branch' },
    ...{ botUser: async () => bot, claim: async () => false, repository: repositoryOf(repository) },
    queues: { mergeRequests: { add: async ({ data }: { data: MergeRequestRef }) => void evaluated.push(data.iid) } },
    checked: [checked(1)],
    journal: {
      marks: marksInMemory(),
      pushes: { list: async () => [] },
      mergeQueues: {
        entries: async () => more.entries ?? [entry(1), entry(2)],
        note: async ({ iid }: MergeRequestRef) => notes.get(iid),
        saveNote: async ({ iid }: MergeRequestRef, note: MergeQueueNote) => void notes.set(iid, note),
      },
    },
    ...more,
  } as unknown as QueueRun
  return { run, evaluated, notes, calls: lines }
}
