// Jobs as the versions of Bellhop wrote them: each is read as it was meant, and today's bot writes the newest of them to the letter.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { MergeRequestJob } from '../../src/bot/merge-request-job.ts'
import type { DeliveryJob } from '../../src/bot/receive.ts'
import type { SweepJob } from '../../src/bot/sweep-jobs.ts'
import type { NoticeJob } from '../../src/bot/telling.ts'
import type { TimerJob } from '../../src/bot/timers.ts'
import { decodeData, encodeData, isNewer, JOB_VERSION } from '../../src/queue/job-data.ts'

const folder = new URL('./recorded/', import.meta.url)
type Recorded = Parameters<typeof decodeData>[0]['data'] & { name?: string }
/** What a version wrote, with the job's name where that is a part of it; a later one records only what it writes in another way. */
const recorded = (version: number): Record<string, Recorded> => JSON.parse(readFileSync(new URL(`v${version}.json`, folder), 'utf8'))
const versions = Array.from({ length: JOB_VERSION }, (_, at) => at + 1)

const mergeRequest = { service: 'git.example.com', project: 7, iid: 42 }
const bodyAsName = 'deliveries: one whose body is its name'
const bodyApart = 'deliveries: one whose body stands beside it'
/** What each recorded job means, in the words of today. */
const meant = {
  'deliveries: a delivery': {
    ...{ is: 'delivery', service: 'git.example.com', receivedAt: '2026-11-22T03:00:00.000Z', header: 'Push Hook' },
    ...{ body: '{"object_kind":"push"}', boundTo: 7 },
  } satisfies DeliveryJob,
  'deliveries: one whose body holds what PostgreSQL refuses': {
    ...{ is: 'delivery', service: 'git.example.com', receivedAt: '2026-11-22T03:00:00.000Z', header: 'Note Hook' },
    body: 'a NUL: \0',
  } satisfies DeliveryJob,
  [bodyAsName]: {
    ...{ is: 'delivery', service: 'git.example.com', receivedAt: '2026-11-22T03:00:00.000Z', header: 'Push Hook' },
    ...{ body: '{"object_kind":"push"} and a NUL: \0', boundTo: 7 },
  } satisfies DeliveryJob,
  [bodyApart]: {
    ...{ is: 'delivery', service: 'git.example.com', receivedAt: '2026-11-22T03:00:00.000Z', header: 'Push Hook' },
    ...{ body: '', boundTo: 7 },
  } satisfies DeliveryJob,
  'deliveries: a doubled one': { is: 'again', delivery: 'd-1', why: 'doubled' } satisfies DeliveryJob,
  'deliveries: a replay': {
    ...{ is: 'again', delivery: 'd-1', why: 'replay' },
    replay: { number: 2, at: '2026-11-22T03:00:00.000Z' },
  } satisfies DeliveryJob,
  'deliveries: one that a second hook copied': {
    ...{ is: 'again', delivery: 'd-2', why: 'copied' },
    ...{ mergeRequest, after: 'd-1' },
  } satisfies DeliveryJob,
  'merge requests: one': mergeRequest satisfies MergeRequestJob,
  'merge requests: the project itself': { ...mergeRequest, iid: 0 } satisfies MergeRequestJob,
  'timers: one': mergeRequest satisfies TimerJob,
  'rule changes: one': mergeRequest satisfies MergeRequestJob,
  'sweeps: of the schedule': { is: 'tick' } satisfies SweepJob,
  'sweeps: at the start': { is: 'sweep', why: 'start' } satisfies SweepJob,
  'sweeps: asked for': { is: 'asked', id: 's-1' } satisfies SweepJob,
  'notices: a summary': { is: 'summary' } satisfies NoticeJob,
}

const meantBy = (version: number) => Object.fromEntries(Object.entries(meant).filter(([name]) => name in recorded(version)))

describe.each(versions)('jobs of version %i', (version) => {
  test('are read as they were meant', () => {
    const read = Object.entries(recorded(version)).map(([name, stored]) => [
      name,
      isNewer(stored) ? 'newer' : decodeData({ data: stored, name: stored.name ?? 'any' }),
    ])
    expect(Object.fromEntries(read)).toEqual(meantBy(version))
  })
})

test('what is written today is what was recorded: raise JOB_VERSION and record what must differ', () => {
  const written = Object.entries(meant).map(([name, data]) => {
    if (name === bodyApart) return [name, { ...encodeData(data, { bodyApart: 70_000 }), name: 'apart' }]
    if (name !== bodyAsName) return [name, encodeData(data)]
    const { body } = meant[bodyAsName]
    return [name, { ...encodeData({ ...data, body: '' }, { bodyIsName: true }), name: body }]
  })
  expect(Object.fromEntries(written)).toEqual(Object.assign({}, ...versions.map(recorded)))
})

test('every version has its record, and none is ahead', () => {
  expect(readdirSync(folder).sort()).toEqual(versions.map((version) => `v${version}.json`))
  expect(isNewer({ v: JOB_VERSION + 1, data: null })).toBe(true)
})
