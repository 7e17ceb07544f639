// accept: merges what was evaluated, under its own conditions, last.

import { acceptMemory } from '../../../src/rules/actions/definition/accept-memory.ts'
import { emptyMemory } from '../../../src/rules/engine/update-memory.ts'
import { happened, onEvent, overTime, whileOn } from '../over-time.ts'
import {
  answer,
  answers,
  change,
  changesAnswer,
  decided,
  decideRule,
  file,
  head,
  input,
  outcomes,
  pipeline,
  problemsIn,
  refused,
  rememberAs,
  rule,
  rules,
  sent,
  trains,
} from '../world.ts'

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
    ['{ remove_source_branch: true }', [['mergeRequests.accept', { sha: head, should_remove_source_branch: true }]]],
    ['{ squash: false }', [['mergeRequests.accept', { sha: head, squash: false }]]],
    [
      '{ squash: true }',
      [
        ['mergeRequests.update', { squash: true }],
        ['mergeRequests.accept', { sha: head, squash: true }],
      ],
    ],
  ])('%s sends the evaluated head', (args, expected) => {
    expect(sent(decide(args))).toEqual(expected)
  })
  it('sends the same call again after squash was set', () => {
    const [, accept] = decide('{ squash: true }').calls
    expect(decide('{ squash: true }', { squash: true }).calls).toEqual([accept])
  })
  it('is bound to what was evaluated, and only it', () => {
    expect(decide('{ squash: true }').calls.map((call) => call.revalidate)).toEqual([undefined, true])
  })
  it('has nothing to do once it is merged', () => {
    expect(result('true', { state: 'merged' })).toMatchObject({ came: 'nothing_to_do', calls: 0 })
  })
})

describe('accept is blocked', () => {
  it.each([
    ['when it is closed', { state: 'closed' }, 'state must be "opened", it is "closed"; to fix: reopen it'],
    ['when it is a draft', { work_in_progress: true }, 'draft must be false, it is true; to fix: mark it as ready'],
    [
      'on conflicts',
      { merge_status: 'cannot_be_merged' },
      'mergeability must be "mergeable" or "can_be_merged", it is "cannot_be_merged"; to fix: resolve the conflicts with the target branch',
    ],
    [
      'on a status that nobody knows',
      { detailed_merge_status: 'moon_phase' },
      'mergeability must be "mergeable" or "can_be_merged", it is "moon_phase"; to fix: the service must say that it can be merged',
    ],
    [
      'when the service does not say',
      { merge_status: undefined },
      'mergeability must be "mergeable" or "can_be_merged", it is unknown: the hosting service does not say; to fix: the service must say that it can be merged',
    ],
  ])('%s', (_what, fields, detail) => {
    expect(result('true', fields)).toEqual({ came: 'blocked', detail, calls: 0, againInMs: undefined })
  })
  it.each(['failed', 'canceled', 'skipped', 'manual', 'unheard_of'])('when the pipeline is %s', (status) => {
    expect(result('true', { ...pipeline(status) })).toMatchObject({
      came: 'blocked',
      calls: 0,
    })
  })
  it('when the head is unknown', () => {
    expect(result('{ pipeline: none }', { sha: null })).toMatchObject({
      came: 'blocked',
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
    expect(result('true', { merge_status: 'unchecked', detailed_merge_status: 'mergeable' })).toMatchObject({
      came: 'call',
    })
  })
  it('and looks again soon while it is being merged', () => {
    expect(result('true', { state: 'locked' })).toMatchObject({ came: 'waits', againInMs: 2000 })
  })
  it.each(['created', 'pending', 'running', 'waiting_for_resource', 'preparing'])(
    'for the event of a pipeline that is %s',
    (status) => {
      const fields = {
        ...pipeline(status),
        detailed_merge_status: 'ci_still_running',
      }
      expect(result('true', fields)).toMatchObject({ came: 'waits', calls: 0, againInMs: undefined })
    },
  )
  it('for a pipeline that is not there yet: none is not fine', () => {
    expect(result('true', { head_pipeline: null })).toEqual({
      came: 'waits',
      detail:
        'pipeline must be "success", it is "none" (there is no pipeline yet); to fix: a pipeline of the head commit',
      calls: 0,
      againInMs: undefined,
    })
  })
})

it('accept without CI needs no pipeline', () => {
  expect(result('{ pipeline: none }', { head_pipeline: null })).toMatchObject({ came: 'call', calls: 1 })
})

describe('accept: when: pipeline_succeeds', () => {
  const waits = whileOn('{ accept: { when: pipeline_succeeds } }')
  const on = { labels: ['on'] }
  const cancel: [string, object][] = [['mergeRequests.cancelMergeWhenPipelineSucceeds', {}]]
  const ask = (sha = head): [string, object][] => [
    ['mergeRequests.accept', { sha, merge_when_pipeline_succeeds: true }],
  ]
  const one = (fields: Record<string, unknown>) => result('{ when: pipeline_succeeds }', fields)

  it.each(['created', 'waiting_for_resource', 'preparing', 'pending', 'running', 'scheduled'])(
    'asks the service to merge when the pipeline, now %s, succeeds',
    (status) => {
      const mr = overTime({ ...on, ...pipeline(status) })
      expect(mr.sends([waits])).toEqual(ask())
      expect(acceptMemory(mr.memory).waitingSha).toBe(head)
      expect(mr.sends([waits])).toEqual([])
    },
  )
  it('asks though the service says that the pipeline still runs or must pass', () => {
    for (const detailed_merge_status of ['ci_still_running', 'ci_must_pass'])
      expect(one({ ...pipeline('running'), detailed_merge_status })).toMatchObject({ came: 'call', calls: 1 })
  })
  it('merges at once where the pipeline was successful', () => {
    expect(overTime({ ...on, ...pipeline('success') }).sends([waits])).toEqual([
      ['mergeRequests.accept', { sha: head }],
    ])
  })
  it('waits for a pipeline: without one, or with one of another commit, nothing is asked', () => {
    for (const fields of [{ head_pipeline: null }, pipeline('running', { sha: 'b'.repeat(40) })])
      expect(one(fields)).toMatchObject({ came: 'waits', calls: 0, againInMs: undefined })
  })
  it.each(['failed', 'canceled', 'skipped', 'manual'])('is blocked where the pipeline is %s', (status) => {
    expect(one(pipeline(status))).toMatchObject({ came: 'blocked', calls: 0 })
  })
  it.each([
    ['a draft', { work_in_progress: true }],
    ['closed', { state: 'closed' }],
    ['in conflict', { merge_status: 'cannot_be_merged' }],
    ['not approved', { detailed_merge_status: 'not_approved' }],
  ])('is blocked where it is %s', (_what, fields) => {
    expect(one({ ...pipeline('running'), ...fields })).toMatchObject({ came: 'blocked', calls: 0 })
  })
  it('that is set already waits without a call, no matter who set it', () => {
    expect(one({ ...pipeline('running'), merge_when_pipeline_succeeds: true })).toEqual({
      came: 'waits',
      detail: 'the service merges it when its pipeline succeeds',
      calls: 0,
      againInMs: undefined,
    })
  })
  it('is cancelled when the rule no longer matches, once', () => {
    const mr = overTime({ ...on, ...pipeline('running') })
      .after([waits])
      .person({ labels: ['hold'] })
    const last = mr.turn([waits])
    expect(sent(last)).toEqual(cancel)
    expect(outcomes(last)).toEqual(['call: cancel the waiting merge: no rule requests it for this head'])
    expect([mr.sends([waits]), acceptMemory(mr.memory).waitingSha]).toEqual([[], undefined])
  })
  it('is cancelled when the rule is gone', () => {
    const mr = overTime({ ...on, ...pipeline('running') }).after([waits])
    expect(mr.sends([rule('{ draft: true }', '{ todo: true }')])).toEqual(cancel)
  })
  it('is not cancelled while another rule asks to merge', () => {
    const other = rule('{ author: alice }', '{ accept: true }', 'other')
    const mr = overTime({ ...on, ...pipeline('running') })
      .after([waits, other])
      .person({ labels: [] })
    expect(mr.sends([waits, other])).toEqual([])
  })
  it('that a person set is never cancelled', () => {
    const mr = overTime({ ...on, ...pipeline('running'), merge_when_pipeline_succeeds: true }).after([waits])
    mr.person({ labels: [] })
    expect(mr.sends([waits])).toEqual([])
  })
  it('that a person set after it was cancelled is never cancelled', () => {
    const mr = overTime({ ...on, ...pipeline('running') }).after([waits])
    mr.person({ labels: [], merge_when_pipeline_succeeds: false })
    expect([mr.sends([waits]), acceptMemory(mr.memory).waitingSha]).toEqual([[], undefined])
    mr.person({ merge_when_pipeline_succeeds: true })
    expect(mr.sends([waits])).toEqual([])
  })
  it('that the service has made is not cancelled when the rule no longer matches', () => {
    const mr = overTime({ ...on, ...pipeline('running') }).after([waits])
    mr.person({ labels: [], state: 'merged', merge_when_pipeline_succeeds: undefined })
    expect(mr.sends([waits])).toEqual([])
  })
  it('is asked for again for a new head, where the push took it away', () => {
    const sha = 'b'.repeat(40)
    const mr = overTime({ ...on, ...pipeline('running') }).after([waits])
    mr.person({ sha, ...pipeline('running', { sha }), merge_when_pipeline_succeeds: false })
    expect(mr.sends([waits])).toEqual(ask(sha))
    expect(acceptMemory(mr.memory).waitingSha).toBe(sha)
  })
  it('is cancelled for a new head that the rules may not merge, where the service kept it', () => {
    const sha = 'b'.repeat(40)
    const files = [file(rules(waits), { trust: 'repository' })]
    const moved = { ...on, sha, ...pipeline('running', { sha }), merge_when_pipeline_succeeds: true }
    const touched = answers(moved, { changes: changesAnswer([change('.bellhop.yml')], moved) })
    expect(
      sent(
        decided(input(files, { answers: touched, memory: { ...emptyMemory(), of: { accept: { waitingSha: head } } } })),
      ),
    ).toEqual(cancel)
  })
  it.each([
    ['done', head],
    ['ambiguous', head],
    ['refused', undefined],
    ['moved', undefined],
  ] as const)('that was %s is remembered so', (came, waitingSha) => {
    const decision = decide('{ when: pipeline_succeeds }', pipeline('running'))
    expect(acceptMemory(rememberAs(came, decision)).waitingSha).toBe(waitingSha)
  })
  it('is not what a merge at once is remembered as, though its response is lost', () => {
    const lost = rememberAs('ambiguous', decide('{ when: pipeline_succeeds }', pipeline('success')))
    expect(lost).not.toHaveProperty('of')
  })
  it('asked for by an event is over when the head moves', () => {
    const sha = 'b'.repeat(40)
    const asks = [onEvent('push', '{ accept: { when: pipeline_succeeds } }')]
    const mr = overTime(pipeline('running'))
    expect(mr.sends(asks, { events: [happened('push')] })).toEqual(ask())
    expect([mr.sends(asks), mr.memory.standing?.length]).toEqual([[], 1])
    mr.person({ sha, ...pipeline('running', { sha }) })
    expect(mr.sends(asks)).toEqual(cancel)
    expect([mr.sends(asks), mr.memory.standing]).toEqual([[], undefined])
  })
  it('is refused without a pipeline to wait for', () => {
    expect(
      problemsIn(rules(rule('{ state: opened }', '{ accept: { when: pipeline_succeeds, pipeline: none } }'))),
    ).toEqual(['f.yml:5:29: rules[0].then.accept.when: expected a pipeline to wait for, found pipeline: none'])
  })
})

describe('accept on a project with merge trains', () => {
  const at = (args: string, fields = {}, other = {}) => sent(decide(args, fields, { ...trains, ...other }))
  const cancel: [string, object][] = [['mergeRequests.cancelMergeWhenPipelineSucceeds', {}]]
  const later = { auto_merge: true, when_pipeline_succeeds: true }

  it.each<[string, object, [string, object][]]>([
    ['true', {}, [['mergeTrains.add', { sha: head }]]],
    ['{ when: pipeline_succeeds }', {}, [['mergeTrains.add', { sha: head }]]],
    ['{ when: pipeline_succeeds }', pipeline('running'), [['mergeTrains.add', { sha: head, ...later }]]],
    [
      '{ when: checks_pass }',
      { detailed_merge_status: 'not_approved' },
      [['mergeTrains.add', { sha: head, ...later }]],
    ],
    [
      '{ squash: true, remove_source_branch: true }',
      { squash: false },
      [
        ['mergeRequests.update', { squash: true, remove_source_branch: true }],
        ['mergeTrains.add', { sha: head, squash: true }],
      ],
    ],
    ['{ remove_source_branch: true }', { force_remove_source_branch: true }, [['mergeTrains.add', { sha: head }]]],
  ])('%s with %j adds it, and never merges at once', (args, fields, expected) => {
    expect(at(args, fields)).toEqual(expected)
  })
  it('is bound to what was evaluated', () => {
    expect(decide('true', {}, trains).calls).toMatchObject([{ revalidate: true }])
  })
  it.each<[string, object, object, string]>([
    ['is on it', {}, { mergeTrain: answer({ status: 'fresh' }) }, 'it is on the merge train, which says fresh'],
    [
      'waits, whoever set it, and is green',
      { merge_when_pipeline_succeeds: true },
      {},
      'the service adds it to the merge train when its checks pass',
    ],
  ])('calls nothing while it %s', (_, fields, other, detail) => {
    expect(result('true', fields, { ...trains, ...other })).toEqual({
      ...{ came: 'waits', detail, calls: 0, againInMs: undefined },
    })
  })
  it('is blocked where the token may not see the train', () => {
    expect(result('true', {}, { ...trains, mergeTrain: refused(403) })).toMatchObject({
      ...{ came: 'blocked', detail: 'merge_train is unknown: 403', calls: 0 },
    })
  })
  it('is blocked where the project cannot be read', () => {
    expect(result('true', {}, { project: refused(403) })).toMatchObject({ came: 'blocked', calls: 0 })
  })
  it.each(['merged', 'skip_merged'])('adds it again after a train that says %s', (status) => {
    expect(at('true', {}, { mergeTrain: answer({ status }) })).toEqual([['mergeTrains.add', { sha: head }]])
  })
  it.each(['{ accept: true }', '{ accept: { when: pipeline_succeeds } }'])(
    '%s stays on it while the rule matches, and is taken off it once when none does',
    (actions) => {
      const accepts = whileOn(actions)
      const mr = overTime({ labels: ['on'] }, trains)
      expect(mr.sends([accepts])).toEqual([['mergeTrains.add', { sha: head }]])
      expect([mr.sends([accepts]), acceptMemory(mr.memory).waitingSha]).toEqual([[], head])
      mr.person({ labels: ['hold'] })
      expect(mr.sends([accepts])).toEqual(cancel)
      expect([mr.sends([accepts]), acceptMemory(mr.memory).waitingSha]).toEqual([[], undefined])
    },
  )
  it('stays on it for the event that requested it', () => {
    const asks = [onEvent('push', '{ accept: true }')]
    const mr = overTime({}, trains)
    expect(mr.sends(asks, { events: [happened('push')] })).toEqual([['mergeTrains.add', { sha: head }]])
    mr.source('mergeTrain', { status: 'fresh' })
    expect([mr.sends(asks), mr.memory.standing?.length]).toEqual([[], 1])
  })
  it('is not taken off it by a rule for green ones while the train’s pipeline runs', () => {
    const green = rule('{ pipeline: success }', '{ accept: true }')
    const mr = overTime({}, trains)
    expect(mr.sends([green])).toEqual([['mergeTrains.add', { sha: head }]])
    const before = {
      id: 5,
      sha: head,
      ref: 'refs/merge-requests/7/head',
      status: 'success',
      source: 'merge_request_event',
    }
    const train = { ...before, id: 6, sha: 'c'.repeat(40), ref: 'refs/merge-requests/7/train', status: 'running' }
    mr.person({ head_pipeline: train, detailed_merge_status: 'ci_still_running' })
    mr.source('pipelines', [train, before])
    expect(mr.sends([green])).toEqual([])
    mr.person({ head_pipeline: { ...train, status: 'failed' }, merge_when_pipeline_succeeds: false })
    mr.source('pipelineCommit', { id: train.sha, parent_ids: ['d'.repeat(40), head] })
    expect(mr.sends([green])).toEqual([])
  })
  it('a person’s place on it is never taken away', () => {
    const mr = overTime({ merge_when_pipeline_succeeds: true }, trains)
    expect(mr.sends([whileOn('{ accept: true }')])).toEqual([])
  })
})

describe('accept and the squash option of the project', () => {
  const option = (squash_option: string) => ({ project: answer({ default_branch: 'main', squash_option }) })
  it.each<[string, string, string]>([
    ['never', '{ squash: true }', 'the project never squashes: leave out squash, or change the project'],
    ['always', '{ squash: false }', 'the project always squashes: leave out squash, or change the project'],
  ])('%s blocks %s', (name, args, detail) => {
    expect(result(args, {}, option(name))).toMatchObject({ came: 'blocked', detail, calls: 0 })
  })
  it.each<[string, string, object]>([
    ['never', '{ squash: false }', { sha: head, squash: false }],
    ['always', '{ squash: true }', { sha: head, squash: true }],
    ['never', 'true', { sha: head }],
    ['always', 'true', { sha: head }],
    ['default_on', '{ squash: false }', { sha: head, squash: false }],
  ])('%s updates nothing for %s', (name, args, params) => {
    expect(sent(decide(args, {}, option(name)))).toEqual([['mergeRequests.accept', params]])
  })
})
