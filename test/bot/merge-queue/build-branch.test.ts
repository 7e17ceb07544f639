// The branch of an attempt: what it is built of, and what stops it.
import { describe, expect, test } from 'vitest'
import { buildBranch } from '../../../src/bot/merge-queue/build-branch.ts'
import type { BranchPush, BuildRequest, QueueRepository } from '../../../src/bot/merge-queue/git/repository.ts'
import type { QueueProject } from '../../../src/bot/merge-queue/project.ts'
import type { QueueRun } from '../../../src/bot/merge-queue/queue-run.ts'
import { JobTakenOver } from '../../../src/queue/errors.ts'
import { playService, service } from '../../client/world.ts'
import { entry, makeRun, member, mr, now } from './run-world.ts'

playService()

const step = { do: 'build' as const, attempt: 4, onto: 'c0', members: [member(1), member(2)] }

interface Given {
  /** The heads that the repository has. */
  there?: string[]
  /** Whether building this conflicts. */
  conflicts?: (request: BuildRequest) => boolean
  push?: BranchPush
  run?: Partial<QueueRun>
}

/** Builds with a repository that numbers its commits: what it was asked, and what it pushed. */
async function build({
  there = [member(1).head, member(2).head],
  conflicts = () => false,
  push = 'pushed',
  run,
}: Given) {
  const requests: BuildRequest[] = []
  const pushed: unknown[] = []
  const repository: Partial<QueueRepository> = {
    fetchHeads: async () => new Set(there),
    heads: async () => ({ target: { commit: 'target', tree: 't' }, branches: new Map() }),
    async build(request) {
      const at = requests.push(request)
      return conflicts(request) ? { is: 'conflict' } : { is: 'built', commit: `c${at}`, tree: `t${at}` }
    },
    async pushBranch(...args) {
      pushed.push(args)
      return push
    },
  }
  const made = makeRun(repository, run)
  await buildBranch(made.run, step)
  return { ...made, requests, pushed, state: { made: made.run.made.get(4), found: made.run.found.get(4) } }
}

test('each member is built on the one before, and the last commit is pushed as the branch of the attempt', async () => {
  const { requests, pushed, state } = await build({})
  expect(requests.map(({ onto, head }) => [onto, head])).toEqual([
    ['c0', member(1).head],
    ['c1', member(2).head],
  ])
  expect(pushed).toEqual([['bellhop/queue/main/4', 'c2']])
  expect(state).toEqual({ made: { commit: 'c2', tree: 't2' }, found: undefined })
})

test('a build that is repeated is the same: its time is that of the last entry of its members', async () => {
  const entries = [entry(1, { since: now - 5_000 }), entry(2, { since: now - 9_000 }), entry(3, { since: now })]
  const { requests } = await build({ run: { entries } })
  expect(requests.map(({ at }) => at)).toEqual([now / 1_000 - 5, now / 1_000 - 5])
  expect((await build({ run: { entries } })).requests).toEqual(requests)
})

test('the message of each commit names the merge request, the attempt, its base and all its members', async () => {
  const { requests } = await build({})
  const [one, two] = [member(1).head, member(2).head]
  expect(requests[1]?.message).toBe(
    `Merge !2 (bbbbbbbb) into main\n\nSee merge request !2\n\nBellhop-Queue: 4 base=c0 entries=!1@${one},!2@${two}`,
  )
})

test('where a head is another one by now nothing is built, and that merge request alone is evaluated', async () => {
  const { requests, pushed, evaluated, state } = await build({ there: [member(1).head] })
  expect([requests, pushed, evaluated]).toEqual([[], [], [2]])
  expect(state).toEqual({ made: undefined, found: { is: 'late', members: [member(2)], reason: 'head_missing' } })
})

const merging = (merge_method: 'merge' | 'rebase_merge' | 'ff') => ({ merge_method }) as QueueProject

describe('a conflict', () => {
  const ofSecond = ({ head }: BuildRequest) => head === member(2).head

  test('with the member in front is one of the queue, and nothing is pushed', async () => {
    const { pushed, state } = await build({ conflicts: (request) => ofSecond(request) && request.onto === 'c1' })
    expect(state).toEqual({ made: undefined, found: { is: 'conflict', member: member(2), with: 'queue' } })
    expect(pushed).toEqual([])
  })

  test('with the target alone is one of the target', async () => {
    const { requests, state } = await build({ conflicts: ofSecond, run: { project: merging('ff') } })
    expect(requests.at(-1)).toMatchObject({ onto: 'target', head: member(2).head, method: 'ff' })
    expect(state.found).toEqual({ is: 'conflict', member: member(2), with: 'target' })
  })
})

test.each([
  ['taken', 'foreign'],
  ['refused', 'refused'],
] as const)('a branch that is %s counts as %s, and not as made', async (push, is) => {
  expect((await build({ push })).state).toEqual({ made: undefined, found: { is } })
})

test('a run that lost its job pushes nothing', async () => {
  const pushed: unknown[] = []
  const { run } = makeRun(
    {
      fetchHeads: async () => new Set([member(1).head, member(2).head]),
      build: async () => ({ is: 'built', commit: 'c1', tree: 't1' }),
      pushBranch: async (...args) => (pushed.push(args) > 0 ? 'pushed' : 'taken'),
    },
    { claim: () => Promise.reject(new JobTakenOver('j')) },
  )
  await expect(buildBranch(run, step)).rejects.toThrow(JobTakenOver)
  expect(pushed).toEqual([])
})

describe('as the project merges', () => {
  const entries = [entry(1, { squash: true }), entry(2)]
  const squashes = async (merge_method: 'merge' | 'rebase_merge' | 'ff', of = entries) => {
    const { requests } = await build({ run: { project: merging(merge_method), entries: of } })
    return requests.map(({ method, squash }) => [method, squash?.split('\n')[0]])
  }

  test.each(['ff', 'rebase_merge'] as const)('%s: an entry that is to be squashed is, under its title', async (how) => {
    service().get(mr(1)).reply(200, { iid: 1, title: 'Add a door' })
    expect(await squashes(how)).toEqual([
      [how, 'Add a door'],
      [how, undefined],
    ])
  })

  test('merge: nothing is squashed, since the accept call does it', async () => {
    expect(await squashes('merge')).toEqual([
      ['merge', undefined],
      ['merge', undefined],
    ])
  })

  test('an earlier entry of the same merge request does not say how this head is squashed', async () => {
    expect(await squashes('ff', [entry(1, { squash: true, head: 'c'.repeat(40) }), entry(2)])).toEqual([
      ['ff', undefined],
      ['ff', undefined],
    ])
  })
})
