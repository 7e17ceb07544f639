// Intake of what is about one merge request: it is kept, counts once, wakes its merge request, and can be replayed.
import { describe, expect, test } from 'vitest'
import { mergeRequestKey } from '../../../src/bot/evaluation/merge-request-job.ts'
import { playService, service } from '../../client/world.ts'
import { useStores } from '../stores.ts'
import { A, at, enqueued, green, intakesOn, listed, opened } from './intake-world.ts'

const stores = useStores()
playService()
const makeIntake = intakesOn(stores)

describe('a delivery about one merge request', () => {
  test('is kept, put into its mailbox, and wakes it without a call', async () => {
    const intake = makeIntake()
    const { id, outcome, record } = await intake.take(opened)
    const mergeRequest = { service: intake.service, project: 7, iid: 2 }
    expect(outcome).toMatchObject({ outcome: 'done' })
    expect(record).toMatchObject({
      state: 'read',
      header: 'Some Hook',
      mergeRequests: [mergeRequest],
      event: { kind: 'merge_request.open' },
    })
    expect(await stores.journal.body(id)).toBe(JSON.stringify(opened))
    expect(await stores.journal.pendingEvents(mergeRequest)).toMatchObject([
      { deliveryId: id, event: { kind: 'merge_request.open' } },
    ])
    expect(await enqueued(intake)).toEqual([2])
  })

  test('taken again after a crash counts once', async () => {
    const intake = makeIntake()
    const { id } = await intake.take(opened)
    await intake.take(opened, id)
    expect(await stores.journal.pendingEvents({ service: intake.service, project: 7, iid: 2 })).toHaveLength(1)
    expect(await enqueued(intake)).toEqual([2])
  })

  test('a storm of events wakes the merge request once and loses none of them', async () => {
    const intake = makeIntake()
    for (let n = 0; n < 20; n += 1) await intake.take(at(n))
    expect(await enqueued(intake)).toEqual([2])
    expect(await stores.journal.pendingEvents({ service: intake.service, project: 7, iid: 2 })).toHaveLength(20)
  })
})

describe('once more', () => {
  test('a delivery that was read wakes its merge requests, without a new event', async () => {
    const intake = makeIntake()
    const { id } = await intake.take(opened)
    for (const job of await intake.mergeRequests.list(['waiting'], 0, 10)) await intake.mergeRequests.remove(job.id)
    expect(await intake.again(id)).toEqual({ outcome: 'done' })
    expect(await enqueued(intake)).toEqual([2])
    expect(await stores.journal.pendingEvents({ service: intake.service, project: 7, iid: 2 })).toHaveLength(1)
  })

  test('one that concerned nobody is read again when an admin replays it, by the present rules of reading, and its event counts once', async () => {
    const intake = makeIntake()
    service().get('/projects/7/merge_requests').query(true).reply(200, [])
    const { id, record } = await intake.take(green)
    expect(record).toMatchObject({ state: 'no_merge_request' })
    // Opened since.
    service()
      .get('/projects/7/merge_requests')
      .query(true)
      .times(2)
      .reply(200, listed({ iid: 2, sha: A }))
    for (let times = 0; times < 2; times++) expect(await intake.again(id)).toEqual({ outcome: 'done' })
    expect(await enqueued(intake)).toEqual([2])
    const { reason: _reason, ...read } = record ?? expect.fail()
    expect(await stores.journal.delivery(id)).toEqual({
      ...read,
      state: 'read',
      mergeRequests: [expect.objectContaining({ iid: 2 })],
    })
    expect(await stores.journal.pendingEvents({ service: intake.service, project: 7, iid: 2 })).toHaveLength(1)
  })

  test('one that concerned nobody, and that the service sends again, costs no second look', async () => {
    const intake = makeIntake()
    service().get('/projects/7/merge_requests').query(true).reply(200, [])
    const { id } = await intake.take(green)
    const asked = service()
      .get('/projects/7/merge_requests')
      .query(true)
      .reply(200, listed({ iid: 2, sha: A }))
    expect(await intake.again(id, 'doubled')).toEqual({ outcome: 'done' })
    expect([asked.isDone(), await enqueued(intake), (await stores.journal.delivery(id))?.state]).toEqual([
      false,
      [],
      'no_merge_request',
    ])
  })

  test('an unknown delivery wakes nothing', async () => {
    const intake = makeIntake()
    expect(await intake.again('unknown')).toEqual({ outcome: 'done' })
    expect(await enqueued(intake)).toEqual([])
  })
})

test('the key of a merge request carries the service', () => {
  expect(mergeRequestKey({ service: 'a', project: 1, iid: 2 })).toBe('a/1!2')
  expect(mergeRequestKey({ service: 'a', project: 1, iid: 0 })).toBe('a/1')
})
