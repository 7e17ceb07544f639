// status: one that somebody else set under its name is replaced, three times for a head, and has failed after that.
import { overTime } from '../over-time.ts'
import { answer, answers, bot, decidedBy, head, refused, rule, rules } from '../world.ts'

const onLabel = rule('{ labels: approved }', '{ status: { name: bellhop/policy, description: An owner approved } }')
const mallory = { id: 66, username: 'mallory' }
const shown = (id: number, status: string, author: object | null = mallory, more: object = {}) => ({
  ...{ id, status, author, name: 'bellhop/policy', ref: 'feature', pipeline_id: 5 },
  ...more,
})
type Shown = ReturnType<typeof shown>

/** As the newest of the statuses lets it be. */
const pipelineOf = (listed: Shown[]) => ({
  ...{ id: 5, sha: head, ref: 'feature', project_id: 1, source: 'push' },
  status: listed.toSorted((one, other) => other.id - one.id)[0]?.status ?? 'success',
})

/** Bellhop has set it, and then the service shows these. */
const onceSet = (labels: string[] = []) => {
  const mr = overTime({ labels }).after([onLabel])
  return (...listed: Shown[]) => {
    mr.source('statuses@bellhop/policy', listed)
    mr.person({ head_pipeline: pipelineOf(listed) })
    const { calls } = mr.turn([onLabel])
    return calls.map(({ params, replaced }) => [params.state, replaced?.by])
  }
}

describe('a status of somebody else', () => {
  it.each([
    ['success over failed', [], 'success', 'failed'],
    ['running over failed', [], 'running', 'failed'],
    ['skipped over failed', [], 'skipped', 'failed'],
    ['failed over success', ['approved'], 'failed', 'success'],
  ])('%s is replaced', (_which, labels, state, expected) => {
    expect(onceSet(labels)(shown(8, state))).toEqual([[expected, 'mallory']])
  })
  it('is replaced where its author is gone', () => {
    expect(onceSet()(shown(8, 'success', null))).toEqual([['failed', 'somebody']])
  })
  it('is replaced once while the service still shows it', () => {
    const then = onceSet()
    expect(then(shown(8, 'success'))).toHaveLength(1)
    expect(then(shown(8, 'success'))).toEqual([])
    expect(then(shown(10, 'success'))).toHaveLength(1)
  })
  it('that was there before any of Bellhop’s is replaced', () => {
    const given = answers({}, { 'statuses@bellhop/policy': answer([shown(8, 'success')]) })
    expect(decidedBy(rules(onLabel), { answers: given }).calls).toMatchObject([{ params: { state: 'failed' } }])
  })
  it('leaves it failed from the fourth on, whatever the rules say, until the head moves', () => {
    const mr = overTime({ labels: ['approved'] }).after([onLabel])
    const sees = (...listed: Shown[]) => {
      mr.source('statuses@bellhop/policy', listed)
      mr.person({ head_pipeline: pipelineOf(listed) })
      return mr.sends([onLabel]).map(([, { state }]) => state)
    }
    const states = [10, 11, 12, 13].flatMap((id) => sees(shown(id, 'failed')))
    expect(states).toEqual(['success', 'success', 'success', 'failed'])
    // Two bots of one name do not go on for ever.
    expect(sees(shown(14, 'failed'))).toEqual([])
    expect(sees(shown(15, 'success'))).toEqual(['failed'])
    const [trace] = mr.turn([onLabel]).rules[0]?.actions ?? []
    expect(trace?.detail).toContain('push again')
    mr.person({ sha: 'b'.repeat(40), head_pipeline: null })
    mr.source('statuses@bellhop/policy', [])
    expect(mr.sends([onLabel]).map(([, { state }]) => state)).toEqual(['success'])
  })
})

it('is looked for only where the pipeline is not as Bellhop’s own makes it', () => {
  const mr = overTime()
    .after([onLabel])
    .person({ head_pipeline: pipelineOf([shown(8, 'failed')]) })
  mr.source('statuses@bellhop/policy', [shown(8, 'failed')])
  expect(mr.sends([onLabel])).toEqual([])
})

it.each([
  ['where Bellhop’s own is the newest', [shown(8, 'success'), shown(9, 'failed', bot)]],
  ['whatever order the service lists them in', [shown(9, 'failed', bot), shown(8, 'success')]],
  ['of another pipeline', [shown(8, 'success', mallory, { pipeline_id: 6 })]],
  ['of another branch', [shown(8, 'success', mallory, { ref: 'other' })]],
  ['of another name', [shown(8, 'success', mallory, { name: 'Bellhop/policy' })]],
  ['of a name with a space', [shown(8, 'success', mallory, { name: 'bellhop/policy ' })]],
  ['that is not listed', []],
])('nothing is replaced %s', (_which, listed) => {
  expect(onceSet()(...(listed as Shown[]))).toEqual([])
})

it('its own of another state is set again: the memory may be older than the service', () => {
  expect(onceSet()(shown(8, 'success', bot))).toEqual([['failed', undefined]])
  expect(onceSet(['approved'])(shown(8, 'failed', bot))).toEqual([['success', undefined]])
})

it.each([
  ['cannot be read', refused(403)],
  ['is cut', answer([], false)],
])('it is not success where the list %s', (_what, list) => {
  const head_pipeline = pipelineOf([shown(8, 'failed')])
  const given = answers({ labels: ['approved'], head_pipeline }, { 'statuses@bellhop/policy': list })
  expect(decidedBy(rules(onLabel), { answers: given }).calls).toMatchObject([
    { params: { sha: head, state: 'failed', description: expect.stringContaining('not known') } },
  ])
})

it('of the pipeline of a merge request is replaced there', () => {
  const ref = 'refs/merge-requests/7/head'
  const head_pipeline = { id: 6, sha: head, ref, project_id: 1, source: 'merge_request_event', status: 'failed' }
  const list = answer([shown(8, 'failed', mallory, { ref, pipeline_id: 6 })])
  const given = answers({ labels: ['approved'], head_pipeline }, { 'statuses@bellhop/policy': list })
  expect(decidedBy(rules(onLabel), { answers: given }).calls).toMatchObject([
    { params: { ref, pipeline_id: 6, state: 'success' }, replaced: { by: 'mallory' } },
  ])
})

describe('accept by a pipeline that is green while a status of Bellhop’s own is not success', () => {
  const merge = (args: string) => rule('{ pipeline: success }', `{ accept: ${args} }`, 'merge')
  const decided = (args: string, labels: string[] = []) => {
    const decision = decidedBy(rules(onLabel, merge(args)), { answers: answers({ labels }) })
    return decision.calls.flatMap(({ action }) => (action === 'accept' ? [action] : []))
  }
  it('is not called', () => {
    expect(decided('true')).toEqual([])
    expect(decided('true', ['approved'])).toEqual(['accept'])
  })
  it('is called where it needs no pipeline', () => {
    expect(decided('{ pipeline: none }')).toEqual(['accept'])
  })
  it('says what it waits for', () => {
    const [, trace] = decidedBy(rules(onLabel, merge('true'))).rules
    expect(JSON.stringify(trace?.actions)).toContain('the status bellhop/policy, which is part of it, is failed')
  })
})
