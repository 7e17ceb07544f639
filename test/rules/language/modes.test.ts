// Which mode a rule is in, by what it says, what its file says, and the most that the operator lets the project do.
import { describe, expect, it } from 'vitest'
import { emptyMemory } from '../../../src/rules/engine/update-memory.ts'
import { modeOf } from '../../../src/rules/language/modes.ts'
import type { Mode, ProjectPolicy } from '../../../src/rules/types.ts'
import { answers, approvedByBot, decidedBy, head, rememberDone, sent } from '../world.ts'

const inFile = (mode?: Mode) => ({ rules: { file: 'x', rules: [], ...(mode === undefined ? {} : { mode }) } })
const of = (rule?: Mode, own?: Mode, project?: Mode) =>
  modeOf(rule === undefined ? {} : { mode: rule }, inFile(own), project === undefined ? undefined : { mode: project })

describe('the mode of a rule', () => {
  it('is its own, or that of its file, or to act', () => {
    expect([of(), of(undefined, 'observe'), of('act', 'observe'), of('off', 'act')]).toEqual([
      'act',
      'observe',
      'act',
      'off',
    ])
  })
  it('is never more than the operator lets the project do', () => {
    expect([of('act', 'act', 'observe'), of('observe', undefined, 'off'), of('off', undefined, 'observe')]).toEqual([
      'observe',
      'off',
      'off',
    ])
  })
})

const text = (mode: string) =>
  `${mode}\nrules:\n  - name: the rule\n    if: { author: alice }\n    then: { label: { add: a }, approve: true }\n`
const project = (mode: Mode): ProjectPolicy => ({ mode })

describe('a rule that is off', () => {
  it('is not evaluated, and says so', () => {
    const decision = decidedBy(text('mode: off'))
    expect(decision.calls).toEqual([])
    expect(decision.rules).toMatchObject([
      { verdict: 'false', mode: 'off', conditions: { condition: 'mode', actual: 'off' } },
    ])
  })
  it('acts once it is on again', () => {
    const memory = rememberDone(emptyMemory(), decidedBy(text('mode: off')))
    expect(decidedBy(text('mode: act'), { memory }).calls).toHaveLength(2)
  })
})

describe('a project that is off', () => {
  const off = { policy: project('off') }
  it('costs no call, and nothing is done, whatever its rules say', () => {
    const decision = decidedBy(text('mode: act'), { ...off, answers: {} })
    expect(decision).toMatchObject({
      calls: [],
      paused: 'the operator turned Bellhop off for this project',
      rules: [{ mode: 'off' }],
    })
  })
  it('withdraws what Bellhop holds', () => {
    const memory = { ...emptyMemory(), of: { approve: head, label: ['x'], accept: { waitingSha: head } } }
    const state = answers({ labels: ['x'], merge_when_pipeline_succeeds: true }, approvedByBot)
    expect(sent(decidedBy(text('mode: act'), { ...off, memory, answers: state }))).toEqual([
      ['mergeRequests.unapprove', {}],
      ['mergeRequests.cancelMergeWhenPipelineSucceeds', {}],
      ['mergeRequests.update', { remove_labels: 'x' }],
    ])
  })
})

describe('a project that observes', () => {
  it('withdraws what Bellhop holds, and sends nothing else', () => {
    const memory = { ...emptyMemory(), of: { approve: head } }
    const decision = decidedBy(text('mode: act'), {
      policy: project('observe'),
      memory,
      answers: answers({}, approvedByBot),
    })
    expect(sent(decision)).toEqual([['mergeRequests.unapprove', {}]])
    expect(decision.dryRunCalls?.map(({ action }) => action)).toEqual(['label', 'approve'])
  })
})

describe('a rule that observed and acts now', () => {
  it('is new: what it only observed is done', () => {
    const observed = decidedBy(text('mode: observe'))
    const memory = rememberDone(emptyMemory(), observed)
    expect(sent(decidedBy(text('mode: act'), { memory }))).toHaveLength(2)
  })
})
