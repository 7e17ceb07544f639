// A landing: what is sent, when nothing is, and what a refusal means.
import { closeLanded, land } from '../../../src/bot/merge-queue/land.ts'
import type { QueueRun } from '../../../src/bot/merge-queue/queue-run.ts'
import { ServiceError } from '../../../src/client/errors.ts'
import { JobTakenOver } from '../../../src/queue/errors.ts'
import { playService, service } from '../../client/world.ts'
import { checked, entry, landing, makeRun, member, mr, now, requested } from './run-world.ts'

playService()

const atFrom = { headOf: async () => 'c0' }
/** Reads are never from the cache: an older state would decide. */
const fresh = () => service({ 'cache-control': 'no-cache' })
/** The service tells of a member in the last look. */
const tells = (iid = 1, fields: object = {}) => fresh().get(mr(iid)).reply(200, requested(iid, fields))
const takenOver = () => Promise.reject(new JobTakenOver('j'))

describe('nothing lands', () => {
  test.each([
    ['accept', true, true],
    ['push', true, true],
    ['accept', false, undefined],
  ] as const)('by %s where the target is another commit by now (first request: %s)', async (by, isFirst, isUnsent) => {
    const { run, calls } = makeRun({ headOf: async () => 'c9' })
    await land(run, landing({ by }), isFirst)
    expect([calls, run.refused, run.merged, run.isUnsent]).toEqual([[], undefined, undefined, isUnsent])
  })

  describe.each(['accept', 'push'] as const)('by %s', (by) => {
    const pushed: string[] = []
    const repository = {
      ...atFrom,
      pushTarget: async (_target: string, commit: string) => {
        pushed.push(commit)
        return 'landed' as const
      },
    }
    /** What was sent besides the reads of the last look. */
    const sentBy = async (more: Partial<QueueRun>, given = landing({ by }), isFirst = true) => {
      pushed.length = 0
      const { run, calls } = makeRun(repository, more)
      await land(run, given, isFirst)
      return [run.isUnsent, calls.filter(({ method }) => method !== 'GET').length + pushed.length]
    }

    test.each<[string, object]>([
      ['goes into another branch', { target_branch: 'release' }],
      ['is a draft', { work_in_progress: true }],
      ['has a label that its rule forbids', { labels: ['hold'] }],
      ['has another head', { sha: 'c'.repeat(40) }],
      ['is closed', { state: 'closed' }],
    ])('where it %s by now', async (_what, fields) => {
      tells(1, fields)
      expect(await sentBy({})).toEqual([true, 0])
      tells(1, fields)
      expect(await sentBy({}, landing({ by }), false)).toEqual([undefined, 0])
    })

    test('where the second member has a label that its rule forbids by now', async () => {
      tells(1)
      tells(2, { labels: ['hold'] })
      const members = [member(1), member(2)]
      expect(await sentBy({ checked: [checked(1), checked(2)] }, landing({ by, members }))).toEqual([true, 0])
    })

    test.each<[string, Partial<QueueRun>]>([
      ['was not checked', { checked: [] }],
      ['left the queue', { entries: [entry(2)] }],
      ['is an entry of another head', { entries: [entry(1, { head: 'c'.repeat(40) })] }],
    ])('where it %s', async (_what, more) => {
      expect(await sentBy(more)).toEqual([true, 0])
    })

    test('where the claim asked the queue after the look, which may be old', async () => {
      tells()
      let asked = 0
      expect(await sentBy({ claim: async () => asked++ > 0 })).toEqual([true, 0])
    })
  })

  test.each(['accept', 'push'] as const)('by %s in a run that lost its job', async (by) => {
    const { run, calls } = makeRun(atFrom, { claim: takenOver })
    await expect(land(run, landing({ by }), true)).rejects.toThrow(JobTakenOver)
    expect(calls).toEqual([])
  })
})

describe('a push', () => {
  test.each([
    ['landed', undefined],
    ['moved', undefined],
    [
      { is: 'refused', words: 'No.' },
      { because: 'project', words: 'No.' },
    ],
  ] as const)('that %s of the tested commit onto the target as it was', async (is, refused) => {
    const pushed: unknown[] = []
    const { run } = makeRun({
      ...atFrom,
      pushTarget: async (...args) => {
        pushed.push(args)
        return is
      },
    })
    tells()
    await land(run, landing({ by: 'push' }), true)
    expect([pushed, run.refused]).toEqual([[['main', 'c1', 'c0']], refused])
  })
})

describe('the accept call', () => {
  const accepts = (status: number, body: object = { state: 'merged', merge_commit_sha: 'm1' }) => {
    const sent: unknown[] = []
    tells()
    service()
      .put(`${mr(1)}/merge`, (fields) => sent.push(fields) > 0)
      .reply(status, body)
    return sent
  }
  const reads = (status: string, more: object = {}) =>
    fresh()
      .get(mr(1))
      .reply(200, { iid: 1, sha: member(1).head, detailed_merge_status: status, ...more })

  test('names the tested head, and squashes and removes the branch as the entry says', async () => {
    const sent = accepts(200)
    const entries = [entry(2, { squash: false }), entry(1, { squash: true, removeSourceBranch: true })]
    const { run } = makeRun(atFrom, { entries })
    await land(run, landing(), true)
    expect(sent).toEqual([{ sha: member(1).head, squash: true, should_remove_source_branch: true }])
    expect([run.merged, run.waitMs]).toEqual([{ state: 'merged', merge_commit_sha: 'm1' }, undefined])
  })

  test('that has not merged yet is looked at again soon', async () => {
    accepts(200, { state: 'locked' })
    const { run } = makeRun(atFrom)
    await land(run, landing(), true)
    expect([run.merged, run.waitMs]).toEqual([undefined, 2_000])
  })

  test.each([
    [401, 'the token'],
    [403, 'the project'],
  ])('refused with %i: %s does not let the bot merge', async (status) => {
    accepts(status, { message: `${status}` })
    const { run, evaluated } = makeRun(atFrom)
    await land(run, landing(), true)
    expect([run.refused?.because, run.waitMs, evaluated]).toEqual(['project', undefined, []])
  })

  test('refused because the head is another one: the merge request is evaluated, and stays in the queue until then', async () => {
    accepts(409, { message: 'SHA does not match HEAD' })
    const { run, evaluated } = makeRun(atFrom)
    await land(run, landing(), true)
    expect([run.refused, run.waitMs, evaluated]).toEqual([undefined, 2_000, [1]])
  })

  test.each([
    ['draft_status', { draft: true }],
    ['conflict', {}],
    ['not_open', { state: 'closed' }],
    ['mergeable', { sha: 'c'.repeat(40) }],
  ])('refused because somebody changed it just before (%s %j): its evaluation says so', async (says, fields) => {
    accepts(405, { message: 'no' })
    reads(says, fields)
    const { run, evaluated } = makeRun(atFrom)
    await land(run, landing(), true)
    expect([run.refused, run.isUnsent, run.waitMs, evaluated]).toEqual([undefined, true, 2_000, [1]])
  })

  test.each([
    [405, 'checking', 10 * 60_000 - 1, undefined, 2_000],
    [405, 'checking', 10 * 60_000, 'merge_request', undefined],
    [406, 'ci_still_running', 0, undefined, 2_000],
    [422, 'unchecked', 0, undefined, 2_000],
    [400, 'mergeable', 0, 'merge_request', undefined],
    [405, 'discussions_not_resolved', 0, 'merge_request', undefined],
  ] as const)(
    'refused with %i while the service says %s, after %i ms',
    async (status, says, afterMs, refused, waitMs) => {
      accepts(status, { message: 'no' })
      reads(says)
      const { run } = makeRun(atFrom)
      await land(run, landing({ since: now - afterMs }), true)
      expect([run.refused?.because, run.waitMs]).toEqual([refused, waitMs])
    },
  )

  test('that the rate limit refuses is not repeated without a new look at the target', async () => {
    tells()
    service()
      .put(`${mr(1)}/merge`)
      .reply(429, {}, { 'retry-after': '1' })
    const again = accepts(200)
    await expect(land(makeRun(atFrom).run, landing(), true)).rejects.toThrow(ServiceError)
    expect(again).toEqual([])
  })

  test.each([404, 500])('answered with %i is an error, is sent once, and refuses nothing', async (status) => {
    const sent = accepts(status, { message: 'odd' })
    const { run } = makeRun(atFrom)
    await expect(land(run, landing(), true)).rejects.toThrow(ServiceError)
    expect([sent.length, run.refused, run.waitMs]).toEqual([1, undefined, undefined])
  })
})

describe('what a push landed as other commits', () => {
  const pushed = landing({ by: 'push', members: [member(1), member(2)] })
  const rebased = {
    fetchHeads: async () => new Map([[member(1).head, 'there' as const]]),
    isAncestor: async () => false,
  }
  const opened = (fields: object = {}) =>
    fresh()
      .get(mr(1))
      .reply(200, { iid: 1, state: 'opened', sha: member(1).head, target_branch: 'main', ...fields })
  /** The service takes the note and answers the closing so. */
  const closes = (status = 200) => {
    const noted: string[] = []
    service()
      .post(`${mr(1)}/notes`, ({ body }) => noted.push(String(body)) > 0)
      .reply(201, { id: 50 })
    const closing = service().put(mr(1), { state_event: 'close' }).reply(status, { iid: 1 })
    return { noted, isClosed: () => closing.isDone() }
  }

  test('is closed, with a note that names the last commit; one that was pushed to since stays open', async () => {
    opened()
    const { noted, isClosed } = closes()
    const { run, calls } = makeRun(rebased)
    await closeLanded(run, pushed)
    expect([noted, isClosed()]).toEqual([[expect.stringContaining('landed it rebased: c1 is')], true])
    expect(calls.length).toBe(3)
  })

  test.each([
    ['whose head is on the target: the service merges it', { isAncestor: async () => true }, undefined],
    ['that is closed by now', {}, { state: 'closed' }],
    ['that has another head by now', {}, { sha: 'c'.repeat(40) }],
    ['that goes into another branch by now', {}, { target_branch: 'release' }],
  ])('stays as it is %s', async (_what, repository, fields) => {
    if (fields !== undefined) opened(fields)
    const { run, calls } = makeRun({ ...rebased, ...repository })
    await closeLanded(run, pushed)
    expect(calls.length).toBe(fields === undefined ? 0 : 1)
  })

  test.each([
    [403, true],
    [500, false],
  ])('whose closing the service answers with %i: the queue goes on: %s', async (status, goesOn) => {
    opened()
    closes(status)
    const { run } = makeRun(rebased)
    const closed = closeLanded(run, pushed)
    await (goesOn ? expect(closed).resolves.toBeUndefined() : expect(closed).rejects.toThrow(ServiceError))
  })
})
