// The same event from two hooks counts once, and the last change is always evaluated.
import fc from 'fast-check'
import { inject } from 'vitest'
import { mergeRequestKey } from '../../../src/bot/queues.ts'
import type { JobQueue } from '../../../src/queue/types.ts'
import { makeClient, playService } from '../../client/world.ts'
import { mergeRequest } from '../../rules/world.ts'
import { gate } from '../../suites/queue/test-queues.ts'
import { evaluateBy, rule } from '../evaluation/evaluate-world.ts'
import { runningJob, useStores } from '../stores.ts'
import { AT, at, enqueued, intakesOn, opened } from './intake-world.ts'

const stores = useStores()
playService()
const makeIntake = intakesOn(stores)

const updated = (attributes: object) => ({ ...opened, object_attributes: { iid: 2, action: 'update', ...attributes } })
const comment = {
  ...{ object_kind: 'note', project: { id: 7 }, merge_request: { iid: 2 } },
  object_attributes: { id: 4, noteable_type: 'MergeRequest', action: 'create' },
}

/** One merge request; the test begins and ends its evaluations. */
async function makeOne() {
  const intake = makeIntake()
  const ref = { project: 7, iid: 2 }
  const wake = () => intake.mergeRequests.add({ data: ref, deduplicationKey: mergeRequestKey(ref) })
  /** What the service shows, and what the last completed evaluation had read. */
  let state = 0
  let evaluated: number | undefined
  let running: { end: (how: 'completed' | 'failed') => Promise<void> } | undefined
  let [question, answer] = [gate(), gate()]
  let status = 200
  const asked = async () => {
    question.open()
    await answer.opened
    const headers = { 'content-type': 'application/json' }
    return new Response(JSON.stringify(mergeRequest({ iid: 2, subscribed: true })), { status, headers })
  }
  const evaluate = await evaluateBy(rule('{ subscribe: true }', 'if: { state: opened }'), {
    ...{ stores, queues: intake, client: makeClient({ fetch: asked }).client, now: Date.now },
  })
  const jobsOf = <T>(queue: JobQueue<T>) => queue.list(['waiting', 'prioritized', 'delayed'], 0, 10)

  async function begin(): Promise<boolean> {
    const [job] = await jobsOf(intake.mergeRequests)
    if (running !== undefined || job === undefined) return false
    await intake.mergeRequests.remove(job.id)
    const read = state
    ;[question, answer] = [gate(), gate()]
    const ended = evaluate(runningJob(job.data, job)).then(
      () => {
        evaluated = read
      },
      // It is retried.
      wake,
    )
    await question.opened
    running = {
      async end(how) {
        running = undefined
        status = how === 'completed' ? 200 : 500
        answer.open()
        await ended
      },
    }
    return true
  }
  const end = async (how: 'completed' | 'failed' = 'completed') => running?.end(how)
  /** Evaluates until no job waits; returns the number of evaluations. */
  async function rest(): Promise<number> {
    await end()
    let evaluations = 0
    for (; await begin(); evaluations += 1) await end()
    return evaluations
  }
  return {
    ...{ take: intake.take, wake, begin, end, rest },
    change: (payload: unknown, ...given: [id?: string, more?: { receivedAt: string }]) => {
      state += 1
      return intake.take(payload, ...given)
    },
    isEvaluated: () => evaluated === state,
    pending: () => stores.journal.events.pending(ref),
    loseJob: async () => {
      for (const { id } of await jobsOf(intake.mergeRequests)) await intake.mergeRequests.remove(id)
    },
    enqueued: () => enqueued(intake),
  }
}

const pipeline = {
  object_kind: 'pipeline',
  merge_request: { iid: 2, target_project_id: 7 },
  object_attributes: { id: 1, sha: 'a', status: 'success' },
}

describe('the same event from two hooks', () => {
  test.each([
    ['a merge request that was opened', opened, 0],
    ['a comment', comment, 0],
    // Done, undone and done again may look like this: it is evaluated once more, on the present state.
    ['an update', updated({}), 1],
    ['a pipeline', pipeline, 1],
  ])('counts once, and costs few evaluations: %s', async (_name, payload, more) => {
    const one = await makeOne()
    await one.take(payload)
    await one.take(payload)
    expect(await one.rest()).toBe(1)
    await one.take(payload)
    expect(await one.pending()).toEqual([])
    expect(await one.rest()).toBe(more)
  })

  test('is evaluated for the second where the evaluation of the first failed and its job is lost', async () => {
    const one = await makeOne()
    await one.take(comment)
    await one.begin()
    await one.end('failed')
    await one.loseJob()
    await one.take(comment)
    expect(await one.enqueued()).toEqual([2])
    await one.rest()
    expect(await one.pending()).toEqual([])
  })

  test('is one event of the first delivery, also when many arrive at the same moment; at another time it is another', async () => {
    const one = await makeOne()
    const taken = await Promise.all(Array.from({ length: 5 }, () => one.take(at(1))))
    for (const { record } of taken) expect(record).toMatchObject({ state: 'read', mergeRequests: [{ iid: 2 }] })
    expect(await one.pending()).toHaveLength(1)
    await one.take(at(2))
    expect(await one.pending()).toHaveLength(2)
    expect(await one.enqueued()).toEqual([2])
  })

  test('counts once for as long as a delivery can be replayed, whichever of the two is read again', async () => {
    const one = await makeOne()
    const first = await one.take(at(1))
    const second = await one.take(at(1))
    await one.rest()
    await stores.journal.prune(new Date(Date.parse(AT) + 29 * 24 * 60 * 60_000))
    await one.take(at(1), second.id)
    await one.take(at(1), first.id)
    expect(await one.pending()).toEqual([])
  })
})

describe('another event that looks the same', () => {
  const [on, off] = [updated({ on: true }), updated({ on: false })]
  test.each([
    ['done, undone and done again', [on, off, on, off]],
    ...['approved', 'unapproved', 'approval', 'unapproval'].map((action): [string, object[]] => [
      `${action} twice, with a lost delivery in between`,
      [updated({ action }), updated({ action })],
    ]),
  ])('is evaluated each time: %s', async (_name, payloads) => {
    const one = await makeOne()
    for (const payload of payloads) {
      await one.change(payload)
      expect(await one.rest()).toBe(1)
      expect(one.isEvaluated()).toBe(true)
    }
  })

  test('is evaluated after an event of long before was evaluated together with the one that undid it', async () => {
    const one = await makeOne()
    const received = (second: string): [undefined, { receivedAt: string }] => [
      undefined,
      { receivedAt: `2026-11-21T12:00:${second}Z` },
    ]
    await one.take(off, ...received('20.000'))
    await one.take(updated({ title: 'read late' }), ...received('08.000'))
    await one.rest()
    await one.take(on, ...received('20.300'))
    await one.begin()
    await one.change(on, ...received('20.400'))
    await one.rest()
    expect(one.isEvaluated()).toBe(true)
  })

  test('is evaluated last, in whatever order events arrive, fail and are copied', async () => {
    const change = (n: number) => updated({ on: n % 2 === 0 })
    const steps = ['change', 'change', 'copy', 'copy', 'older copy', 'begin', 'begin', 'end', 'fail', 'sweep'] as const
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...steps), { minLength: 4, maxLength: 14 }), async (taken) => {
        const one = await makeOne()
        let n = 0
        const does: Record<(typeof steps)[number], () => Promise<unknown>> = {
          change: () => one.change(change(++n)),
          copy: () => one.take(change(n)),
          'older copy': () => one.take(change(n - 1)),
          begin: one.begin,
          end: () => one.end(),
          fail: () => one.end('failed'),
          sweep: one.wake,
        }
        await does.change()
        for (const each of taken) await does[each]()
        await one.rest()
        expect(one.isEvaluated()).toBe(true)
        expect(await one.pending()).toEqual([])
      }),
      {
        // On servers, which are quicker, more often.
        numRuns: inject('queueOf') === undefined ? 6 : 30,
        examples: [
          // The older event was received long before its evaluation, and just before the event that overtook it.
          [['begin', 'older copy', 'end', 'begin', 'change', 'begin']],
          [['older copy', 'begin', 'change', 'end']],
          [['change', 'older copy', 'begin', 'change', 'end']],
          [['change', 'begin', 'end', 'older copy', 'begin', 'end', 'change']],
        ],
      },
    )
  })
})
