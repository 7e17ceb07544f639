// Intake of a delivery: what it records, which merge requests it enqueues, and what a second reading does.
import { ServiceError } from '../../../src/client/errors.ts'
import type { Journal } from '../../../src/journal/journal.ts'
import { playService } from '../../client/world.ts'
import { rulesOfVersion, useStores } from '../stores.ts'
import { at, enqueued, green, intakesOn, opened, pushed } from './intake-world.ts'

const stores = useStores()
playService()
const makeIntake = intakesOn(stores)
const ref = { project: 7, iid: 2 }
const pendingOf = ({ journal }: Pick<ReturnType<typeof makeIntake>, 'journal'>) => journal.events.pending(ref)
/** The journal knows it as one of the branch. */
const known = () => stores.journal.mergeRequests.save(ref, { origin: { project: 7, branch: 'feature' } })

describe('a delivery about one merge request', () => {
  test('is recorded, added to the pending events and enqueued without a call', async () => {
    const intake = makeIntake()
    const { id, outcome, record } = await intake.take(opened)
    const event = { kind: 'merge_request.open' }
    expect(outcome).toMatchObject({ outcome: 'done' })
    expect(record).toMatchObject({ state: 'read', header: 'Some Hook', mergeRequests: [ref], event })
    expect(await stores.journal.deliveries.body(id)).toBe(JSON.stringify(opened))
    expect(await pendingOf(intake)).toMatchObject([{ deliveryId: id, event }])
    expect(await enqueued(intake)).toEqual([2])
  })

  test('is enqueued once in a storm of events, and none of them is lost', async () => {
    const intake = makeIntake()
    for (let n = 0; n < 20; n += 1) await intake.take(at(n))
    expect(await enqueued(intake)).toEqual([2])
    expect(await pendingOf(intake)).toHaveLength(20)
  })
})

describe('a delivery that is evaluated again', () => {
  test('enqueues its merge requests without a new event; an unknown one does nothing', async () => {
    const intake = makeIntake()
    const { id } = await intake.take(opened)
    for (const job of await intake.mergeRequests.list(['waiting'], 0, 10)) await intake.mergeRequests.remove(job.id)
    await intake.again('unknown')
    expect(await enqueued(intake)).toEqual([])
    expect(await intake.again(id)).toEqual({ outcome: 'done' })
    expect(await enqueued(intake)).toEqual([2])
    expect(await pendingOf(intake)).toHaveLength(1)
  })

  test('is read again by a replay where it had no merge request, and its event counts once', async () => {
    const intake = makeIntake()
    const { id, record } = await intake.take(green)
    expect(record).toMatchObject({ state: 'no_merge_request' })
    await known()
    for (let times = 0; times < 2; times++) await intake.again(id)
    expect(await enqueued(intake)).toEqual([2])
    const { reason: _reason, ...read } = record ?? expect.fail()
    const mergeRequests = [expect.objectContaining({ iid: 2 })]
    expect(await stores.journal.deliveries.find(id)).toEqual({ ...read, state: 'read', mergeRequests })
    expect(await pendingOf(intake)).toHaveLength(1)
  })

  test('is not read again where it had no merge request and the service only sends it again', async () => {
    const intake = makeIntake()
    const { id } = await intake.take(green)
    await known()
    await intake.again(id, 'duplicate')
    const state = (await stores.journal.deliveries.find(id))?.state
    expect([await enqueued(intake), state]).toEqual([[], 'no_merge_request'])
  })
})

describe('a delivery that leads to no merge request is done, with the reason', () => {
  test('whose body could not be received', async () => {
    const reason = 'The body unpacks to more than 25 MB.'
    const { outcome, record } = await makeIntake().take('', undefined, { unreadable: reason })
    expect(outcome).toMatchObject({ outcome: 'done' })
    expect(record).toMatchObject({ state: 'unreadable', reason })
  })

  test('whose branch has a long name, and its push is stored', async () => {
    const intake = makeIntake()
    const branch = 'x'.repeat(1_000)
    const { record } = await intake.take({ ...pushed, ref: `refs/heads/${branch}` })
    expect(record).toMatchObject({ state: 'no_merge_request', reason: 'No open merge request is affected.' })
    expect(await stores.journal.pushes.list({ project: 7, branch })).toHaveLength(1)
  })

  test.each([
    ['a push', { ...pushed, ref: `refs/heads/${'x'.repeat(1_001)}` }],
    ['a pipeline', { ...green, object_attributes: { ...green.object_attributes, ref: 'x'.repeat(200_000) } }],
  ])('whose branch is longer than any branch: %s, without a call', async (_what, payload) => {
    const intake = makeIntake()
    const { record } = await intake.take(payload)
    const reason = 'The name of its branch is longer than any branch.'
    expect(record).toMatchObject({ state: 'no_merge_request', reason })
    expect(JSON.stringify(record).length).toBeLessThan(1_000)
  })
})

describe('the journal', () => {
  const away = new ServiceError({
    ...{ kind: 'failing', path: '/projects/7', status: 503, mayHaveBeenApplied: false },
    target: { name: 'projects.get', method: 'GET', errors: {}, means: {} },
  })

  /** An intake, and what it writes: the state of deliveries, whether with the body, and pending events. */
  function makeObserved(failing: { event?: Error; save?: Error; rules?: Error } = {}) {
    const written: string[] = []
    const through = (journal: Journal): Journal => ({
      ...journal,
      deliveries: {
        ...journal.deliveries,
        async save(delivery, { body, pending, ...given } = {}) {
          if (failing.save !== undefined) throw failing.save
          if (failing.event !== undefined && pending !== undefined) throw failing.event
          const counted = await journal.deliveries.save(delivery, { body, pending, ...given })
          written.push(body === undefined ? delivery.state : `${delivery.state} with its body`)
          for (const _of of pending?.of ?? []) written.push('event')
          return counted
        },
      },
    })
    const inForce = () => Promise.reject(failing.rules)
    const ruleFiles = failing.rules === undefined ? {} : { ruleFiles: { ...rulesOfVersion(''), inForce } }
    return { ...makeIntake({ through, ...ruleFiles }), written, failing }
  }

  test('gets only the result of a first run, with the body, before the event', async () => {
    const { take, written } = makeObserved()
    await take(opened)
    await take('[]')
    await take('{"object_kind":"moonrise"}')
    await take(opened, undefined, { secretProject: 8 })
    expect(written).toEqual([
      ...['read with its body', 'event'],
      ...['unreadable with its body', 'no_merge_request with its body', 'refused with its body'],
    ])
  })

  test('gets the received delivery where the service is away, and the job fails', async () => {
    const { take, written } = makeObserved({ rules: away })
    await expect(take(green, 'away-once')).rejects.toMatchObject({ kind: 'failing', status: 503 })
    expect(written).toEqual(['received with its body'])
    expect(await stores.journal.deliveries.body('away-once')).toBe(JSON.stringify(green))
  })

  test('does not hide the error of the service where it is away too', async () => {
    const { take } = makeObserved({ rules: away, save: new Error('the store is away') })
    await expect(take(green)).rejects.toMatchObject({ status: 503 })
  })

  test('gets the received delivery before all else in a later run, which enqueues what the first could not', async () => {
    const { take, written, failing, ...queues } = makeObserved({ event: new Error('the store is away') })
    await expect(take(opened, 'broken-off')).rejects.toThrow('the store is away')
    expect(written.splice(0)).toEqual(['received with its body'])
    expect(await enqueued(queues)).toEqual([])
    delete failing.event
    for (const _run of [2, 3]) await take(opened, 'broken-off', { isFirst: false })
    expect(written.slice(0, 3)).toEqual(['received with its body', 'read', 'event'])
    expect(await enqueued(queues)).toEqual([2])
    expect((await pendingOf(queues)).map(({ deliveryId }) => deliveryId)).toEqual(['broken-off'])
    expect((await stores.journal.deliveries.find('broken-off'))?.state).toBe('read')
  })
})
