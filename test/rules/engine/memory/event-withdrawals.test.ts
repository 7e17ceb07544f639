// What an event withdraws stays so for that head, though a state rule requests it, until an event requests it again.
import { restrainedAfter } from '../../../../src/rules/engine/memory/standing-requests.ts'
import { emptyMemory } from '../../../../src/rules/engine/update-memory.ts'
import type { RuleTrace } from '../../../../src/rules/types.ts'
import { happened, onEvent, overTime, whileOn } from '../../over-time.ts'
import { head, outcomes, pipeline, rule } from '../../world.ts'

const other = 'b'.repeat(40)
const at = (sha: string) => ({ sha, ...pipeline('running', { sha }) })

describe('an approval that an event took back', () => {
  const texts = [
    rule('{ author: alice }', '{ approve: true }', 'approves'),
    onEvent('note.update', '{ unapprove: true }', 'withdraws'),
    onEvent('push', '{ approve: true }', 'asks again'),
  ]
  const taken = () => {
    const mr = overTime().after(texts)
    expect(mr.sends(texts, { events: [happened('note.update')] })).toEqual([['mergeRequests.unapprove', {}]])
    return mr
  }
  it('is not given again by the rule that still matches, and the decision says why', () => {
    const mr = taken()
    expect(mr.sends(texts, { events: [happened('note.update')] })).toEqual([])
    const decision = mr.turn(texts)
    expect(decision.calls).toEqual([])
    expect(outcomes(decision)).toEqual([
      expect.stringMatching(/^overruled: the rule rules\/test\.yml#withdraws withdrew it for this head/),
    ])
  })
  it('is given for the next head', () => {
    const mr = taken()
    mr.person({ sha: other })
    expect(mr.sends(texts)).toEqual([['mergeRequests.approve', { sha: other }]])
    expect(mr.memory.restrained).toBeUndefined()
  })
  it('is given again when an event requests it, and stays', () => {
    const mr = taken()
    expect(mr.sends(texts, { events: [happened('push', 'd2')] })).toEqual([['mergeRequests.approve', { sha: head }]])
    expect([mr.sends(texts), mr.memory.restrained]).toEqual([[], undefined])
  })
  it('stays withdrawn when an event requests it in vain, because another rule goes first', () => {
    const mr = overTime()
    const both = [...texts, whileOn('{ unapprove: true }', 'goes before')]
    mr.turn(both)
    mr.turn(both, { events: [happened('note.update')] })
    mr.person({ labels: ['on'] })
    expect(
      mr.turn(both, { events: [happened('push', 'd2')] }).rules.find(({ name }) => name === 'asks again')?.actions,
    ).toMatchObject([{ action: 'approve', result: 'overruled' }])
    mr.person({ labels: [] })
    expect([mr.sends(both), mr.memory.restrained?.approve]).toEqual([[], { head, by: 'rules/test.yml#withdraws' }])
  })
  it('stays withdrawn while an earlier request that it ended is still pending', () => {
    const mr = overTime().after(texts)
    const events = [happened('push', 'd2'), happened('note.update', 'd3')]
    expect(mr.sends(texts, { events })).toEqual([['mergeRequests.unapprove', {}]])
    expect([mr.sends(texts, { events }), mr.sends(texts)]).toEqual([[], []])
  })
  it('stays withdrawn while the head cannot be read', () => {
    const mr = taken()
    mr.person({ sha: null })
    mr.turn(texts)
    mr.person({ sha: head })
    expect(mr.sends(texts)).toEqual([])
  })
  it('by a rule that only observes is not', () => {
    const observing = [texts[0] ?? '', (texts[1] ?? '').replace('    on:', '    mode: observe\n    on:')]
    const mr = overTime()
    expect(mr.sends(observing)).toEqual([['mergeRequests.approve', { sha: head }]])
    expect([mr.sends(observing, { events: [happened('note.update')] }), mr.sends(observing)]).toEqual([[], []])
  })
})

it('a merge that an event cancelled is not requested again by the rule that holds', () => {
  const texts = [
    whileOn('{ accept: { when: pipeline_succeeds } }'),
    onEvent('note.update', '{ cancel_accept: true }', 'cancels'),
  ]
  const mr = overTime({ ...at(head), labels: ['on'] })
  expect(mr.sends(texts)).toMatchObject([['mergeRequests.accept', { merge_when_pipeline_succeeds: true }]])
  expect(mr.sends(texts, { events: [happened('note.update')] })).toEqual([
    ['mergeRequests.cancelMergeWhenPipelineSucceeds', {}],
  ])
  expect([mr.sends(texts), mr.sends(texts)]).toEqual([[], []])
  mr.person(at(other))
  expect(mr.sends(texts)).toMatchObject([['mergeRequests.accept', { sha: other }]])
})

it('what an event closed and a person reopened is merged by the rules that hold', () => {
  const texts = [
    rule('{ author: alice }', '{ accept: true }', 'merges'),
    onEvent('note.update', '{ close: true }', 'closes'),
  ]
  const mr = overTime()
  expect(mr.sends(texts, { events: [happened('note.update')] })).toEqual([
    ['mergeRequests.update', { state_event: 'close' }],
  ])
  mr.person({ state: 'opened' })
  expect(mr.sends(texts)).toMatchObject([['mergeRequests.accept', { sha: head }]])
})

it('what is withdrawn for nobody ends no restraint: a rule for another event did not request it', () => {
  const restrained = { accept: { head, by: 'stop' } }
  const trace: RuleTrace = {
    ...{ key: 'f#merge@d2', name: 'merge', file: 'f', line: 1, verdict: 'false', became: false, fingerprint: 'x' },
    conditions: { condition: 'command', verdict: 'false', expected: 'merge', actual: 'none' },
    actions: [{ action: 'accept', result: 'call', detail: 'cancel the waiting merge', withdrawal: true }],
    event: happened('note.create', 'd2'),
  }
  const decision = { rules: [trace], calls: [], responses: [], head, files: [] }
  expect(restrainedAfter({ ...emptyMemory(), restrained }, decision)).toEqual(restrained)
})
