// pipeline: only what is bound to the head counts.
import { actualOf } from '../actual.ts'
import { answer, head, refused } from '../world.ts'

const older = 'b'.repeat(40)
const merged = 'c'.repeat(40)
const pipeline = (fields = {}) => ({ id: 5, sha: head, ref: 'feature', status: 'success', source: 'push', ...fields })
const ofMergeRequest = (fields = {}) =>
  pipeline({ ref: 'refs/merge-requests/7/head', source: 'merge_request_event', ...fields })
const found = (fields: Record<string, unknown>, other = {}, mergeRequestPipelines = false) =>
  actualOf('pipeline: success', fields, other, { project: { mergeRequestPipelines } })
const anotherCommit = '"none" (pipeline 5 is of another commit than the head)'
const listed = (...list: unknown[]) => ({ pipelines: answer(list) })
const commit = (id: string, ...parent_ids: unknown[]) => ({ pipelineCommit: answer({ id, parent_ids }) })

describe('the head pipeline', () => {
  it.each([
    ['of the head counts', pipeline(), '"success"'],
    ['that runs is running', pipeline({ status: 'running' }), '"running"'],
    ['that is not there is none', null, '"none" (there is no pipeline yet)'],
    ['of an older commit is none', pipeline({ sha: older }), anotherCommit],
    [
      'that is a child is none',
      pipeline({ source: 'parent_pipeline' }),
      '"none" (its head pipeline is the child of another pipeline)',
    ],
    ['that has no sha is unknown', { id: 5, status: 'success' }, 'unknown: the pipeline cannot be read'],
    ['that is a text is unknown', 'success', 'unknown: the pipeline cannot be read'],
  ])('%s', (_what, head_pipeline, expected) => {
    expect(found({ head_pipeline })).toBe(expected)
  })
  it('of a branch does not count where merge requests have their own', () => {
    expect(found({ head_pipeline: pipeline() }, {}, true)).toBe(
      '"none" (pipeline 5 is of the branch, and this project’s merge requests have their own)',
    )
    expect(found({ head_pipeline: ofMergeRequest() }, {}, true)).toBe('"success"')
  })
  it('is unknown where there is no head', () => {
    expect(found({ sha: null })).toBe('unknown: the merge request has no head commit')
  })
})

describe('a merged-results pipeline', () => {
  const head_pipeline = ofMergeRequest({ sha: merged, ref: 'refs/merge-requests/7/merge' })
  it.each([
    ['counts where its commit merges the head', commit(merged, older, head), '"success"'],
    ['does not count where it merges another commit', commit(merged, older, older), anotherCommit],
    ['does not count where its commit merges nothing', commit(merged, head), anotherCommit],
    ['does not count where another commit was read', commit(older, older, head), anotherCommit],
    ['does not count where the parents are unknown', { pipelineCommit: answer({ id: merged }) }, anotherCommit],
    ['is unknown where its commit is', { pipelineCommit: refused() }, 'unknown: 404'],
  ])('%s', (_what, other, expected) => {
    expect(found({ head_pipeline }, other, true)).toBe(expected)
  })
})

describe('a merge train’s pipeline that failed', () => {
  const head_pipeline = ofMergeRequest({ sha: merged, ref: 'refs/merge-requests/7/train', status: 'failed' })
  it.each([
    ['counts where its commit merges the head', commit(merged, older, head), '"failed"'],
    [
      'is none where it squashed or rebased, and says so',
      commit(merged, older, older),
      '"none" (pipeline 5, of a merge train, is failed and is of another commit than the head)',
    ],
  ])('%s', (_what, other, expected) => {
    expect(found({ head_pipeline }, other)).toBe(expected)
  })
})

it.each([
  ['the merge request’s own of an earlier head, although that commit merges the head', ofMergeRequest({ sha: merged })],
  ['a branch’s on a commit that merges the head', pipeline({ sha: merged, ref: 'other' })],
  [
    'one of unknown source on a commit that merges the head',
    pipeline({ sha: merged, ref: 'other', source: undefined }),
  ],
])('%s is no merged result', (_what, head_pipeline) => {
  expect(found({ head_pipeline }, commit(merged, older, head))).toBe(anotherCommit)
})

describe('without a head pipeline field', () => {
  it.each([
    ['the newest of the list counts', [pipeline({ status: 'failed' }), pipeline({ id: 4 })], '"failed"'],
    [
      'children are passed over',
      [pipeline({ source: 'parent_pipeline', status: 'failed' }), pipeline({ id: 4 })],
      '"success"',
    ],
    [
      'the merge request’s own goes before the branch’s',
      [pipeline(), ofMergeRequest({ id: 4, status: 'failed' })],
      '"failed"',
    ],
    ['an empty list is none', [], '"none" (there is no pipeline yet)'],
    ['a list of the older head is none', [pipeline({ sha: older })], anotherCommit],
    ['a list that cannot be read is unknown', [null], 'unknown: the pipeline cannot be read'],
  ])('%s', (_what, list, expected) => {
    expect(found({ head_pipeline: undefined }, listed(...list))).toBe(expected)
  })
  it('as on the page of the API, which names no source, a merge commit is looked up', () => {
    const list = listed({ id: 5, sha: merged, ref: 'refs/merge-requests/7/merge', status: 'success' })
    expect(found({ head_pipeline: undefined }, { ...list, ...commit(merged, older, head) })).toBe('"success"')
  })
})

describe('of a merge request from a fork', () => {
  const [project, fork] = [1, 9]
  const ofFork = (head_pipeline: object, source_project_id: unknown = fork) => ({ head_pipeline, source_project_id })
  const inFork = '"none" (pipeline 5 ran in the fork, where it is success)'
  const unsaid = 'unknown: the service does not say whether pipeline 5 ran in the fork'
  it.each<[string, object, string]>([
    ['one of the project counts', ofFork(pipeline({ project_id: project })), '"success"'],
    ['one of the fork does not', ofFork(pipeline({ project_id: fork })), inFork],
    ['one that its author ran for the merge request does not', ofFork(ofMergeRequest({ project_id: fork })), inFork],
    ['one of an outside CI does not', ofFork(pipeline({ project_id: fork, source: 'external' })), inFork],
    ['one that says no project is unknown', ofFork(pipeline()), unsaid],
    ['one of a fork that was deleted does not count', ofFork(pipeline({ project_id: fork }), null), inFork],
    ['one without a project, of a fork that was deleted, is unknown', ofFork(pipeline(), null), unsaid],
    [
      'one of the project counts after the fork was deleted',
      ofFork(pipeline({ project_id: project }), null),
      '"success"',
    ],
    ['one is unknown where it is not known to be of a fork', ofFork(pipeline(), undefined), unsaid],
  ])('%s', (_what, fields, expected) => {
    expect(found(fields as Record<string, unknown>)).toBe(expected)
  })
  it.each<[string, object, string]>([
    ['one of the fork counts', pipeline({ project_id: fork }), '"success"'],
    ['one that says no project counts', pipeline(), '"success"'],
    ['one of an older commit is none', pipeline({ project_id: fork, sha: older }), anotherCommit],
    [
      'no commit of the fork is one that merges the head',
      ofMergeRequest({ project_id: fork, sha: merged, ref: 'refs/merge-requests/7/merge' }),
      anotherCommit,
    ],
  ])('where the rule says of_fork, %s', (_what, head_pipeline, expected) => {
    const other = commit(merged, older, head)
    const project = { mergeRequestPipelines: true }
    const fields = ofFork(head_pipeline)
    expect(actualOf('pipeline: { of_fork: success }', fields, other, { project })).toBe(expected)
  })
})
