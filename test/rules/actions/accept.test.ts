// accept: merges what was judged, under its own conditions, last.
import { describe, expect, it } from 'vitest'
import { answer, answers, change, decideRule, head, sent } from '../world.ts'

const decide = (args = 'true', fields = {}, other = {}) =>
  decideRule('{ author: alice }', `{ accept: ${args} }`, { answers: answers(fields, other) })
const result = (...given: Parameters<typeof decide>) => {
  const decision = decide(...given)
  const { result: came, detail } = decision.rules[0]?.actions[0] ?? {}
  return { came, detail, calls: decision.calls.length, againInMs: decision.againInMs }
}

describe('accept', () => {
  it.each([
    ['true', [['mergeRequests.accept', { sha: head }]]],
    ['{}', [['mergeRequests.accept', { sha: head }]]],
    ['{ remove_source_branch: true }', [['mergeRequests.accept', { sha: head, should_remove_source_branch: true }]]],
    ['{ squash: false }', [['mergeRequests.accept', { sha: head, squash: false }]]],
    [
      '{ squash: true }',
      [
        ['mergeRequests.update', { squash: true }],
        ['mergeRequests.accept', { sha: head, squash: true }],
      ],
    ],
  ])('%s sends the judged head', (args, expected) => {
    expect(sent(decide(args))).toEqual(expected)
  })
  it('sends the same call again after squash was set', () => {
    const [, accept] = decide('{ squash: true }').calls
    expect(decide('{ squash: true }', { squash: true }).calls).toEqual([accept])
  })
  it('is bound to what was judged, and only it', () => {
    expect(decide('{ squash: true }').calls.map((call) => call.bound)).toEqual([undefined, true])
  })
  it('has nothing to do once it is merged', () => {
    expect(result('true', { state: 'merged' })).toMatchObject({ came: 'nothing to do', calls: 0 })
  })
})

describe('accept is held back', () => {
  it.each([
    ['when it is closed', { state: 'closed' }, 'state must be "opened", it is "closed"; what helps: a state that is "opened"'],
    ['when it is a draft', { work_in_progress: true }, 'draft must be false, it is true; what helps: marking it as ready'],
    ['when its title says draft', { title: 'Draft: a door' }, 'draft must be false, it is true; what helps: marking it as ready'],
    [
      'on conflicts',
      { merge_status: 'cannot_be_merged' },
      'mergeability must be "mergeable" or "can_be_merged", it is "cannot_be_merged"; what helps: resolve the conflicts with the target branch',
    ],
    [
      'on missing approvals',
      { detailed_merge_status: 'not_approved' },
      'mergeability must be "mergeable" or "can_be_merged", it is "not_approved"; what helps: the missing approvals',
    ],
    [
      'on a status that nobody knows',
      { detailed_merge_status: 'moon_phase' },
      'mergeability must be "mergeable" or "can_be_merged", it is "moon_phase"; what helps: the service must say that it can be merged',
    ],
    [
      'when the service does not say',
      { merge_status: undefined },
      'mergeability must be "mergeable" or "can_be_merged", it is unknown: the hosting service does not say; what helps: the service must say that it can be merged',
    ],
  ])('%s', (_what, fields, detail) => {
    expect(result('true', fields)).toEqual({ came: 'held back', detail, calls: 0, againInMs: undefined })
  })
  it.each(['failed', 'canceled', 'skipped', 'manual', 'unheard_of'])('when the pipeline is %s', (status) => {
    expect(result('true', { head_pipeline: { id: 5, sha: head, ref: 'feature', status } })).toMatchObject({ came: 'held back', calls: 0 })
  })
  it('when the head is unknown', () => {
    expect(result('{ pipeline: none }', { sha: null })).toMatchObject({
      came: 'held back',
      detail: 'head is unknown: the hosting service does not say',
      calls: 0,
    })
  })
})

describe('accept waits', () => {
  it.each(['preparing', 'unchecked', 'checking', 'approvals_syncing', 'ci_still_running'])(
    'and looks again soon while the service says %s',
    (detailed_merge_status) => {
      expect(result('true', { detailed_merge_status })).toMatchObject({ came: 'waits', calls: 0, againInMs: 2000 })
    },
  )
  it('and looks again soon while it is unchecked by the plain status', () => {
    expect(result('true', { merge_status: 'unchecked' })).toMatchObject({ came: 'waits', againInMs: 2000 })
    expect(result('true', { merge_status: 'unchecked', detailed_merge_status: 'mergeable' })).toMatchObject({ came: 'call' })
  })
  it('and looks again soon while it is being merged', () => {
    expect(result('true', { state: 'locked' })).toMatchObject({ came: 'waits', againInMs: 2000 })
  })
  it.each(['created', 'pending', 'running', 'waiting_for_resource', 'preparing'])('for the event of a pipeline that is %s', (status) => {
    const fields = { head_pipeline: { id: 5, sha: head, ref: 'feature', status }, detailed_merge_status: 'ci_still_running' }
    expect(result('true', fields)).toMatchObject({ came: 'waits', calls: 0, againInMs: undefined })
  })
  it('for a pipeline that is not there yet: none is not fine', () => {
    expect(result('true', { head_pipeline: null })).toEqual({
      came: 'waits',
      detail: 'pipeline must be "success", it is "none" (there is no pipeline yet); what helps: a pipeline of the head commit',
      calls: 0,
      againInMs: undefined,
    })
  })
})

describe('accept without CI', () => {
  it('asks for no pipeline', () => {
    expect(sent(decide('{ pipeline: none }', { head_pipeline: null }))).toEqual([['mergeRequests.accept', { sha: head }]])
  })
})

describe('accept by the repository’s own rules', () => {
  it('is not touched by what an operator’s rule may do', () => {
    expect(result('true', { target_branch: 'release' }, { changes: answer({ changes: [change('.bellhop.yml')] }) })).toMatchObject({
      came: 'call',
    })
  })
})
