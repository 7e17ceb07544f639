// What is kept of a merge request with each decision: what passes, is small, and was read.
import { describe, expect, it } from 'vitest'
import { transientFacts } from '../../../src/rules/backtest/past-facts.ts'
import type { Fact } from '../../../src/rules/facts/definition/fact.ts'
import { facts } from '../../../src/rules/facts/index.ts'
import { answer, answers, input, mergeRequest } from '../world.ts'

const kept = (given: ReturnType<typeof answers>) => transientFacts(input([], { answers: given }))
const approvals = answer({
  approvals_required: 2,
  approvals_left: 1,
  approved_by: [{ user: { id: 3, username: 'carol' } }],
})

describe('what is kept with a decision', () => {
  it('is what was read: labels, approvals, the pipeline, and what else may be another tomorrow', () => {
    expect(kept(answers({ labels: ['ready'], work_in_progress: true }, { approvals }))).toMatchObject({
      ...{
        state: 'opened',
        labels: ['ready'],
        draft: true,
        milestone: null,
        pipeline: 'success',
        mergeability: 'can_be_merged',
      },
      ...{ approvals_left: 1, approvals_given: 1, approved_by: ['carol'], time_spent: 0, assignees: [] },
    })
  })
  it('is not what nobody read, or what the service did not say', () => {
    const { labels: _labels, ...withoutLabels } = mergeRequest()
    const names = Object.keys(kept({ mergeRequest: answer(withoutLabels) }))
    expect(names).toContain('title')
    for (const name of ['labels', 'approved_by', 'author_access']) expect(names).not.toContain(name)
    expect(kept({})).toEqual({})
  })
  it('is not what was cut, and nothing that is long', () => {
    const many = Array.from({ length: 101 }, (_, index) => `label ${index}`)
    expect(kept(answers({ labels: many }))).not.toHaveProperty('labels')
    expect(kept(answers({ title: 'x'.repeat(1001) }))).not.toHaveProperty('title')
    const all = Object.values<Fact>(facts as Record<string, Fact>).filter(({ recorded }) => recorded === true)
    expect(all.filter(({ stable, ofEvents }) => stable === true || ofEvents === true)).toEqual([])
  })
})
