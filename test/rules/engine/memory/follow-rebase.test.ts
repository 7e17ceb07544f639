// A request stands for the head that a merge queue rebased, and for no other head.
import { expect, test } from 'vitest'
import { followRebase } from '../../../../src/rules/engine/memory/follow-rebase.ts'
import { emptyMemory } from '../../../../src/rules/engine/update-memory.ts'
import type { Memory, StandingRequest } from '../../../../src/rules/types.ts'
import { happened } from '../../over-time.ts'
import { bot, file, head } from '../../world.ts'

const rebased = 'b'.repeat(40)
const later = 'c'.repeat(40)
const alice = { id: 2, username: 'alice' }
const own = { from: head, to: rebased, by: bot }
const request: StandingRequest = {
  ...{ rule: 'rules/test.yml#queue', fingerprint: 'f', head, actions: ['accept'] },
  occurrence: happened('note.create', 'd1', { note: { id: 17 }, head }),
}
const queued = { queue: 'main', target: 'main', sha: head, priority: 0, frozen: false }
const inForce = (how: 'rebase' | 'branch') => [
  file(`version: 1\nqueues: [{ name: main, target: main, test: ${how} }]\nrules: []\n`),
]
const memory = (changes: Partial<Memory>): Memory => ({ ...emptyMemory(), standing: [request], queued, ...changes })
const headsAfter = (changes: Partial<Memory>, present: string, how: 'rebase' | 'branch' = 'rebase') =>
  followRebase({ memory: memory(changes), bot, files: inForce(how) }, present).standing?.map((each) => [
    each.head,
    each.occurrence.event.head,
  ])

test('the head that Bellhop pushed in place of the queued one takes the request over', () => {
  expect(headsAfter({ pushes: [own] }, rebased)).toEqual([[rebased, rebased]])
})

test.each<[string, Partial<Memory>, string, 'rebase' | 'branch']>([
  ['somebody else pushed it', { pushes: [{ ...own, by: alice }] }, rebased, 'rebase'],
  ['somebody pushed after the rebase', { pushes: [own, { from: rebased, to: later, by: alice }] }, later, 'rebase'],
  ['Bellhop rebased another head', { pushes: [{ ...own, from: later }] }, rebased, 'rebase'],
  ['it is in no queue', { pushes: [own], queued: undefined } as unknown as Partial<Memory>, rebased, 'rebase'],
  ['the queue does not rebase', { pushes: [own] }, rebased, 'branch'],
])('it stays with its head where %s', (_why, changes, present, how) => {
  expect(headsAfter(changes, present, how)).toEqual([[head, head]])
})

test('a request for another head stays with that one', () => {
  expect(headsAfter({ pushes: [own], standing: [{ ...request, head: later }] }, rebased)).toEqual([[later, head]])
})
