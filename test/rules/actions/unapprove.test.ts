// unapprove: takes back Bellhop's own approval alone, and goes before approve.
import { describe, expect, it } from 'vitest'
import { emptyMemory } from '../../../src/rules/engine/update-memory.ts'
import { overTime, whileOn } from '../over-time.ts'
import { answer, answers, bot, decideRule, head, rememberAs, rule, sent } from '../world.ts'

const approvals = (by: { id: number }[], user_has_approved = by.some(({ id }) => id === bot.id)) => ({
  approvals: answer({ approved_by: by.map((user) => ({ user })), user_has_approved }),
})
const decide = (other: ReturnType<typeof approvals>, fields = {}, memory = emptyMemory()) =>
  decideRule('{ draft: false }', '{ unapprove: true }', { answers: answers(fields, other), memory })

describe('unapprove', () => {
  it('takes back its own approval', () => {
    expect(sent(decide(approvals([bot])))).toEqual([['mergeRequests.unapprove', {}]])
  })
  it.each([
    ['nobody approved', approvals([]), {}],
    ['only others approved', approvals([{ id: 2 }]), {}],
    ['it is merged', approvals([bot]), { state: 'merged' }],
    ['it is closed', approvals([bot]), { state: 'closed' }],
  ])('has nothing to do where %s', (_what, other, fields) => {
    const decision = decide(other, fields)
    expect(decision.calls).toEqual([])
    expect(decision.rules[0]?.actions[0]?.result).toBe('nothing_to_do')
  })
  it.each([
    ['done', undefined],
    ['ambiguous', head],
    ['refused', head],
  ] as const)('that was %s is remembered so', (result, approvedSha) => {
    const memory = { ...emptyMemory(), of: { approve: head } }
    expect(rememberAs(result, decide(approvals([bot]), {}, memory), memory).of?.approve).toBe(approvedSha)
  })
  it('lets another rule approve once its own no longer matches', () => {
    const texts = [rule('{ author: alice }', '{ approve: true }', 'approves'), whileOn('{ unapprove: true }')]
    const mr = overTime({ labels: ['on'] })
    expect([mr.sends(texts), mr.sends(texts)]).toEqual([[], []])
    mr.person({ labels: [] })
    expect(mr.sends(texts)).toEqual([['mergeRequests.approve', { sha: head }]])
    mr.person({ labels: ['on'] })
    expect([mr.sends(texts), mr.sends(texts)]).toEqual([[['mergeRequests.unapprove', {}]], []])
  })
})
