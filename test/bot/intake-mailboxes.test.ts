// Intake of what is about one merge request: it is kept, counts once, wakes its merge request, and can be replayed.
import { describe, expect, test } from 'vitest'
import { keyOf } from '../../src/bot/merge-request-job.ts'
import { playService, service } from '../client/world.ts'
import { A, at, green, intakesOn, listed, opened, woken } from './intake-world.ts'
import { type Lanes, useStores } from './stores.ts'

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
    expect(await stores.journal.mailbox(mergeRequest)).toMatchObject([{ deliveryId: id, event: { kind: 'merge_request.open' } }])
    expect(await woken(intake)).toEqual([2])
  })

  test('taken again after a crash counts once', async () => {
    const intake = makeIntake()
    const { id } = await intake.take(opened)
    await intake.take(opened, id)
    expect(await stores.journal.mailbox({ service: intake.service, project: 7, iid: 2 })).toHaveLength(1)
    expect(await woken(intake)).toEqual([2])
  })

  test('a storm of events wakes the merge request once and loses none of them', async () => {
    const intake = makeIntake()
    for (let n = 0; n < 20; n += 1) await intake.take(at(n))
    expect(await woken(intake)).toEqual([2])
    expect(await stores.journal.mailbox({ service: intake.service, project: 7, iid: 2 })).toHaveLength(20)
  })
})

describe('the same event by a group’s hook and a project’s hook', () => {
  const mailbox = (intake: Lanes) => stores.journal.mailbox({ service: intake.service, project: 7, iid: 2 })
  const emptied = async ({ mergeRequests }: Lanes) => {
    for (const { id } of await mergeRequests.list(['waiting', 'prioritized'], 0, 10)) await mergeRequests.remove(id)
  }

  test('counts once, and the second delivery is kept as read', async () => {
    const intake = makeIntake()
    const { id } = await intake.take(at(1))
    expect((await intake.take(at(1))).record).toMatchObject({ state: 'read', mergeRequests: [{ iid: 2 }] })
    expect((await mailbox(intake)).map(({ deliveryId }) => deliveryId)).toEqual([id])
  })

  test('costs one evaluation when they come together, and counts once then too', async () => {
    const intake = makeIntake()
    await Promise.all(Array.from({ length: 5 }, () => intake.take(at(1))))
    expect(await mailbox(intake)).toHaveLength(1)
    expect((await intake.mergeRequests.list(['waiting', 'prioritized', 'delayed'], 0, 10)).length).toBe(1)
  })

  test('wakes again what was judged in between: approved, taken back and approved again may look alike to the second', async () => {
    const intake = makeIntake()
    const act = (action: string) => intake.take({ ...at(1), object_attributes: { ...at(1).object_attributes, action } })
    await act('approved')
    await act('unapproved')
    await emptied(intake)
    await act('approved')
    expect(await woken(intake)).toEqual([2])
  })

  test('counts once for as long as a delivery can be replayed, whichever of the two is read again', async () => {
    const intake = makeIntake()
    const first = await intake.take(at(1))
    const second = await intake.take(at(1))
    const ref = { service: intake.service, project: 7, iid: 2 }
    await stores.journal.removeMail(ref, (await mailbox(intake)).at(-1)?.seq ?? 0)
    await stores.journal.prune(new Date(Date.now() + 29 * 24 * 60 * 60_000))
    await intake.take(at(1), second.id)
    await intake.take(at(1), first.id)
    expect(await mailbox(intake)).toEqual([])
  })

  test('a delivery that is read once more after it had failed wakes its merge request', async () => {
    const intake = makeIntake()
    const { id } = await intake.take(at(1))
    await emptied(intake)
    await intake.take(at(1), id)
    expect(await mailbox(intake)).toHaveLength(1)
    expect(await woken(intake)).toEqual([2])
  })

  test('of another time is another event', async () => {
    const intake = makeIntake()
    await intake.take(at(1))
    await intake.take(at(2))
    expect(await mailbox(intake)).toHaveLength(2)
  })
})

describe('once more', () => {
  test('a delivery that was read wakes its merge requests, without a new event', async () => {
    const intake = makeIntake()
    const { id } = await intake.take(opened)
    for (const job of await intake.mergeRequests.list(['waiting'], 0, 10)) await intake.mergeRequests.remove(job.id)
    expect(await intake.again(id)).toEqual({ outcome: 'done' })
    expect(await woken(intake)).toEqual([2])
    expect(await stores.journal.mailbox({ service: intake.service, project: 7, iid: 2 })).toHaveLength(1)
  })

  test('one that concerned nobody is read again when an admin replays it, by the present rules of reading, and its event counts once', async () => {
    const intake = makeIntake()
    service().get('/projects/7/merge_requests').query(true).reply(200, [])
    const { id, record } = await intake.take(green)
    expect(record).toMatchObject({ state: 'uninteresting' })
    // Opened since.
    service()
      .get('/projects/7/merge_requests')
      .query(true)
      .times(2)
      .reply(200, listed({ iid: 2, sha: A }))
    for (let times = 0; times < 2; times++) expect(await intake.again(id)).toEqual({ outcome: 'done' })
    expect(await woken(intake)).toEqual([2])
    const { reason: _reason, ...read } = record ?? expect.fail()
    expect(await stores.journal.delivery(id)).toEqual({ ...read, state: 'read', mergeRequests: [expect.objectContaining({ iid: 2 })] })
    expect(await stores.journal.mailbox({ service: intake.service, project: 7, iid: 2 })).toHaveLength(1)
  })

  test('an unknown delivery wakes nothing', async () => {
    const intake = makeIntake()
    expect(await intake.again('unknown')).toEqual({ outcome: 'done' })
    expect(await woken(intake)).toEqual([])
  })
})

test('the key of a merge request carries the service', () => {
  expect(keyOf({ service: 'a', project: 1, iid: 2 })).toBe('a/1!2')
  expect(keyOf({ service: 'a', project: 1, iid: 0 })).toBe('a/1')
})
