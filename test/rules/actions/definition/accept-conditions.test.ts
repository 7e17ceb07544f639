// The conditions of accept: skipped pipelines, and what it waits for when checks pass.
import {
  type AcceptArgs,
  acceptArgs,
  mergesLater,
  requiredFor,
} from '../../../../src/rules/actions/definition/accept-conditions.ts'
import type { FactName } from '../../../../src/rules/facts/index.ts'
import type { Issue } from '../../../../src/rules/language/values/shapes.ts'
import { answer, answers, decideRule, head, pipeline, refused, sent, trains } from '../../world.ts'

const project = (fields: object) => ({ project: answer({ default_branch: 'main', ...fields }) })
const outcome = (args: string, fields: object, other = {}) => {
  const decision = decideRule('{ author: alice }', `{ accept: ${args} }`, { answers: answers({ ...fields }, other) })
  const [action] = decision.rules[0]?.actions ?? []
  return {
    result: action?.result,
    detail: action?.detail,
    calls: sent(decision).map(([endpoint, params]) => [endpoint, params]),
  }
}

describe('a skipped pipeline', () => {
  it.each(['true', '{ when: pipeline_succeeds }', '{ when: checks_pass }'])(
    'counts for %s where the project says so',
    (args) => {
      const allowed = project({ allow_merge_on_skipped_pipeline: true })
      expect(outcome(args, pipeline('skipped'), allowed).calls).toEqual([['mergeRequests.accept', { sha: head }]])
    },
  )
  it.each([
    ['forbids it', project({ allow_merge_on_skipped_pipeline: false })],
    ['does not say', project({})],
    ['cannot be read', { project: refused(403) }],
  ])('blocks where the project %s', (_, other) => {
    expect(outcome('true', pipeline('skipped'), other)).toMatchObject({ result: 'blocked', calls: [] })
  })
  it('may merge according to check', () => {
    expect(requiredFor({})).toContainEqual({ fact: 'pipeline', operator: 'one_of', expected: ['success', 'skipped'] })
  })
})

describe('when: checks_pass', () => {
  const wait = [['mergeRequests.accept', { sha: head, merge_when_pipeline_succeeds: true }]]
  it.each<[string, object]>([
    ['an approval is missing', { detailed_merge_status: 'not_approved' }],
    ['the pipeline runs', { ...pipeline('running'), detailed_merge_status: 'ci_still_running' }],
    ['the pipeline runs and need not succeed', { ...pipeline('running'), detailed_merge_status: 'mergeable' }],
    ['it is a draft', { draft: true, detailed_merge_status: 'draft_status' }],
    ['somebody has locked a file in LFS', { detailed_merge_status: 'locked_lfs_files' }],
  ])('the service waits while %s', (_, fields) => {
    expect(outcome('{ when: checks_pass }', fields)).toMatchObject({ result: 'call', calls: wait })
  })
  it('merges at once where all checks pass', () => {
    expect(outcome('{ when: checks_pass }', {}).calls).toEqual([['mergeRequests.accept', { sha: head }]])
  })
  it('needs no pipeline with pipeline: none', () => {
    const fields = { head_pipeline: null, detailed_merge_status: 'not_approved' }
    expect(outcome('{ when: checks_pass, pipeline: none }', fields).calls).toEqual(wait)
  })
  it.each<[string, object, string]>([
    ['it conflicts', { detailed_merge_status: 'conflict' }, 'blocked'],
    ['the service says something new', { detailed_merge_status: 'moon_phase' }, 'blocked'],
    ['it is closed', { state: 'closed' }, 'blocked'],
    ['the pipeline failed', pipeline('failed'), 'blocked'],
    ['the service still checks', { detailed_merge_status: 'checking' }, 'waits'],
    ['there is no pipeline yet', { head_pipeline: null }, 'waits'],
  ])('asks nothing while %s', (_, fields, result) => {
    expect(outcome('{ when: checks_pass }', fields)).toMatchObject({ result, calls: [] })
  })
  it('is handed over once it is set', () => {
    const fields = { detailed_merge_status: 'not_approved', merge_when_pipeline_succeeds: true }
    expect(outcome('{ when: checks_pass }', fields)).toEqual({
      ...{ result: 'waits', detail: 'the service merges it when its checks pass', calls: [] },
    })
  })
})

describe('a merge request behind its target', () => {
  const behind = { detailed_merge_status: 'need_rebase' }
  it.each(['true', '{ when: pipeline_succeeds }', '{ when: checks_pass }'])(
    'is added by %s to a merge train, which rebases it',
    (args) => {
      expect(outcome(args, behind, trains).calls).toEqual([['mergeTrains.add', { sha: head }]])
    },
  )
  it.each([
    ['has none', project({})],
    ['cannot be read', { project: refused(403) }],
  ])('is to be rebased where the project %s', (_, other) => {
    expect(outcome('true', behind, other)).toMatchObject({
      ...{ result: 'blocked', calls: [] },
      detail: expect.stringContaining('to fix: rebase onto the target branch'),
    })
  })
})

it.each<[AcceptArgs, Partial<Record<FactName, string | boolean>>, boolean]>([
  [{ when: 'checks_pass' }, { pipeline: 'success', mergeability: 'can_be_merged', draft: true }, true],
  [{ when: 'checks_pass', pipeline: 'none' }, { pipeline: 'running', mergeability: 'mergeable', draft: false }, true],
  [{ when: 'checks_pass', pipeline: 'none' }, { pipeline: 'none', mergeability: 'mergeable', draft: false }, false],
])('%j with %j merges later: %s', (args, facts, expected) => {
  expect(mergesLater(args, (name) => facts[name])).toBe(expected)
})

describe('a project that may rebase at the merge', () => {
  const behind = (count: number) => ({ divergence: answer({ diverged_commits_count: count }) })
  it.each(['ff', 'rebase_merge'])('merges what is on its target: %s', (merge_method) => {
    const merges = (count: number) => outcome('true', {}, { ...project({ merge_method }), ...behind(count) })
    expect(merges(0).calls).toEqual([['mergeRequests.accept', { sha: head }]])
    expect(merges(1)).toMatchObject({ calls: [], detail: expect.stringContaining('commits_behind must be 0, it is 1') })
  })
  it.each([
    ['a merge commit is made', { merge_method: 'merge' }],
    ['the service says that it does not rebase', { merge_method: 'ff', automatic_rebase_enabled: false }],
  ])('does not matter where %s', (_, fields) => {
    const made = outcome('true', {}, { ...project(fields), ...behind(1) })
    expect(made.calls).toEqual([['mergeRequests.accept', { sha: head }]])
  })
})

describe('of a fork', () => {
  const ofFork = (status: string, project_id: number) => ({
    source_project_id: 9,
    ...pipeline(status, { project_id }),
  })
  const asked = (condition: string, args: string, status: string, project_id: number) => {
    const given = answers(ofFork(status, project_id))
    const [action] = decideRule(`{ ${condition} }`, `{ accept: ${args} }`, { answers: given }).rules[0]?.actions ?? []
    return action?.result
  }
  it.each([
    ['true', 'success', 1, 'call'],
    ['true', 'success', 9, 'waits'],
    ['{ when: pipeline_succeeds }', 'running', 9, 'waits'],
    // The service would merge when the fork's next one succeeds.
    ['{ when: pipeline_succeeds }', 'running', 1, 'waits'],
    ['{ when: checks_pass }', 'running', 1, 'waits'],
    ['{ pipeline: of_fork }', 'success', 9, 'call'],
    ['{ pipeline: of_fork }', 'failed', 9, 'blocked'],
    ['{ pipeline: of_fork, when: pipeline_succeeds }', 'running', 9, 'call'],
    ['{ pipeline: none }', 'failed', 9, 'call'],
  ])('accept: %s with a pipeline that is %s in project %i: %s', (args, status, project, result) => {
    expect(asked('author: alice', args, status, project)).toBe(result)
  })
  it.each([
    ['pipeline: { of_fork: success }', 'true', 'call'],
    ['all: [{ pipeline: { of_fork: [success, skipped] } }]', 'true', 'call'],
    ['pipeline: { of_fork: success }', '{ pipeline: required }', 'waits'],
    // Not everything that matches has such a pipeline.
    ['any: [{ pipeline: { of_fork: success } }, { author: alice }]', 'true', 'waits'],
    ['not: { pipeline: { of_fork: failed } }', 'true', 'waits'],
  ])('where the rule says %s, accept: %s is then %s', (condition, args, result) => {
    expect(asked(condition, args, 'success', 9)).toBe(result)
  })
  it('says what helps', () => {
    expect(outcome('true', ofFork('success', 9)).detail).toBe(
      'pipeline must be "success", it is "none" (pipeline 5 ran in the fork, where it is success); to fix: a member presses “Run pipeline”, or the rule says pipeline: { of_fork: success }',
    )
  })
})

it.each<[unknown]>([[false], ['yes'], [{ when: 'never' }]])('%j is a problem', (value) => {
  const issues: Issue[] = []
  acceptArgs.read(value, [], issues)
  expect(issues).toHaveLength(1)
})
