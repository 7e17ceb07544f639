// What approvals of other content mean for a request to merge. Its queue: actions/definition/queued-merge.test.ts.
import { emptyMemory } from '../../../src/rules/engine/update-memory.ts'
import type { Memory } from '../../../src/rules/types.ts'
import { answer, answers, decideRule, sent } from '../world.ts'

const alice = { user: { id: 2, username: 'alice' } }
const acceptBy = (approvals: object, oldApprovals: Memory['oldApprovals']) =>
  decideRule('{ author: alice }', '{ accept: true }', {
    answers: answers({}, { approvals: answer(approvals) }),
    memory: { ...emptyMemory(), ...(oldApprovals === undefined ? {} : { oldApprovals }) },
  })

it('a rule that says nothing of approvals does not merge by those from before a rebase', () => {
  const decision = acceptBy({ approvals_required: 1, approvals_left: 0, approved_by: [alice] }, {})
  expect(decision.rules[0]?.actions).toEqual([
    {
      ...{ action: 'accept', result: 'blocked' },
      detail: expect.stringMatching(/^alice approved before .*: revoke the approval, and approve again$/),
    },
  ])
  expect(decision.calls).toEqual([])
})

it.each([
  ['none is required', { approvals_required: 0, approved_by: [alice] }, {}],
  ['the service shows no requirement', { approved_by: [alice] }, {}],
  ['another one is old', { approvals_required: 1, approved_by: [alice] }, { by: [3] }],
  ['no rebase changed anything', { approvals_required: 1, approved_by: [alice] }, undefined],
])('it merges where %s', (_why, approvals, old) => {
  expect(sent(acceptBy(approvals, old)).map(([endpoint]) => endpoint)).toEqual(['mergeRequests.accept'])
})
