// What is kept of a merge request with each decision: what passes, is small, and was read.
import { describe, expect, it } from 'vitest'
import { passing, passingFacts } from '../../src/rules/passing-facts.ts'
import { factNamed } from '../../src/rules/view.ts'
import { answer, answers, input, mergeRequest } from './world.ts'

const kept = (given: ReturnType<typeof answers>) => passingFacts(input([], { answers: given }))
const approvals = answer({ approvals_required: 2, approvals_left: 1, approved_by: [{ user: { id: 3, username: 'carol' } }] })

describe('what is kept with a decision', () => {
  it('is what was read: labels, approvals, the pipeline, and what else may be another tomorrow', () => {
    expect(kept(answers({ labels: ['ready'], work_in_progress: true }, { approvals }))).toMatchObject({
      ...{ state: 'opened', labels: ['ready'], draft: true, milestone: null, pipeline: 'success', mergeability: 'can_be_merged' },
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
    expect(passing.filter((name) => factNamed(name)?.stable === true || factNamed(name)?.ofEvents === true)).toEqual([])
  })
})
