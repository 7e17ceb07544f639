// What happened, as a person would say it.
import type { Event } from '../../../src/rules/event-types.ts'
import { sayDecision, sayEvent } from '../../../src/rules/explain/history.ts'
import type { Call } from '../../../src/rules/types.ts'
import { answered, answers, decided, decideRule, file, input, rule, rules } from '../world.ts'

const green = { head_pipeline: { id: 5, sha: 'a'.repeat(40), status: 'success', source: 'push' } }
const merging = rule('{ labels: [ready] }', '{ accept: true }', 'merge updates')
const decide = (state: Parameters<typeof answers>[0]) =>
  decided(input([file(rules(merging))], { answers: answers({ ...green, ...state }) }))

it.each([
  ['what was done', answered(decide({ labels: ['ready'] })), ['Merged by rule "merge updates"']],
  [
    'what was refused',
    answered(decide({ labels: ['ready'] }), 'refused'),
    [/^Rule "merge updates" asked to merge it: refused, /],
  ],
  [
    'what is blocked',
    decide({ labels: ['ready'], detailed_merge_status: 'conflict', has_conflicts: true }),
    [/^Rule "merge updates" asked to merge it: blocked, .*conflict/],
  ],
  ['what blocks the merge', decide({}), ['Not merged: labels is none (needs any of "ready")']],
  ['nothing', decideRule('{ draft: true }', '{ subscribe: true }'), ['Nothing to do']],
])('a decision says %s', (_what, decision, expected) => {
  const said = sayDecision(decision)
  expect(said).toHaveLength(expected.length)
  for (const [at, each] of expected.entries())
    expect(said[at]).toEqual(typeof each === 'string' ? each : expect.stringMatching(each))
})

it.each([
  ['mergeQueue.enter', {}, 'Queued'],
  ['mergeQueue.leave', {}, 'Taken out of the queue'],
  ['mergeRequests.cancelMergeWhenPipelineSucceeds', {}, 'Waiting merge cancelled'],
  ['mergeRequests.unapprove', {}, 'Approval withdrawn'],
  ['mergeRequests.accept', { merge_when_pipeline_succeeds: true }, 'Set to merge later'],
])('a call of %s with %j is not said to be a merge', (endpoint, params, said) => {
  const { responses, ...decision } = answered(decide({ labels: ['ready'] }))
  const sent = responses.map((each) => ({ ...each, call: { ...each.call, endpoint, params, rules: [] } as Call }))
  expect(sayDecision({ ...decision, responses: sent })).toEqual([said])
})

it('says who asked with a command, and for what', () => {
  const [trace] = decide({ labels: ['ready'] }).rules
  if (trace === undefined) throw new Error('there is no rule')
  const event: Event = { kind: 'note.create', actor: { username: 'carol' }, at: '2026-01-11T00:00:00Z' }
  const conditions = { condition: 'command', verdict: 'true', expected: 'queue', actual: 'queue' } as const
  const actions = [{ action: 'accept', result: 'blocked', detail: 'conflict', queue: 'main' } as const]
  const asked = { ...trace, conditions, actions, event: { id: 'd', event } }
  expect(sayDecision({ ...decide({}), rules: [asked] })).toEqual(['carol asked to queue it: blocked, conflict'])
})

it.each<[Partial<Event>, string]>([
  [{ kind: 'merge_request.open' }, 'alice opened it'],
  [{ kind: 'merge_request.update', changed: ['updated_at', 'target_branch'] }, 'alice changed target branch'],
  [{ kind: 'merge_request.update', pushed: { from: 'a', to: 'b' } }, 'alice pushed'],
  [{ kind: 'pipeline.failed', pipeline: { id: 7, sha: 'a', status: 'failed' } }, 'Pipeline 7: failed'],
])('an event %j is “%s”', (given, expected) => {
  expect(sayEvent({ kind: '', actor: { username: 'alice' }, at: '2026-01-11T00:00:00Z', ...given })).toBe(expected)
})
