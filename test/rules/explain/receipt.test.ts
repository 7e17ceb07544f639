// The receipt of a merge.
import { mergeIn, receiptOf } from '../../../src/rules/explain/receipt.ts'
import type { Decision } from '../../../src/rules/types.ts'
import { answered, came, decideRule, head } from '../world.ts'

describe('a receipt', () => {
  const merged = answered(decideRule('{ draft: false }', '{ label: { add: x }, accept: { squash: true } }'))
  const withCommit = (decision: Decision) => ({
    ...decision,
    responses: decision.calls.map((call) => came(call, 'done', { state: 'merged', merge_commit_sha: 'c'.repeat(40) })),
  })
  it('has the rule, the head, the facts and the commit', () => {
    const facts = { draft: false, pipeline: 'success', approved_by: ['bob'] }
    expect(receiptOf({ ...withCommit(merged), facts })).toMatchObject({
      head,
      target: 'main',
      facts,
      pipeline: 'success',
      approvals: ['bob'],
      rules: [{ name: 'the rule', file: 'rules/test.yml', line: 3, blob: 'b1' }],
      endpoint: 'mergeRequests.accept',
      commit: 'c'.repeat(40),
      tree: undefined,
    })
  })
  it('has the commit and the tree that a merge queue landed', () => {
    const landed = { commit: 'd'.repeat(40), tree: 'e'.repeat(40) }
    expect(receiptOf(merged, landed)).toMatchObject(landed)
  })
  it('is only of what was merged', () => {
    const refused = { ...merged, responses: merged.calls.map((call) => came(call, 'refused')) }
    expect([mergeIn(refused), receiptOf(refused)]).toEqual([undefined, undefined])
    expect(receiptOf(answered(decideRule('{ draft: false }', '{ approve: true }')))).toBeUndefined()
  })
})
