// approve: for the evaluated head, while a rule requests it; only what Bellhop gave is withdrawn.
import type { Memory } from '../../../src/rules/types.ts'
import {
  answer,
  answers,
  bot,
  decided,
  file,
  head,
  input,
  outcomes,
  refused,
  rememberAs,
  rule,
  rules,
  sent,
} from '../world.ts'

const text = rules(rule('{ draft: false }', '{ approve: true }'))
const memoryOf = (approvedSha?: string): Memory => ({
  rules: {},
  pushes: [],
  ...(approvedSha === undefined ? {} : { of: { approve: approvedSha } }),
})
const approved = { approvals: answer({ user_has_approved: true, approved_by: [{ user: bot }] }) }
const decide = (fields = {}, other = {}, memory = memoryOf(), source = text) =>
  decided(input([file(source)], { answers: answers(fields, other), memory }))
const older = 'b'.repeat(40)

describe('approve', () => {
  it.each([
    ['that Bellhop gave for this head', memoryOf(head)],
    ['that Bellhop does not remember', memoryOf()],
  ])('an approval %s stays as it is', (_what, memory) => {
    expect(sent(decide({}, approved, memory))).toEqual([])
  })
  it('an approval that outlived a push is not sent again, and one that the push took away is', () => {
    expect(sent(decide({}, approved, memoryOf(older)))).toEqual([])
    expect(sent(decide({}, {}, memoryOf(older)))).toEqual([['mergeRequests.approve', { sha: head }]])
  })
  it('knows its own approval by its user where the service does not say', () => {
    expect(sent(decide({}, { approvals: answer({ approved_by: [{ user: { id: 9 } }] }) }, memoryOf(head)))).toEqual([])
    expect(sent(decide({}, { approvals: answer({ approved_by: [{ user: { id: 8 } }] }) }))).toHaveLength(1)
  })
  it('is not sent where the service has no approvals', () => {
    const decision = decide({}, { approvals: refused() })
    expect(outcomes(decision)).toEqual(['blocked: approved_by_bot is unknown: 404'])
  })
})

describe('the approval is withdrawn', () => {
  const unapprove = [['mergeRequests.unapprove', {}]]
  it('when no rule requests it any more', () => {
    const decision = decide({ work_in_progress: true }, approved, memoryOf(head))
    expect(sent(decision)).toEqual(unapprove)
    expect(outcomes(decision)).toEqual(['call: withdraw the approval: no rule requests it for this head'])
  })
  it('when the rule is gone', () => {
    const others = rules(rule('{ draft: true }', '{ subscribe: true }'))
    expect(sent(decide({}, approved, memoryOf(head), others))).toEqual(unapprove)
  })
  it('when the rule can no longer be known to hold', () => {
    const ofFiles = rules(rule('{ changed_files: { all: a } }', '{ approve: true }'))
    const unread = { ...approved, changes: refused(403) }
    expect(sent(decide({}, unread, memoryOf(head), ofFiles))).toEqual(unapprove)
  })
  it('when a repository’s rule may not approve what was pushed since', () => {
    const decision = decided(
      input([file(text, { trust: 'repository' })], {
        answers: answers({ target_branch: 'release' }, approved),
        memory: memoryOf(older),
      }),
    )
    expect(sent(decision)).toEqual(unapprove)
  })
  it.each([
    ['Bellhop did not give it', memoryOf(), approved, {}],
    ['it is gone already', memoryOf(head), {}, {}],
    ['it is merged', memoryOf(head), approved, { state: 'merged' }],
  ])('but not when %s', (_what, memory, other, fields) => {
    expect(sent(decide({ work_in_progress: true, ...fields }, other, memory))).toEqual([])
  })
  it('once more when the first answer was lost and nothing was done', () => {
    const memory = memoryOf(head)
    const lost = rememberAs('ambiguous', decide({ work_in_progress: true }, approved, memory), memory)
    expect(sent(decide({ work_in_progress: true }, approved, lost))).toEqual(unapprove)
  })
  it('also when the answer to the approval itself was lost', () => {
    const lost = rememberAs('ambiguous', decide(), memoryOf())
    expect(sent(decide({ work_in_progress: true }, approved, lost))).toEqual(unapprove)
  })
})
