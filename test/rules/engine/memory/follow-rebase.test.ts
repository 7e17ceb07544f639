// Consent follows a head that Bellhop had rebased to the same content, and no other head.
import { followHead, rebasedFrom } from '../../../../src/rules/engine/memory/follow-rebase.ts'
import { emptyMemory } from '../../../../src/rules/engine/update-memory.ts'
import type { Memory, StandingRequest } from '../../../../src/rules/types.ts'
import { happened } from '../../over-time.ts'
import { bot, file, head } from '../../world.ts'

const rebased = 'b'.repeat(40)
const later = 'c'.repeat(40)
const alice = { id: 2, username: 'alice' }
const push = (from: string, to: string, by = bot) => ({ from, to, by })
const request: StandingRequest = {
  ...{ rule: 'rules/test.yml#queue', fingerprint: 'f', head, actions: ['accept'] },
  occurrence: happened('note.create', 'd1', { note: { id: 17 }, head }),
}
const queued = { queue: 'main', target: 'main', sha: head, priority: 0, frozen: false }
const inForce = (how: 'rebase' | 'branch') => [
  file(`version: 1\nqueues: [{ name: main, target: main, test: ${how} }]\nrules: []\n`),
]
const inQueue = { of: { accept: { queued } } }
const evaluated = { head, target: 'main' }
const given = (changes: Partial<Memory>, how: 'rebase' | 'branch' = 'rebase') => ({
  memory: { ...emptyMemory(), evaluated, ...changes },
  ...{ bot, files: inForce(how) },
})

describe('a head is compared with the one before', () => {
  test.each<[string, Partial<Memory>, string]>([
    ['Bellhop rebased it', { pushes: [push(head, rebased)] }, rebased],
    ['Bellhop rebased it twice', { pushes: [push(head, rebased), push(rebased, later)] }, later],
    ['somebody pushed after the rebase', { pushes: [push(head, rebased), push(rebased, later, alice)] }, later],
    ['somebody pushed before it', { pushes: [push(head, rebased, alice), push(rebased, later)] }, later],
    ['hooks came out of order', { pushes: [push(rebased, later), push(head, rebased)] }, later],
    ['the hook was lost, and a rule rebased it', { of: { rebase: { rebased: ['2026-01-11T00:00:00Z'] } } }, rebased],
    [
      'the hook was lost, and so was the response',
      { pending: { ifDone: { of: { rebase: { rebased: [''] } } } } as never },
      rebased,
    ],
    ['the hook was lost, and a queue may have rebased it', inQueue, rebased],
    ['the hook was lost after it left such a queue', { evaluated: { ...evaluated, mayBeRebased: true } }, rebased],
  ])('where %s', (_why, changes, present) => {
    expect(rebasedFrom(given(changes), present)).toBe(head)
    expect(followHead(given(changes), present, 'main', false)).toMatchObject({
      evaluated: { head: present },
      oldApprovals: {},
    })
    expect(followHead(given(changes), present, 'main', true).oldApprovals).toBeUndefined()
  })

  test.each<[string, Partial<Memory>, string]>([
    ['it is the same', { pushes: [push(head, rebased)] }, head],
    ['only people pushed', { pushes: [push(head, later, alice), push(later, rebased, alice)] }, rebased],
    ['Bellhop pushed before the last evaluation', { pushes: [push(later, head), push(head, rebased, alice)] }, rebased],
    ['none was evaluated before', { pushes: [push(head, rebased)], evaluated: undefined } as never, rebased],
    ['the hook was lost, and nothing rebases it', {}, rebased],
  ])('but not where %s', (_why, changes, present) => {
    expect(rebasedFrom(given(changes), present)).toBeUndefined()
    expect(followHead(given(changes), present, 'main', false).oldApprovals).toBeUndefined()
  })
})

test('that a queue may have rebased it is remembered after it left the queue', () => {
  expect(followHead(given(inQueue), head, 'main', false).evaluated).toEqual({ ...evaluated, mayBeRebased: true })
  expect(followHead(given(inQueue, 'branch'), head, 'main', false).evaluated).toEqual(evaluated)
})

test('what was rebased onto one target counts for no other, though it is the same there', () => {
  const onto = (target: string, changes: Partial<Memory>) => followHead(given(changes), head, target, true).oldApprovals
  const rebased = { of: { rebase: { rebased: ['2026-01-11T00:00:00Z'] } } }
  expect([onto('other', rebased), onto('main', rebased), onto('other', {})]).toEqual([{}, undefined, undefined])
})

describe('a standing request', () => {
  const headsAfter = (
    changes: Partial<Memory>,
    present: string,
    { isSame = true, how = 'rebase' as 'rebase' | 'branch' } = {},
  ) =>
    followHead(given({ standing: [request], ...inQueue, ...changes }, how), present, 'main', isSame).standing?.map(
      (each) => [each.head, each.occurrence.event.head],
    )

  test.each([
    ['once', [push(head, rebased)], rebased],
    ['twice', [push(head, rebased), push(rebased, later)], later],
  ])('follows what Bellhop had rebased %s', (_often, pushes, present) => {
    expect(headsAfter({ pushes }, present)).toEqual([[present, present]])
  })

  test.each<[string, Partial<Memory>, string, { isSame?: boolean; how?: 'rebase' | 'branch' }]>([
    ['the content is not the same', { pushes: [push(head, rebased)] }, rebased, { isSame: false }],
    ['somebody else pushed it', { pushes: [push(head, rebased, alice)] }, rebased, {}],
    ['somebody pushed after the rebase', { pushes: [push(head, rebased), push(rebased, later, alice)] }, later, {}],
    ['Bellhop rebased another head', { pushes: [push(later, rebased)] }, rebased, {}],
    [
      'another head is queued',
      { pushes: [push(head, rebased)], of: { accept: { queued: { ...queued, sha: later } } } },
      rebased,
      {},
    ],
    ['it is in no queue', { pushes: [push(head, rebased)], of: {} }, rebased, {}],
    ['the queue does not rebase', { pushes: [push(head, rebased)] }, rebased, { how: 'branch' }],
  ])('stays with its head where %s', (_why, changes, present, how) => {
    expect(headsAfter(changes, present, how)).toEqual([[head, head]])
  })

  test('for another head stays with that one', () => {
    const standing = [{ ...request, head: later }]
    expect(headsAfter({ pushes: [push(head, rebased)], standing }, rebased)).toEqual([[later, head]])
  })
})
