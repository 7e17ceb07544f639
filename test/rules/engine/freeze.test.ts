// A freeze by hand: nothing merges, with a queue or without, and what waits at the service is withdrawn.
import { acceptMemory } from '../../../src/rules/actions/definition/accept-memory.ts'
import { sayVerdict } from '../../../src/rules/explain/verdict.ts'
import type { Freeze } from '../../../src/rules/language/values/freezes.ts'
import { overTime, whileOn } from '../over-time.ts'
import { answers, decided, file, head, input, pipeline, rules, sent } from '../world.ts'

// The moment of the decisions is 2026-01-11T00:00:00Z.
const until = '2026-01-12T09:00:00.000Z'
const freeze: Freeze = { until, reason: 'the release', except: [], by: 'alice', at: '2026-01-10T00:00:00Z' }
const on = { labels: ['on'] }
const accepts = whileOn('{ accept: true }')
const accepted = [['mergeRequests.accept', { sha: head }]]
const decide = (given: Freeze, fields: object = on) =>
  decided(input([file(rules(accepts))], { answers: answers({ ...fields }), freeze: given }))

test('a merge waits for its end, and says so', () => {
  const decision = decide(freeze)
  expect(sent(decision)).toEqual([])
  expect(decision.changesAt).toBe(until)
  expect(sayVerdict(decision)).toBe(
    'Not merged: frozen until Mon 12 Jan 09:00 UTC (the release); then it merges by rule "the rule".',
  )
})

test('it holds nothing once it is over', () => {
  expect(sent(decide({ ...freeze, until: '2026-01-11T00:00:00Z' }))).toEqual(accepted)
})

test('it holds no approval', () => {
  const approves = input([file(rules(whileOn('{ approve: true }')))], { answers: answers(on), freeze })
  expect(sent(decided(approves))).toEqual([['mergeRequests.approve', { sha: head }]])
})

test('what has one of the labels merges', () => {
  const except = { ...freeze, except: ['urgent', 'on'] }
  expect(sent(decide(except))).toEqual(accepted)
  expect(sent(decide({ ...freeze, except: ['urgent', 'o'] }))).toEqual([])
})

test('a merge that Bellhop let wait at the service is withdrawn, and waits there again afterwards', () => {
  const waits = [whileOn('{ accept: { when: pipeline_succeeds } }')]
  const mr = overTime({ ...on, ...pipeline('running') }).after(waits)
  expect(acceptMemory(mr.memory).waitingSha).toBe(head)
  expect(mr.sends(waits, { freeze })).toEqual([['mergeRequests.cancelMergeWhenPipelineSucceeds', {}]])
  expect(mr.sends(waits, { freeze })).toEqual([])
  expect(mr.sends(waits)).toEqual([['mergeRequests.accept', { sha: head, merge_when_pipeline_succeeds: true }]])
})

test('it is withdrawn also where something else blocks the merge by now', () => {
  const waits = [whileOn('{ accept: { when: pipeline_succeeds } }')]
  const mr = overTime({ ...on, ...pipeline('running') }).after(waits)
  mr.person({ detailed_merge_status: 'not_approved' })
  expect(mr.sends(waits, { freeze })).toEqual([['mergeRequests.cancelMergeWhenPipelineSucceeds', {}]])
})

test('an entry of a merge queue stays, frozen with the reason, which notifies nobody', () => {
  const entered = (reason: string, more = '') => {
    const queue = `queues: [{ name: main, target: main${more} }]\n`
    const source = `${queue}${rules(whileOn('{ accept: { queue: main } }'))}`
    return sent(decided(input([file(source)], { answers: answers(on), freeze: { ...freeze, reason } })))[0]?.[1]
  }
  const entry = { queue: 'main', target: 'main', sha: head, priority: 0, frozen: true }
  const ofLabel = ', freeze: { if: { labels: { any: [on] } } }'
  expect(entered('the release')).toEqual({ ...entry, frozenUntil: until, frozenBecause: 'the release' })
  // The other freeze has no known end.
  expect(entered('ask @ann', ofLabel)).toEqual({ ...entry, frozenBecause: 'ask @\u200bann' })
})
