// pipeline: run, retry and cancel the pipeline of the head, once for each event, and not for ever.
import { MOST_RUNS } from '../../../src/rules/actions/pipeline.ts'
import { emptyMemory, remember } from '../../../src/rules/engine/update-memory.ts'
import { isMap } from '../../../src/rules/language/values/shapes.ts'
import { happened, onEvent, overTime } from '../over-time.ts'
import {
  answer,
  answers,
  decided,
  file,
  head,
  input,
  pipeline,
  problemsIn,
  rememberAs,
  rememberDone,
  rule,
  rules,
  verdictOnEvent,
} from '../world.ts'

type Fields = Record<string, unknown>
const listed = (...ids: number[]) => ({
  pipelines: answer(ids.map((id) => ({ id, sha: head, ref: 'feature', status: 'failed' }))),
})
const events = [happened('push')]
const given = (args: string, fields: Fields, more: Fields = {}, trust: 'operator' | 'repository' = 'operator') =>
  input([file(rules(onEvent('push', `{ pipeline: ${args} }`)), { trust })], {
    events,
    answers: answers(fields, listed(5)),
    ...more,
  })
const outcome = (args: string, fields: Fields, more: Fields = {}) => {
  const { calls, rules: traces } = decided(given(args, fields, more))
  const { result, detail } = traces[0]?.actions[0] ?? {}
  return { result, detail, calls: calls.map(({ endpoint, params }) => [endpoint, params]) }
}

const run = ['mergeRequests.createPipeline', { id: 1, merge_request_iid: 7 }]
const retry = ['repository.pipelines.retry', { id: 1, pipeline_id: 5 }]
const cancel = ['repository.pipelines.cancel', { id: 1, pipeline_id: 5 }]

describe.each([
  ['run', ['none', 'success', 'failed', 'canceled', 'skipped', 'manual'], run],
  ['retry', ['failed', 'canceled'], retry],
  ['cancel', ['created', 'pending', 'running', 'preparing', 'waiting_for_resource', 'scheduled'], cancel],
])('%s', (args, statuses, call) => {
  it.each([
    ...['none', 'success', 'failed', 'canceled', 'skipped', 'manual', 'created', 'pending', 'running', 'preparing'],
    ...['waiting_for_resource', 'scheduled'],
  ])('of a head whose pipeline is %s', (status) => {
    const { calls, result } = outcome(args, status === 'none' ? { head_pipeline: null } : pipeline(status))
    expect(calls).toEqual(statuses.includes(status) ? [call] : [])
    expect(result).toBe(statuses.includes(status) ? 'call' : 'nothing_to_do')
  })
  it('of a pipeline of an older head is never that pipeline', () => {
    const { calls } = outcome(args, pipeline(args === 'cancel' ? 'running' : 'failed', { sha: 'b'.repeat(40) }))
    expect(calls).toEqual(args === 'run' ? [run] : [])
  })
  it('of a merge request whose pipeline cannot be read is blocked', () => {
    expect(outcome(args, { head_pipeline: 'broken' })).toMatchObject({ result: 'blocked', calls: [] })
  })
  it('is done once for the event', () => {
    const mr = overTime(pipeline(args === 'cancel' ? 'running' : 'failed'), listed(5))
    const text = onEvent('push', `{ pipeline: ${args} }`)
    expect(mr.sends([text], { events }).length).toBe(1)
    mr.person(pipeline(args === 'cancel' ? 'running' : 'failed'))
    expect(mr.sends([text], { events })).toEqual([])
  })
})

it('takes the pipeline from the list where the merge request names none', () => {
  const { calls } = outcome('retry', { head_pipeline: undefined })
  expect(calls).toEqual([retry])
})

it.each(['merged', 'closed'])('runs nothing for one that is %s', (state) => {
  expect(outcome('run', { state, ...pipeline('failed') })).toMatchObject({ result: 'nothing_to_do', calls: [] })
})

describe('the code of a fork', () => {
  /** A member ran its pipeline. */
  const inProject = (status: string) => pipeline(status, { project_id: 1 })
  it.each(['run', 'retry'])('is not run with Bellhop’s rights by %s', (args) => {
    expect(outcome(args, { source_project_id: 2, ...inProject('failed') })).toEqual({
      result: 'blocked',
      detail: 'the code of a fork is not run with Bellhop’s rights: a member can run its pipeline',
      calls: [],
    })
  })
  it.each(['run', 'retry'])('is not run where nobody says whose it is: %s', (args) => {
    expect(outcome(args, { source_project_id: undefined, ...pipeline('failed') })).toMatchObject({
      result: 'blocked',
      calls: [],
    })
  })
  it('may be canceled', () => {
    expect(outcome('cancel', { source_project_id: 2, ...inProject('running') }).calls).toEqual([cancel])
  })
})

describe('limits', () => {
  const spent = { of: { pipeline: { head, times: MOST_RUNS } } }
  it.each(['run', 'retry'])(`%s is blocked after ${MOST_RUNS} times for a head, and not for the next`, (args) => {
    const mr = overTime(pipeline('failed'), listed(5))
    const text = onEvent('push', `{ pipeline: ${args} }`)
    const turn = (id: string) => {
      mr.person(pipeline('failed'))
      return mr.turn([text], { events: [happened('push', id)] })
    }
    for (let time = 1; time <= MOST_RUNS; time++) expect(turn(`d${time}`).calls.length).toBe(1)
    const blocked = turn('last')
    expect(blocked.calls).toEqual([])
    expect(blocked.rules[0]?.actions[0]).toMatchObject({
      result: 'blocked',
      detail: `Bellhop ran or retried pipelines ${MOST_RUNS} times for this head: after a push it may again`,
    })
    const next = 'b'.repeat(40)
    mr.person({ sha: next, ...pipeline('failed', { sha: next }) })
    expect(mr.turn([text], { events: [happened('push', 'pushed')] }).calls.length).toBe(1)
    expect(mr.memory.of?.pipeline).toEqual({ head: next, times: 1 })
  })
  it('never hold back a cancellation', () => {
    const memory = { ...emptyMemory(), ...spent }
    expect(outcome('cancel', pipeline('running'), { memory }).calls).toEqual([cancel])
  })
  it('do not count what was refused', () => {
    const decision = decided(given('run', pipeline('failed')))
    expect(rememberAs('refused', decision).of?.pipeline).toBeUndefined()
    expect(rememberDone(emptyMemory(), decision).of?.pipeline).toEqual({ head, times: 1 })
  })
})

it('a request by an event is for the head of that moment', () => {
  const older = [happened('note.create', 'd1', { head: 'c'.repeat(40) })]
  const text = rules(onEvent('note.create', '{ pipeline: run }'))
  const { calls, rules: traces } = decided(
    input([file(text)], { events: older, answers: answers(pipeline('failed'), listed(5)) }),
  )
  expect(calls).toEqual([])
  expect(traces[0]?.actions[0]?.detail).toContain('it was requested for the head cccccccc')
})

describe('a lost response', () => {
  const later = { now: '2026-01-11T00:01:00Z' }
  const afterwards = (args: string, fields: Fields, ids: number[]) => {
    const before = given(args, pipeline('failed'))
    const memory = rememberAs('ambiguous', decided(before))
    const decision = decided({ ...before, ...later, memory, answers: answers(fields, listed(...ids)) })
    return { outcome: decision.settled?.outcome, calls: decision.calls.length }
  }
  it.each([
    ['run', 'a newer pipeline exists', pipeline('pending', { id: 6 }), [6, 5], 'done', 0],
    ['run', 'no newer pipeline exists', pipeline('failed'), [5], 'not_done', 1],
    ['retry', 'it is pending again', pipeline('pending'), [5], 'done', 0],
    ['retry', 'it is as it was', pipeline('failed'), [5], 'not_done', 1],
    ['retry', 'another pipeline stands for the head', pipeline('failed', { id: 6 }), [6, 5], 'unknown', 0],
  ])('to %s, where %s', (args, _what, fields, ids, expected, calls) => {
    expect(afterwards(args, fields, ids)).toEqual({ outcome: expected, calls })
  })
  it('counts once', () => {
    const before = given('retry', pipeline('failed'))
    const lost = rememberAs('ambiguous', decided(before))
    expect(lost.of?.pipeline).toBeUndefined()
    const settled = decided({ ...before, ...later, memory: lost, answers: answers(pipeline('running'), listed(5)) })
    expect(remember(lost, settled).of?.pipeline).toEqual({ head, times: 1 })
  })
})

describe('in a rule file', () => {
  it.each([
    [
      'without on:',
      rule('{ state: opened }', '{ pipeline: retry }'),
      '5:13: rules[0].then.pipeline: expected a rule with on:, which acts once for each event, found pipeline in a rule without on:',
    ],
    [
      'with another word',
      onEvent('push', '{ pipeline: restart }'),
      '5:23: rules[0].then.pipeline: expected one of run, retry, cancel, found "restart"',
    ],
  ])('%s is refused', (_what, text, message) => {
    expect(problemsIn(rules(text))).toEqual([`f.yml:${message}`])
  })
  it('a command is for Maintainers', () => {
    const read = file('version: 1\nrules:\n  - name: a\n    command: retry\n    then: { pipeline: retry }\n').rules
    const condition = read.rules[0]?.if
    expect(isMap(condition) && JSON.stringify(condition)).toContain('"expected":"maintainer"')
    expect(verdictOnEvent('{ actor_access: { at_least: maintainer } }')).toBe('true')
  })
})
