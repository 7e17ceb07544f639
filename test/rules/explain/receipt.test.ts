// What is stored of a merge, and its receipt.
import { describe, expect, it } from 'vitest'
import { consentOf, mergeIn, receiptOf } from '../../../src/rules/explain/receipt.ts'
import type { Decision } from '../../../src/rules/types.ts'
import { answer, answered, answers, came, decideRule, file, head, input, pipeline } from '../world.ts'

const bob = { id: 3, username: 'bob', state: 'active' }
const push = { from: null, to: head, by: { id: 2, username: 'alice' } }
const given = (by?: object[], fields = {}) =>
  input([file('rules: []\n')], {
    answers: { ...answers(fields), ...(by && { approvals: answer({ approved_by: by.map((user) => ({ user })) }) }) },
    memory: { ...input([]).memory, pushes: [push] },
  })

describe('what is stored of a merge', () => {
  it('names those whose approvals counted, with their heads, and the head pipeline', () => {
    const read = given([bob, { id: 2, username: 'alice', state: 'active' }], pipeline('success'))
    expect(consentOf(read, { approvals: { 3: head } })).toEqual({
      approvals: [{ by: 'bob', head }],
      pipeline: { id: 5, sha: head, status: 'success' },
    })
  })
  it('says nothing of what was not read', () => {
    const { approvals: _, ...others } = answers({ head_pipeline: null })
    expect(consentOf({ ...given(), answers: others }, {})).toEqual({ approvals: undefined, pipeline: undefined })
  })
})

describe('a receipt', () => {
  const merged = answered(decideRule('{ draft: false }', '{ label: { add: x }, accept: { squash: true } }'))
  const withCommit = (decision: Decision) => ({
    ...decision,
    responses: decision.calls.map((call) => came(call, 'done', { state: 'merged', merge_commit_sha: 'c'.repeat(40) })),
  })
  it('has the rule, the head, the facts and the commit', () => {
    expect(receiptOf({ ...withCommit(merged), facts: { draft: false }, consent: { approvals: [] } })).toMatchObject({
      ...{ head, target: 'main', facts: { draft: false }, approvals: [], tree: undefined },
      rules: [{ name: 'the rule', file: 'rules/test.yml', line: 3, blob: 'b1' }],
      merge: { endpoint: 'mergeRequests.accept', commit: 'c'.repeat(40) },
    })
  })
  it('has the commit and the tree that a merge queue landed', () => {
    const landed = { commit: 'd'.repeat(40), tree: 'e'.repeat(40) }
    expect(receiptOf({ ...merged, landed })).toMatchObject({ merge: { commit: landed.commit }, tree: landed.tree })
  })
  it('is only of what was merged', () => {
    const refused = { ...merged, responses: merged.calls.map((call) => came(call, 'refused')) }
    expect([mergeIn(refused), receiptOf(refused)]).toEqual([undefined, undefined])
    expect(receiptOf(answered(decideRule('{ draft: false }', '{ approve: true }')))).toBeUndefined()
  })
})
