// The one note about the merge queue: when it is written, that it is written once, and what is stored of it.
import { noteLanded, noteLandedRebased, noteRemoval, writeNotes } from '../../../src/bot/merge-queue/notes.ts'
import type { QueueProject, QueueRun } from '../../../src/bot/merge-queue/queue-run.ts'
import { ServiceError } from '../../../src/client/errors.ts'
import type { MergeQueueNote } from '../../../src/journal/types.ts'
import type { Build, MergeQueueRecord } from '../../../src/merge-queue/types.ts'
import { JobTakenOver } from '../../../src/queue/errors.ts'
import { withMark } from '../../../src/rules/actions/definition/action-calls.ts'
import { playService, service } from '../../client/world.ts'
import { bot } from '../../rules/world.ts'
import { entry, landing, makeRun, member, mr, now } from './run-world.ts'

playService()

const record = (more: Partial<MergeQueueRecord> = {}): MergeQueueRecord => ({
  ...{ window: 2, builds: [], conflicts: [], removals: [], recent: [] },
  ...more,
})
const buildOf = (iid: number, number: number): Build => ({ members: [member(iid)], attempts: [{ number, since: now }] })

/** The service takes new notes of a merge request under this id; what they say. */
function creates(iid: number, id: number, status = 201): string[] {
  const bodies: string[] = []
  service()
    .post(`${mr(iid)}/notes`, ({ body }) => bodies.push(String(body)) > 0)
    .reply(status, { id })
  return bodies
}
function updates(iid: number, id: number, status = 200): string[] {
  const bodies: string[] = []
  service()
    .put(`${mr(iid)}/notes/${id}`, ({ body }) => bodies.push(String(body)) > 0)
    .reply(status, { id })
  return bodies
}
/** Notes for the run of the one entry !1, after the note that the journal knows. */
function runOf(known?: MergeQueueNote, more: Partial<QueueRun> = {}) {
  const made = makeRun({}, { entries: [entry(1)], ...more })
  if (known !== undefined) made.notes.set(1, known)
  return made
}

describe('an entry', () => {
  test('that enters gets a note, which is stored with its position', async () => {
    const bodies = creates(1, 50)
    const { run, notes } = runOf()
    await writeNotes(run, record())
    expect(bodies).toEqual([withMark('Merge queue: Position 1 of 1. Waiting for: its turn.', 'merge queue')])
    expect(notes.get(1)).toEqual({ id: 50, about: 'waits', position: 1, at: now })
  })

  test('of several that take long, the others get theirs after another look', async () => {
    const [one, two] = [creates(1, 50), creates(2, 51)]
    let time = now
    const claim = async () => {
      time += 3_000
      return false
    }
    const { run } = makeRun({}, { now: () => time, claim })
    const written = async () => [await writeNotes(run, record()), one.length + two.length]
    expect(await written()).toEqual([false, 1])
    expect(await written()).toEqual([true, 2])
  })

  test('that waits as before gets none', async () => {
    const { run, calls } = runOf({ id: 50, about: 'waits', position: 1 })
    await writeNotes(run, record())
    expect(calls).toEqual([])
  })

  test.each([
    [1, 2, true],
    [2, 1, true],
    [2, 3, false],
    [3, 2, false],
    [4, 2, true],
    [3, 6, true],
  ])('that was at place %i and is at place %i is noted again: %s', async (before, place, isNoted) => {
    const bodies = updates(place, 50)
    const entries = Array.from({ length: place }, (_, at) => entry(at + 1, { head: 'a', since: at }))
    const { run, notes } = makeRun({}, { entries })
    for (const { iid } of entries) notes.set(iid, { id: 50, about: 'waits', position: iid })
    notes.set(place, { id: 50, about: 'waits', position: before })
    await writeNotes(run, record())
    expect(bodies.length).toBe(isNoted ? 1 : 0)
    expect(notes.get(place)?.position).toBe(isNoted ? place : before)
  })

  test.each([
    [60_000, 1],
    [59_999, 0],
  ])('whose place alone changed %i ms after its note was written is noted %i times', async (ago, times) => {
    const bodies = updates(1, 50)
    const { run } = runOf({ id: 50, about: 'waits', position: 4, at: now - ago })
    await writeNotes(run, record())
    expect(bodies).toHaveLength(times)
  })

  test('that is tested is noted in the same note, with a link to its pipelines', async () => {
    const bodies = updates(1, 50)
    const project = { web_url: 'https://code.example/acme/door' } as QueueProject
    const { run, notes } = runOf({ id: 50, about: 'waits', position: 1 }, { project })
    await writeNotes(run, record({ builds: [{ ...buildOf(1, 4), attempts: [{ number: 4, pipeline: 9 }] }] }))
    expect(bodies).toEqual([
      expect.stringContaining(
        'Testing on `main` ([pipeline](https://code.example/acme/door/-/pipelines?ref=bellhop/queue/main/4))',
      ),
    ])
    expect(notes.get(1)).toMatchObject({ id: 50, about: 'tested 4' })
  })

  test('that is tested is noted with its own pipeline once that is known', async () => {
    const bodies = updates(1, 50)
    const project = { web_url: 'https://code.example/acme/door' } as QueueProject
    const { run } = runOf({ id: 50, about: 'waits', position: 1 }, { project })
    const link = 'https://code.example/acme/door/-/pipelines/9'
    await writeNotes(run, record({ builds: [{ ...buildOf(1, 4), attempts: [{ number: 4, link }] }] }))
    expect(bodies).toEqual([expect.stringContaining(`([pipeline](${link}))`)])
  })

  test.each([
    ['a freeze', { entries: [entry(1, { frozen: true })] }, {}, 'waits, the end of a freeze'],
    ['a pause', {}, { paused: { reason: 'by_operator' as const, since: now } }, 'waits, by_operator'],
  ])('is noted again because of %s', async (_what, more, of, about) => {
    const bodies = updates(1, 50)
    const { run, notes } = runOf({ id: 50, about: 'waits', position: 1 }, more)
    await writeNotes(run, record(of))
    expect([bodies.length, notes.get(1)?.about]).toEqual([1, about])
  })

  test('far behind gets a note only once it is tested', async () => {
    const entries = Array.from({ length: 51 }, (_, at) => entry(at + 1, { head: 'a', since: at }))
    const { run, calls } = makeRun({}, { entries })
    await writeNotes(run, record())
    expect(calls).toEqual([])
    const bodies = creates(2, 50)
    const builds = [{ ...buildOf(2, 4), members: [{ iid: 2, head: 'a' }] }]
    await writeNotes(run, record({ builds }))
    expect(bodies).toHaveLength(1)
  })

  test('that landed says so, and nothing after that', async () => {
    const bodies = updates(1, 50)
    const { run, notes, calls } = runOf({ id: 50, about: 'tested 4', position: 1 })
    await noteLanded(run, landing(), { tree: 't1', onto: 'c0' })
    await writeNotes(run, record({ recent: [{ ...landing(), at: now }] }))
    expect(bodies).toEqual([expect.stringMatching(/^The merge queue tested it on top of `main`, and landed it\./)])
    expect([notes.get(1), calls.length]).toEqual([{ id: 50, about: 'landed', at: now }, 1])
  })

  test.each([
    ['another tree', { tree: 'other', onto: 'c0' }],
    ['another parent', { tree: 't1', onto: 'other' }],
    ['what nobody can read', { tree: '', onto: '' }],
  ])('that landed as %s says that it was not tested, and that the queue is paused', async (_what, landed) => {
    const bodies = updates(1, 50)
    const { run } = runOf({ id: 50, about: 'tested 4', position: 1 })
    await noteLanded(run, landing(), landed)
    expect(bodies).toEqual([expect.stringContaining('`main` is not what was tested. The queue is paused until')])
  })

  test('keeps the first time that a note said it would land, and gets another one when it enters anew', async () => {
    const recent = [{ ...landing({ members: [member(2)], testedMs: 60_000 }), at: now - 1 }]
    const early = { since: entry(1).since, from: 1, to: 2 }
    for (const [since, kept] of [
      [early.since, true],
      [early.since - 1, false],
    ] as const) {
      updates(1, 50)
      const { run, notes } = runOf({ id: 50, about: 'waits', position: 1, eta: { ...early, since } })
      await writeNotes(run, record({ recent, builds: [buildOf(1, 4)] }))
      expect(notes.get(1)?.eta).toEqual(kept ? early : { since: early.since, from: now + 60_000, to: now + 60_000 })
    }
  })
})

test.each([
  ['its failed job', { job: 'https://code.example/j/8' }, '([job](https://code.example/j/8))'],
  ['its pipeline, where no job is known', {}, '([pipeline](https://code.example/p/9))'],
])('a removal says why, with %s, how to fix it, and how it returns', async (_what, more, link) => {
  const bodies = creates(1, 50)
  const { run, notes } = runOf()
  const removal = { member: member(1), reason: 'pipeline_failed', link: 'https://code.example/p/9', at: now } as const
  await noteRemoval(run, { ...removal, ...more }, [])
  const why = 'its pipeline on top of the merge requests before it failed'
  const then = `Fix what fails on top of the target branch as it is now. It returns after a push, or when somebody requests it again.`
  expect(bodies[0]?.split('\n')[0]).toBe(`The merge queue of \`main\` removed it: ${why} ${link}. ${then}`)
  expect(notes.get(1)).toEqual({ id: 50, about: `removed pipeline_failed ${now}`, at: now })
})

test.each<[string, number[], string]>([
  ['what the queue landed since it entered', [2, 3], 'Since it entered, the queue landed !2, !3. Fix'],
  ['ten of them', [...Array(12).keys()], '!8, !9 and 2 more. Fix'],
  ['nothing where none landed', [], 'failed. Fix'],
])('a removal names %s', async (_what, iids, text) => {
  const bodies = creates(1, 50)
  const { run } = runOf()
  const landedAt = (iid: number, at: number) => ({ ...landing({ members: [{ iid, head: 'h' }] }), at })
  const recent = [...iids.map((iid) => landedAt(iid, now)), landedAt(99, now - 2_000)]
  await noteRemoval(run, { member: member(1), reason: 'pipeline_failed', at: now }, recent)
  expect(bodies[0]).toContain(text)
  expect(bodies[0]).not.toContain('!99')
})

test.each<[string, (run: QueueRun) => Promise<void>]>([
  ['a removal', (run) => noteRemoval(run, { member: member(1), reason: 'conflict', at: now }, [])],
  ['a landing', (run) => noteLanded(run, landing(), { tree: 't1', onto: 'c0' })],
  ['a landing rebased', (run) => noteLandedRebased(run, 1, 'c1')],
])('%s names a branch whose name cannot end its code, and so mentions nobody', async (_what, write) => {
  const bodies = creates(1, 50)
  const { run } = runOf()
  await write({ ...run, queue: { ...run.queue, target: 'x`@all`y' } })
  expect(bodies).toEqual([expect.stringContaining('`x@ally`')])
})

describe('a note', () => {
  const lists = (...listed: object[]) =>
    service()
      .get(`${mr(1)}/notes`)
      .query(true)
      .reply(200, listed)
  const ours = { id: 60, body: withMark('x', 'merge queue'), author: bot, system: false }

  test('whose creation got no response is found by its mark, and not written twice', async () => {
    service()
      .post(`${mr(1)}/notes`)
      .replyWithError('the connection breaks')
    const { run, notes } = runOf()
    await expect(writeNotes(run, record())).rejects.toThrow(ServiceError)
    expect(notes.get(1)).toEqual({ about: '' })
    lists({ ...ours, id: 61, author: { id: 99 } }, ours)
    const bodies = updates(1, 60)
    await writeNotes(run, record())
    expect([bodies.length, notes.get(1)?.id]).toEqual([1, 60])
  })

  test('that was never created is written when the search finds none', async () => {
    lists()
    const bodies = creates(1, 70)
    const { run, notes } = runOf({ about: '' })
    await writeNotes(run, record())
    expect([bodies.length, notes.get(1)]).toEqual([1, { id: 70, about: 'waits', position: 1, at: now }])
  })

  test('that somebody deleted is written again', async () => {
    updates(1, 50, 404)
    const bodies = creates(1, 70)
    const { run, notes } = runOf({ id: 50, about: 'tested 4', position: 1 })
    await writeNotes(run, record())
    expect([bodies.length, notes.get(1)?.id]).toEqual([1, 70])
  })

  test('that the service refuses is not tried again, and the queue goes on', async () => {
    creates(1, 50, 403)
    const { run, notes, calls } = runOf()
    await writeNotes(run, record())
    await writeNotes(run, record())
    expect([calls.length, notes.get(1)]).toEqual([1, { about: 'waits', position: 1, at: now }])
  })

  test('whose call fails stays to be written', async () => {
    updates(1, 50, 500)
    const known = { id: 50, about: 'tested 4', position: 1 }
    const { run, notes } = runOf(known)
    await expect(writeNotes(run, record())).rejects.toThrow(ServiceError)
    expect(notes.get(1)).toEqual(known)
  })

  test.each([[undefined], [{ id: 50, about: 'tested 4', position: 1 }]])(
    'is not written by a run that lost its job, after %o',
    async (known) => {
      const [created, updated] = [creates(1, 50), updates(1, 50)]
      const { run } = runOf(known, { claim: () => Promise.reject(new JobTakenOver('j')) })
      await expect(writeNotes(run, record())).rejects.toThrow(JobTakenOver)
      expect([created, updated]).toEqual([[], []])
    },
  )
})
