// The branch of an attempt: what it is built of, and what stops it.
import { buildBranch, pushBranches, testable } from '../../../src/bot/merge-queue/build-branch.ts'
import type { BranchPush, BuildRequest, QueueRepository } from '../../../src/bot/merge-queue/git/repository.ts'
import { GitError, type GitErrorCode } from '../../../src/bot/merge-queue/git/run-git.ts'
import type { QueueProject, QueueRun } from '../../../src/bot/merge-queue/queue-run.ts'
import { JobTakenOver } from '../../../src/queue/errors.ts'
import { playService, service } from '../../client/world.ts'
import { entry, makeRun, member, mr, now, requested } from './run-world.ts'

playService()

const step = { do: 'build' as const, attempt: 4, onto: 'c0', members: [member(1), member(2)] }

const ofRequests = { settings: { pipelines: 'merge_request' as const } }

interface Given {
  /** The heads that the repository has. */
  there?: string[]
  /** Why others cannot be fetched. */
  failed?: [string, GitError][]
  /** Whether building this conflicts. */
  conflicts?: (request: BuildRequest) => boolean
  /** What git fails with. */
  fails?: (request: BuildRequest) => GitErrorCode | undefined
  /** Whether its commits one by one give another tree. */
  differs?: (request: BuildRequest) => boolean
  push?: BranchPush | ((commit: string) => BranchPush)
  run?: Partial<QueueRun>
  step?: Partial<Parameters<typeof buildBranch>[1]>
  headTree?: string
}

/** Builds with a repository that numbers its commits: what it was asked, and what it pushed. */
async function build({
  there = [member(1).head, member(2).head],
  failed = [],
  conflicts = () => false,
  differs = () => false,
  fails = () => undefined,
  push = 'pushed',
  run,
  step: more,
  headTree = 't1',
}: Given) {
  const requests: BuildRequest[] = []
  const pushed: unknown[] = []
  const repository: Partial<QueueRepository> = {
    fetchHeads: async () =>
      new Map<string, 'there' | GitError>([...there.map((head) => [head, 'there'] as const), ...failed]),
    heads: async () => ({ target: { commit: 'target', tree: 't' }, branches: new Map() }),
    async build(request) {
      const at = requests.push(request)
      const code = fails(request)
      if (code !== undefined) throw new GitError('merge-tree', { code, stderr: 'no' })
      if (differs(request)) return { is: 'differs' }
      return conflicts(request) ? { is: 'conflict' } : { is: 'built', commit: `c${at}`, tree: `t${at}` }
    },
    isAncestor: async () => true,
    treeOf: async () => headTree,
    async pushBranches(made) {
      pushed.push(...made)
      return made.map(({ commit }) => (typeof push === 'function' ? push(commit) : push))
    },
  }
  const made = makeRun(repository, run)
  const built = await buildBranch(made.run, { ...step, ...more })
  if (!('is' in built || built.own)) await pushBranches(made.run, [{ step: { ...step, ...more }, built }], [])
  const { made: kept, found } = made.run
  const state = {
    made: kept.get(4) ?? (!('is' in built) && built.own ? built : undefined),
    found: 'is' in built ? built : found.get(4),
  }
  return { ...made, requests, pushed, state }
}

test('each member is built on the one before, and the last commit is pushed as the branch of the attempt', async () => {
  const { requests, pushed, state } = await build({})
  expect(requests.map(({ onto, head }) => [onto, head])).toEqual([
    ['c0', member(1).head],
    ['c1', member(2).head],
  ])
  expect(pushed).toEqual([{ branch: 'bellhop/queue/main/4', commit: 'c2' }])
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

test('the first line of the message is that of the queue, without what skips a pipeline', async () => {
  const title = service()
    .get(mr(1))
    .reply(200, requested(1, { title: 'Open [skip ci]' }))
  service()
    .get(mr(2))
    .reply(200, requested(2, { title: 'Shut' }))
  const settings = { pipelines: 'branch', message: 'feat: {{ title }} (!{{iid}})' } as QueueRun['settings']
  const { requests } = await build({ run: { settings } })
  expect(title.isDone()).toBe(true)
  expect(requests.map(({ message }) => message.split('\n')[0])).toEqual([
    'feat: Open (skip ci) (!1)',
    'feat: Shut (!2)',
  ])
})

interface Own {
  pipeline?: object
  settings?: Partial<QueueRun['settings']>
  target?: string
  step?: Given['step']
  headTree?: string
}

test.each<[string, boolean, Own]>([
  ['lands by its own pipeline', true, {}],
  [
    'lands by that of the merge request, where those test',
    true,
    { ...ofRequests, pipeline: { source: 'merge_request_event' } },
  ],
  ['is built, where only those of merge requests test', false, ofRequests],
  ['is built, where somebody started it by the API', false, { pipeline: { source: 'api' } }],
  ['is built, where it is of outside statuses', false, { pipeline: { source: 'external' } }],
  ['is built, where it ran in another project', false, { pipeline: { project_id: 8 } }],
  ['is built, where it is of another commit', false, { pipeline: { sha: 'c9' } }],
  ['is built, where it is not green', false, { pipeline: { status: 'running' } }],
  ['is built, where the target moved', false, { target: 'c9' }],
  ['is built, where others are in its build', false, { step: { members: [member(1), member(2)] }, headTree: 't2' }],
  ['is built, where its merge has another content', false, { headTree: 't9' }],
  ['is built, where the queue builds each', false, { settings: { own_pipeline: false } }],
  ['is built, where a build of it was red', false, { step: { isRepeated: true } }],
])('one on top of the target %s', async (_what, isOwn, { pipeline, settings, target = 'c0', step: more, headTree }) => {
  const sha = member(1).head
  const head_pipeline = { id: 9, sha, ref: 'one', status: 'success', project_id: 7, source: 'push', ...pipeline }
  service().get(mr(1)).optionally().reply(200, requested(1, { head_pipeline }))
  service().post('/projects/7/merge_requests').optionally().reply(201, requested(3))
  const { state } = await build({
    step: { members: [member(1)], ...more },
    headTree,
    run: {
      target,
      drafts: new Map(),
      settings: { pipelines: 'branch', own_pipeline: true, ...settings } as QueueRun['settings'],
    },
  })
  const commit = more?.members === undefined ? 'c1' : 'c2'
  expect(state.made).toEqual({ commit, tree: commit.replace('c', 't'), ...(isOwn ? { own: true } : {}) })
})

test('where a head is another one by now nothing is built, and that merge request alone is evaluated', async () => {
  const { requests, pushed, evaluated, state } = await build({ there: [member(1).head] })
  expect([requests, pushed, evaluated]).toEqual([[], [], [2]])
  expect(state).toEqual({ made: undefined, found: { is: 'late', members: [member(2)], reason: 'head_missing' } })
})

test.each([
  ['too_large', 'untestable', 'head_too_large'],
  ['timed_out', 'untestable', 'head_not_fetched'],
  ['unsound', 'untestable', 'head_not_fetched'],
  ['failed', 'late', 'head_missing'],
] as const)('a head whose fetch ends with %s is %s, and takes nobody with it', async (code, is, reason) => {
  const failed: [string, GitError][] = [[member(2).head, new GitError('fetch', { code, stderr: 'no' })]]
  const { state, pushed } = await build({ there: [member(1).head], failed })
  expect([state, pushed]).toEqual([{ made: undefined, found: { is, members: [member(2)], reason } }, []])
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

describe.each([
  ['give another tree one by one than a merge', 'differs', 'merge_commits'],
  ['git does not merge in time', 'timed_out', 'head_not_merged'],
  ['make git write too much', 'too_much_output', 'head_not_merged'],
] as const)('commits that %s', (_what, is, reason) => {
  const project = merging('ff')
  const never = { project: { ...project, squash_option: 'never' as const } }
  /** The commits of the second, built on one of these. */
  const unbuilt = (...onto: string[]): Pick<Given, 'differs' | 'fails'> => {
    const isOne = (request: BuildRequest) =>
      request.head === member(2).head && request.squash === undefined && onto.includes(request.onto)
    return is === 'differs' ? { differs: isOne } : { fails: (request) => (isOne(request) ? is : undefined) }
  }

  test('become one where the project allows it', async () => {
    service().get(mr(2)).reply(200, { iid: 2, title: 'Add a window' })
    const { requests, state } = await build({ ...unbuilt('c1'), run: { project } })
    expect(requests.map(({ onto, squash }) => [onto, squash?.split('\n')[0]])).toEqual([
      ['c0', undefined],
      ['c1', undefined],
      ['c1', 'Add a window'],
    ])
    expect(state).toEqual({ made: { commit: 'c3', tree: 't3' }, found: undefined })
  })

  test('cannot be tested where it does not, and take nobody with them', async () => {
    const { requests, pushed, state } = await build({ ...unbuilt('c1', 'target'), run: never })
    expect(requests.map(({ onto }) => onto)).toEqual(['c0', 'c1', 'target'])
    expect(state.found).toEqual({ is: 'untestable', members: [member(2)], reason })
    expect(pushed).toEqual([])
  })

  test('wait where that is because of what is before them', async () => {
    const { state } = await build({ ...unbuilt('c1'), run: never })
    expect(state.found).toEqual({ is: 'conflict', member: member(2), with: 'queue' })
  })
})

test('other faults of git while it builds are thrown', async () => {
  await expect(build({ fails: () => 'failed' })).rejects.toThrow(GitError)
})

test('each is compared with the target as the service compares it, whatever it is built on', async () => {
  const { requests } = await build({ run: { target: 't' } })
  expect(requests.map(({ target }) => target)).toEqual(['t', 't'])
})

test('a branch that is taken is not ours', async () => {
  expect((await build({ push: 'taken' })).state).toEqual({ made: undefined, found: { is: 'foreign' } })
})

test('a branch that the service refuses, as it does a commit of Bellhop alone, is refused with its words', async () => {
  const refused = { is: 'refused', words: 'No.' } as const
  const { state, pushed } = await build({ push: refused })
  expect(state).toEqual({ made: undefined, found: refused })
  expect(pushed).toHaveLength(2)
})

test('of a batch that the service refuses, only those leave whom it refuses alone', async () => {
  const refused = { is: 'refused', words: 'No.' } as const
  const push = (commit: string) => (['c2', 'c5'].includes(commit) ? refused : 'pushed')
  const { state, requests } = await build({ push })
  expect(requests.slice(2).map(({ head }) => head)).toEqual(['c0', member(1).head, member(2).head])
  const found = { is: 'untestable', members: [member(2)], reason: 'push_refused', words: 'No.' }
  expect(state).toEqual({ made: undefined, found })
})

test('a run that lost its job pushes nothing', async () => {
  const pushed: unknown[] = []
  const { run } = makeRun(
    { pushBranches: async (made) => (pushed.push(...made) > 0 ? ['pushed'] : ['taken']) },
    { claim: () => Promise.reject(new JobTakenOver('j')) },
  )
  await expect(pushBranches(run, [{ step, built: { commit: 'c1', tree: 't1' } }], [])).rejects.toThrow(JobTakenOver)
  expect(pushed).toEqual([])
})

describe('as the project merges', () => {
  const entries = [entry(1, { squash: true }), entry(2)]
  const squashes = async (merge_method: 'merge' | 'rebase_merge' | 'ff', of = entries) => {
    const { requests } = await build({ run: { project: merging(merge_method), entries: of } })
    return requests.map(({ method, squash }) => (squash === undefined ? method : `${method}: ${squash.split('\n')[0]}`))
  }

  test.each(['ff', 'rebase_merge'] as const)('%s: an entry that is to be squashed is, under its title', async (how) => {
    service().get(mr(1)).reply(200, { iid: 1, title: 'Add a door [Skip CI]' })
    expect(await squashes(how)).toEqual([`${how}: Add a door (Skip CI)`, how])
  })

  test('merge: nothing is squashed, since the accept call does it', async () => {
    expect(await squashes('merge')).toEqual(['merge', 'merge'])
  })

  test('an earlier entry of the same merge request does not say how this head is squashed', async () => {
    expect(await squashes('ff', [entry(1, { squash: true, head: 'c'.repeat(40) }), entry(2)])).toEqual(['ff', 'ff'])
  })
})

test.each([
  ['Add a door [skip ci]', 'Add a door (skip ci)'],
  ['[CI-Skip] and [ci_skip][Skip CI]', '(CI-Skip) and (ci_skip)(Skip CI)'],
  ['[no ci] [ skip  ci ]', '(no ci) (skip  ci)'],
  ['[skip] ci, [circle ci skip], array[ci]', '[skip] ci, [circle ci skip], array[ci]'],
])('a message of Bellhop makes no CI skip: %s', (message, expected) => {
  expect(testable(message)).toBe(expected)
})
