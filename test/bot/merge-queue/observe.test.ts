// The outcome of a landing whose response was lost, as the present state tells it.
import { observeLanding } from '../../../src/bot/merge-queue/observe.ts'
import type { QueueRun } from '../../../src/bot/merge-queue/queue-run.ts'
import { ServiceError } from '../../../src/client/errors.ts'
import type { Landing } from '../../../src/merge-queue/types.ts'

const from = { commit: 'c0', tree: 't0' }
const landing = { since: 0, members: [{ iid: 1, head: 'h1' }], from, tree: 't1', commit: 'c1' }
const notFound = new ServiceError({
  ...{ kind: 'refused', path: '/projects/7/merge_requests/1', status: 404, mayHaveBeenApplied: false },
  target: { name: 'mergeRequests.get', method: 'GET', errors: {}, means: {} },
})
const bot = { id: 5, username: 'bellhop' }

/** A run that sees this merge request, and a repository where `c1` is on the target once that has moved. */
function runThatSees(body: Record<string, unknown>, test = 'branch'): QueueRun {
  const seen = {
    settings: { test },
    now: () => 600_000,
    queue: { project: 7, target: 'main' },
    client: { mergeRequests: { get: async () => ({ body }) } },
    botUser: async () => bot,
    repository: {
      isAncestor: async () => true,
      headOf: async () => 'c9',
      treeOf: async (commit: string) => ({ c1: 't1', m1: 't1' })[commit],
      parentsOf: async () => ['c0', 'h1'],
    },
  }
  return seen as unknown as QueueRun
}
const outcome = (by: Landing['by'], body: Record<string, unknown>, { target = 'c9', since = 1 } = {}) =>
  observeLanding(runThatSees(body), { ...landing, since, by }, { commit: target, tree: 't9' })
const landed = { is: 'landed', tree: 't1', onto: 'c0' }

describe('by accept', () => {
  test.each([
    ['merged by the bot', { state: 'merged', merge_commit_sha: 'm1', merge_user: bot }, landed],
    ['merged by somebody else', { state: 'merged', merge_commit_sha: 'm1', merge_user: { id: 6 } }, { is: 'unsent' }],
    [
      'merged as a commit that nobody knows',
      { state: 'merged', merge_commit_sha: 'm2' },
      { ...landed, tree: '', onto: '' },
    ],
    ['merged without a commit', { state: 'merged' }, { ...landed, tree: '', onto: '' }],
    [
      'merged into another branch',
      { state: 'merged', merge_commit_sha: 'm1', merge_user: bot, target_branch: 'release' },
      { is: 'landed', tree: '', onto: '', elsewhere: 'release' },
    ],
    ['being merged', { state: 'locked' }, 'in_progress'],
    ['open', { state: 'opened' }, undefined],
  ])('%s', async (_name, body, expected) => {
    expect(await outcome('accept', body)).toEqual(expected)
  })

  test('being merged for ten minutes: it is asked again', async () => {
    expect(await outcome('accept', { state: 'locked' }, { since: 0 })).toBeUndefined()
  })

  test('of one that somebody deleted there is none', async () => {
    const get = () => Promise.reject(notFound)
    const run = { ...runThatSees({}), client: { mergeRequests: { get } } } as unknown as QueueRun
    expect(await observeLanding(run, { ...landing, by: 'accept' }, { commit: 'c9', tree: 't9' })).toBeUndefined()
  })
})

describe('by accept of a rebased head, whose commits stand for trees', () => {
  const rebased = { ...landing, by: 'accept' as const, tree: 'h1', commit: 'h1' }
  const isLanded = { is: 'landed', tree: 'h1', onto: 'c0' }
  test.each([
    ['a merge commit of it', { merge_commit_sha: 'm1' }, isLanded],
    ['a fast-forward', {}, isLanded],
    ['its squashed commit', { squash_commit_sha: 's1' }, isLanded],
    ['a merge commit of another head', { merge_commit_sha: 'm2' }, { is: 'landed', tree: '', onto: '' }],
  ])('%s', async (_name, body, expected) => {
    const parents: Record<string, string[]> = { m1: ['c0', 'h1'], m2: ['c0', 'h2'], s1: ['c0'] }
    const run = runThatSees({ state: 'merged', merge_user: bot, ...body }, 'rebase')
    run.repository.parentsOf = async (commit) => parents[commit] ?? []
    expect(await observeLanding(run, rebased, { commit: 'c9', tree: 'c9' })).toEqual(expected)
  })
})

describe('by a push', () => {
  test.each([
    ['c1', landed],
    ['c9', landed],
    ['c0', undefined],
  ])('with the target at %s', async (target, expected) => {
    expect(await outcome('push', { state: 'opened' }, { target })).toEqual(expected)
  })
})
