// Which mode a rule is in, by what it says, what its file says, and the most that the operator lets the project do.
import { describe, expect, it } from 'vitest'
import { emptyMemory } from '../../../src/rules/engine/update-memory.ts'
import { modeOf } from '../../../src/rules/language/modes.ts'
import type { Mode } from '../../../src/rules/types.ts'
import { decidedBy, rememberDone, sent } from '../world.ts'

const of = (rule?: Mode, own?: Mode, project?: Mode) =>
  modeOf({ mode: rule }, { rules: { file: 'x', rules: [], mode: own } }, project && { mode: project })

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

it('a project that is off costs no call, and nothing is done, whatever its rules say', () => {
  expect(decidedBy(text('mode: act'), { policy: { mode: 'off' }, answers: {} })).toMatchObject({
    calls: [],
    paused: 'the operator turned Bellhop off for this project',
    rules: [{ mode: 'off' }],
  })
})

it('a rule that observed and acts now is new: what it only observed is done', () => {
  const memory = rememberDone(emptyMemory(), decidedBy(text('mode: observe')))
  expect(sent(decidedBy(text('mode: act'), { memory }))).toHaveLength(2)
})
