// The merge that the service makes later: which requests keep it, and how long a lost response counts.

import { describe, expect, it } from 'vitest'
import { acceptMemory, keepsWait } from '../../../../src/rules/actions/definition/accept-memory.ts'
import { emptyMemory, remember } from '../../../../src/rules/engine/update-memory.ts'
import { overTime, whileOn } from '../../over-time.ts'
import { answer, answered, answers, decidedBy, head, rule, rules, sent } from '../../world.ts'

const cancel = [['mergeRequests.cancelMergeWhenPipelineSucceeds', {}]]

describe('a rule that is blocked', () => {
  it('does not keep a wait that needs no pipeline and other checks than its own', () => {
    const weaker = whileOn('{ accept: { when: checks_pass, pipeline: none } }')
    const stricter = rule('{ author: alice }', '{ accept: true }', 'other')
    const mr = overTime({ labels: ['on'], head_pipeline: null, detailed_merge_status: 'not_approved' })
    expect(mr.sends([weaker, stricter])).toHaveLength(1)
    mr.person({ labels: [] })
    expect(mr.sends([weaker, stricter])).toEqual(cancel)
    expect(mr.memory).not.toHaveProperty('of')
  })
  it.each([
    [{}, {}, true],
    [{}, { when: 'pipeline_succeeds' }, true],
    [{ when: 'pipeline_succeeds' }, { when: 'pipeline_succeeds' }, true],
    [{ when: 'pipeline_succeeds' }, { when: 'checks_pass' }, false],
    [{ when: 'checks_pass' }, { when: 'checks_pass' }, true],
    [{ when: 'checks_pass' }, { when: 'checks_pass', pipeline: 'none' }, false],
    [{ when: 'checks_pass', pipeline: 'none' }, { when: 'checks_pass', pipeline: 'none' }, true],
    [{ pipeline: 'none' }, {}, true],
    [{ when: 'pipeline_succeeds' }, { when: 'pipeline_succeeds', pipeline: 'of_fork' }, false],
    [{ when: 'pipeline_succeeds', pipeline: 'of_fork' }, { when: 'pipeline_succeeds' }, true],
  ] as const)('%j keeps a wait of %j: %s', (args, waitingTerms, expected) => {
    expect(keepsWait(args, { ...emptyMemory(), of: { accept: { waitingSha: head, waitingTerms } } })).toBe(expected)
  })
})

describe('a wait whose response was lost', () => {
  const trains = { project: answer({ merge_trains_enabled: true, merge_pipelines_enabled: true }) }
  const texts = rules(whileOn('{ accept: true }'))
  const at = '2026-01-11T00:00:00Z'
  const decide = (fields: Record<string, unknown>, memory = emptyMemory(), more = {}, now = at) =>
    decidedBy(texts, { memory, now, answers: answers(fields, { ...trains, ...more }) })
  const lost = () => {
    const decision = decide({ labels: ['on'] })
    expect(sent(decision).map(([endpoint]) => endpoint)).toEqual(['mergeTrains.add'])
    return remember(emptyMemory(), answered(decision, 'ambiguous', 502))
  }
  it('is looked for again while it may still take effect, and withdrawn when it does', () => {
    const first = decide({ labels: [] }, lost())
    expect([sent(first), first.againInMs]).toEqual([[], 5000])
    const memory = remember(lost(), first)
    const landed = { labels: [], merge_when_pipeline_succeeds: true }
    expect(sent(decide(landed, memory, { mergeTrain: answer({ status: 'fresh' }) }))).toEqual(cancel)
  })
  it('is forgotten a minute later', () => {
    const later = decide({ labels: [] }, lost(), {}, '2026-01-11T00:02:00Z')
    expect(later.againInMs).toBeUndefined()
    expect(acceptMemory(remember(lost(), later))).toEqual({ addedToTrain: { sha: head, times: 1 } })
  })
})
