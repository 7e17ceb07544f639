// When sweeps run, and the record of a requested sweep.
import type { SweepJob } from '../../../src/bot/sweep/sweep-job.ts'
import { createSweepJobs, sweepAttempts } from '../../../src/bot/sweep/sweep-jobs.ts'
import { readSweep } from '../../../src/journal/journal.ts'
import { playService, service } from '../../client/world.ts'
import { serves } from '../service-answers.ts'
import { runningJob, useStores } from '../stores.ts'
import { sweepWorld } from './sweep-world.ts'

const stores = useStores()
playService()

function makeJobs(isAway = false) {
  const world = sweepWorld(stores)
  const queue = world.context.queues.sweeps
  const jobs = createSweepJobs(world.context)
  if (isAway) service().get('/user').optionally().times(9).reply(502)
  else service().get('/user').optionally().reply(200, {})
  const waiting = async () => (await queue.list(['waiting'], 0, 9)).map(({ data }) => data)
  const run = (data: SweepJob, attempt = 1, addedAt = world.now()) =>
    jobs.handler(runningJob(data, { attempt, addedAt }))
  return { ...world, queue, jobs, waiting, run }
}

describe('a sweep of everything', () => {
  test('is queued once for many requests', async () => {
    const { jobs, waiting } = makeJobs()
    await Promise.all((['start', 'schedule'] as const).map((why) => jobs.enqueue(why)))
    expect(await waiting()).toHaveLength(1)
  })

  test('is queued by each tick of the schedule, until it ends', async () => {
    const { jobs, queue, waiting, run } = makeJobs()
    await jobs.keepSchedule(900_000)
    expect((await queue.list(['delayed'], 0, 9)).map(({ data }) => data)).toEqual([{ is: 'tick' }])
    expect(await run({ is: 'tick' })).toEqual({ outcome: 'done' })
    expect(await waiting()).toEqual([{ is: 'sweep', why: 'schedule' }])
    await jobs.keepSchedule(0)
    expect((await queue.counts()).delayed).toBe(0)
  })

  test('wakes every merge queue: the hook of a pipeline may be lost', async () => {
    const { journal, mergeQueues, run } = makeJobs()
    const entry = { iid: 1, queue: 'main', target: 'main', head: 'a', since: 1, priority: 0, frozen: false }
    await journal.mergeQueues.saveEntry({ project: 7, iid: 1 }, entry)
    await run({ is: 'sweep', why: 'start' })
    const woken = (await mergeQueues.list(['waiting'], 0, 9)).map(({ data }) => [data.project, data.target])
    expect(woken).toEqual([[7, 'main']])
  })

  test('sweeps again what it swept before deliveries were refused', async () => {
    const { now, pass, play, run, waiting, enqueued } = makeJobs()
    await play(7011, { entries: [{ iid: 1, at: 1 }] })
    await play(7012, { entries: [], status: 429 })
    const addedAt = now()
    pass(1)
    await expect(run({ is: 'sweep', why: 'start' }, 1, addedAt)).rejects.toThrow('429')
    expect(await enqueued()).toEqual(['7011!1'])
    pass(1)
    await play(7011, { entries: [{ iid: 2, at: 2 }] })
    await play(7012, { entries: [] })
    pass(1)
    await run({ is: 'refused', until: now() })
    expect(await waiting()).toContainEqual({ is: 'sweep', why: 'deliveries_refused' })
    await run({ is: 'sweep', why: 'start' }, 1, addedAt)
    expect(await enqueued()).toContain('7011!2')
  })
})

describe('a sweep that a person asked for', () => {
  test('has a record from its request to its end', async () => {
    const { jobs, journal, play, waiting, run, enqueued } = makeJobs()
    await play(7002, { entries: [{ iid: 1, at: 1 }] })
    serves('/projects/acme%2Fdoor', { id: 7002, path_with_namespace: 'acme/door' })
    const asked = await jobs.request('acme/door', false)
    expect(await readSweep(journal, asked.id)).toMatchObject({ of: 'acme/door', state: 'waiting', projects: [] })
    const [job] = await waiting()
    if (job === undefined) throw new Error('no job was added')
    await run(job)
    expect(await readSweep(journal, asked.id)).toMatchObject({
      ...{ state: 'done', projectsInAll: 1, endedAt: expect.any(String) },
      projects: [{ path: 'acme/door', looked: 1, enqueued: [{ iid: 1, why: 'requested' }] }],
    })
    expect(await enqueued()).toEqual(['7002!1'])
  })

  test('of nothing that exists fails with a sentence, without a retry', async () => {
    const { jobs, journal, run } = makeJobs()
    service().get('/projects/nobody').reply(404)
    service().get('/groups/nobody/projects').query(true).reply(404)
    const { id } = await jobs.request('nobody', false)
    expect(await run({ is: 'asked', id })).toEqual({ outcome: 'done' })
    expect(await readSweep(journal, id)).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('no group nobody'),
    })
  })

  test('records the reason of a rate limit, and continues where it was', async () => {
    const { jobs, journal, play, run } = makeJobs()
    for (const project of [7003, 7004])
      await play(project, { entries: [{ iid: 1, at: 1 }], ...(project === 7004 ? { status: 429 } : {}) })
    service().get('/projects/acme').times(2).reply(404)
    service()
      .get('/groups/acme/projects')
      .query(true)
      .times(2)
      .reply(200, [{ id: 7003 }, { id: 7004 }])
    service().get('/groups/acme/subgroups').query(true).times(2).reply(200, [])
    const { id } = await jobs.request('acme', false)
    await expect(run({ is: 'asked', id })).rejects.toThrow('429')
    expect(await readSweep(journal, id)).toMatchObject({
      state: 'running',
      reason: expect.stringContaining('429'),
      projects: [{ project: 7003 }],
    })
    await play(7004, { entries: [{ iid: 1, at: 1 }] })
    await run({ is: 'asked', id })
    const done = await readSweep(journal, id)
    expect(done).toMatchObject({ state: 'done', projects: [{ project: 7003 }, { project: 7004 }] })
    expect(done).not.toHaveProperty('reason')
  })

  test('fails when its last attempt does', async () => {
    const { jobs, journal, play, run } = makeJobs()
    await play(7005, { entries: [], status: 500 })
    service().get('/projects/7005').times(2).reply(200, { id: 7005 })
    const { id } = await jobs.request('7005', false)
    await expect(run({ is: 'asked', id }, sweepAttempts - 1)).rejects.toThrow('500')
    expect(await readSweep(journal, id)).toMatchObject({ state: 'running' })
    await expect(run({ is: 'asked', id }, sweepAttempts)).rejects.toThrow('500')
    expect(await readSweep(journal, id)).toMatchObject({ state: 'failed', reason: expect.stringContaining('500') })
  })
  test('does not fail with its last attempt while the service is away', async () => {
    const { jobs, journal, play, run } = makeJobs(true)
    await play(7006, { entries: [], status: 500 })
    serves('/projects/7006', { id: 7006 })
    const { id } = await jobs.request('7006', false)
    await expect(run({ is: 'asked', id }, sweepAttempts)).rejects.toThrow('500')
    expect(await readSweep(journal, id)).toMatchObject({ state: 'running', reason: expect.stringContaining('500') })
  })
})
