// The same event from two hooks, on a real queue and journal: it counts once, and the last change is always evaluated.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mergeRequestKey } from '../../../src/bot/evaluation/merge-request-job.ts'
import type { JobQueue } from '../../../src/queue/types.ts'
import { makeClient, playService } from '../../client/world.ts'
import { mergeRequest } from '../../rules/world.ts'
import { gate } from '../../suites/queue/test-queues.ts'
import { evaluateBy } from '../evaluation/evaluate-world.ts'
import { useStores } from '../stores.ts'
import { at, enqueued, intakesOn, opened } from './intake-world.ts'

const stores = useStores()
playService()
const makeIntake = intakesOn(stores)

const updated = (attributes: object) => ({ ...opened, object_attributes: { iid: 2, action: 'update', ...attributes } })
const comment = {
  ...{ object_kind: 'note', project: { id: 7 }, merge_request: { iid: 2 } },
  object_attributes: { id: 4, noteable_type: 'MergeRequest', action: 'create' },
}

/** One merge request, whose evaluations the test begins and ends. */
async function makeOne() {
  let passed = 0
  const now = () => Date.now() + passed
  const intake = makeIntake()
  const ref = { service: intake.service, project: 7, iid: 2 }
  const wake = () => intake.mergeRequests.add({ data: ref, deduplicationKey: mergeRequestKey(ref) })
  /** What the service shows, and what the last evaluation that came to its end had read of it. */
  let state = 0
  let judged: number | undefined
  let running: { end: (how: 'well' | 'ill') => Promise<void> } | undefined
  let [question, answer] = [gate(), gate()]
  let status = 200
  const asked = async () => {
    question.open()
    await answer.opened
    const headers = { 'content-type': 'application/json' }
    return new Response(JSON.stringify(mergeRequest({ iid: 2, subscribed: true })), { status, headers })
  }
  const evaluate = await evaluateBy('\n  - { name: a, if: { state: opened }, then: { subscribe: true } }', {
    ...{ stores, service: intake.service, client: makeClient({ fetch: asked }).client, now },
  })
  const inLine = <T>(lane: JobQueue<T>) => lane.list(['waiting', 'prioritized', 'delayed'], 0, 10)

  async function begin(): Promise<boolean> {
    const [job] = await inLine(intake.mergeRequests)
    if (running !== undefined || job === undefined) return false
    await intake.mergeRequests.remove(job.id)
    const read = state
    ;[question, answer] = [gate(), gate()]
    const ended = evaluate({ ...job, attempt: 1, isFirst: true, claim: async () => false }).then(
      () => {
        judged = read
      },
      // It is tried again.
      wake,
    )
    await question.opened
    running = {
      async end(how) {
        running = undefined
        status = how === 'well' ? 200 : 500
        answer.open()
        await ended
      },
    }
    return true
  }
  const end = async (how: 'well' | 'ill' = 'well') => running?.end(how)
  /** Until nothing is left to do; gives how many evaluations that took. */
  async function rest(): Promise<number> {
    await end()
    let evaluations = 0
    for (; await begin(); evaluations += 1) await end()
    return evaluations
  }
  return {
    ...{ take: intake.take, wake, begin, end, rest },
    wait: (ms: number) => {
      passed += ms
    },
    change: (payload: unknown, ...given: [id?: string, more?: { receivedAt: string }]) => {
      state += 1
      return intake.take(payload, ...given)
    },
    isJudged: () => judged === state,
    mailbox: () => stores.journal.pendingEvents(ref),
    /** Its job is lost, or among the failed. */
    loseJob: async () => {
      for (const { id } of await inLine(intake.mergeRequests)) await intake.mergeRequests.remove(id)
    },
    enqueued: () => enqueued(intake),
  }
}

const pipeline = {
  object_kind: 'pipeline',
  merge_request: { iid: 2, target_project_id: 7 },
  object_attributes: { id: 1, sha: 'a', status: 'success' },
}

describe('the same event from a group’s hook and a project’s hook', () => {
  test.each([
    ['opened', opened, 0],
    ['a comment', comment, 0],
    // Done, undone and done again may look like this: it is evaluated once more, on the present state.
    ['an update', updated({}), 1],
    ['a pipeline', pipeline, 1],
  ])('counts once, and needs few evaluations of its own: %s', async (_name, payload, more) => {
    const one = await makeOne()
    await one.take(payload)
    await one.take(payload)
    expect(await one.rest()).toBe(1)
    await one.take(payload)
    expect(await one.mailbox()).toEqual([])
    expect(await one.rest()).toBe(more)
  })

  test('is evaluated for the second where the evaluation of the first failed and its job is lost', async () => {
    const one = await makeOne()
    await one.take(comment)
    await one.begin()
    await one.end('ill')
    await one.loseJob()
    await one.take(comment)
    expect(await one.enqueued()).toEqual([2])
    await one.rest()
    expect(await one.mailbox()).toEqual([])
  })
})

describe('the same event by two hooks', () => {
  test('is one event, and the second delivery is kept as read', async () => {
    const one = await makeOne()
    const { id } = await one.take(at(1))
    expect((await one.take(at(1))).record).toMatchObject({ state: 'read', mergeRequests: [{ iid: 2 }] })
    expect((await one.mailbox()).map(({ deliveryId }) => deliveryId)).toEqual([id])
  })

  test('is one event when both come at the same moment', async () => {
    const one = await makeOne()
    await Promise.all(Array.from({ length: 5 }, () => one.take(at(1))))
    expect(await one.mailbox()).toHaveLength(1)
    expect(await one.enqueued()).toEqual([2])
  })

  test('of another time is another event', async () => {
    const one = await makeOne()
    await one.take(at(1))
    await one.take(at(2))
    expect(await one.mailbox()).toHaveLength(2)
  })

  test('counts once for as long as a delivery can be replayed, whichever of the two is read again', async () => {
    const one = await makeOne()
    const first = await one.take(at(1))
    const second = await one.take(at(1))
    await one.rest()
    await stores.journal.prune(new Date(Date.now() + 29 * 24 * 60 * 60_000))
    await one.take(at(1), second.id)
    await one.take(at(1), first.id)
    expect(await one.mailbox()).toEqual([])
  })

  test('that is read once more after it had failed wakes its merge request', async () => {
    const one = await makeOne()
    const { id } = await one.take(at(1))
    await one.loseJob()
    await one.take(at(1), id)
    expect(await one.mailbox()).toHaveLength(1)
    expect(await one.enqueued()).toEqual([2])
  })

  test.each([
    ['done, undone and done again', [updated({ on: true }), updated({ on: false }), updated({ on: true })]],
    ['and done again', [updated({ on: true }), updated({ on: false }), updated({ on: true }), updated({ on: false })]],
    ...['approved', 'unapproved', 'approval', 'unapproval'].map((action): [string, object[]] => [
      `${action} twice, where what came in between was lost`,
      [updated({ action }), updated({ action })],
    ]),
  ])('may be another that looks alike: %s, each is judged', async (_name, payloads) => {
    const one = await makeOne()
    for (const payload of payloads) {
      await one.change(payload)
      expect(await one.rest()).toBe(1)
      expect(one.isJudged()).toBe(true)
    }
  })

  test('may be another where what undid it was judged together with one that had come long before', async () => {
    const one = await makeOne()
    const came = (second: string): [undefined, { receivedAt: string }] => [
      undefined,
      { receivedAt: `2026-11-21T12:00:${second}Z` },
    ]
    await one.take(updated({ on: false }), ...came('20.000'))
    await one.take(updated({ title: 'read late' }), ...came('08.000'))
    await one.rest()
    await one.take(updated({ on: true }), ...came('20.300'))
    await one.begin()
    await one.change(updated({ on: true }), ...came('20.400'))
    await one.rest()
    expect(one.isJudged()).toBe(true)
  })

  test('is judged again where it was judged longer ago than ten minutes', async () => {
    const one = await makeOne()
    await one.take(updated({}))
    await one.rest()
    one.wait(10 * 60_000)
    await one.take(updated({}))
    expect(await one.enqueued()).toEqual([2])
  })

  test('however they come, fail and are copied, an evaluation that has read what happened last comes to its end', async () => {
    const change = (n: number) => updated({ on: n % 2 === 0 })
    const step = fc.constantFrom(
      'change',
      'change',
      'copy',
      'copy',
      'older copy',
      'begin',
      'begin',
      'end',
      'fail',
      'sweep',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        const one = await makeOne()
        let n = 0
        const does: Record<typeof step extends fc.Arbitrary<infer T> ? T : never, () => Promise<unknown>> = {
          change: () => one.change(change(++n)),
          copy: () => one.take(change(n)),
          'older copy': () => one.take(change(n - 1)),
          begin: one.begin,
          end: () => one.end(),
          fail: () => one.end('ill'),
          sweep: one.wake,
        }
        await does.change()
        for (const each of steps) await does[each]()
        await one.rest()
        expect(one.isJudged()).toBe(true)
        expect(await one.mailbox()).toEqual([])
      }),
      {
        numRuns: 40,
        examples: [
          // What was judged before came long before it was judged, and just before the one that overtook it.
          [['begin', 'older copy', 'end', 'begin', 'change', 'begin']],
          [['older copy', 'begin', 'change', 'end']],
          [['change', 'older copy', 'begin', 'change', 'end']],
          [['change', 'begin', 'end', 'older copy', 'begin', 'end', 'change']],
        ],
      },
    )
  })
})
