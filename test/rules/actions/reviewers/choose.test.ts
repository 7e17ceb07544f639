// Choosing is deterministic and bounded.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { PickArgs } from '../../../../src/rules/actions/reviewers/pick-arguments.ts'
import { choose } from '../../../../src/rules/actions/reviewers/pick-reviewers.ts'
import type { Json } from '../../../../src/rules/language/values/rule-types.ts'
import type { SourceAnswer } from '../../../../src/rules/types.ts'
import { answer } from '../../world.ts'

const args = (pick: number, by: PickArgs['by'] = 'turn'): PickArgs => ({ pick, from: [], by, replace_after: 0 })
const given = (
  iid: number,
  facts: Record<string, Json> = {},
  answerTo: (name: string) => SourceAnswer | undefined = () => answer({}),
) => {
  const unread = new Set<string>()
  return {
    ...{ bot: { id: 9, username: 'bellhop' }, doneBefore: false, memory: { rules: {}, pushes: [] }, rule: 'r', unread },
    ...{ mr: { id: 1, merge_request_iid: iid }, now: '2026-01-11T00:00:00Z', policy: undefined, body: () => undefined },
    fact: (name: string) => facts[name],
    answer(name: string) {
      const found = answerTo(name)
      if (found === undefined) unread.add(name)
      return found
    },
  }
}
const people = (names: readonly string[]) => names.map((name, index) => ({ name, id: index + 1 }))
const names = (chosen: ReturnType<typeof choose>) => chosen.map(({ name }) => name)

it('the order of the candidates and their case make no difference', () => {
  const list = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,6}$/), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(list, fc.nat(1000), fc.integer({ min: 1, max: 5 }), (all, iid, pick) => {
      const one = names(choose([people(all)], pick, args(pick), given(iid)))
      const other = names(choose([people([...all].reverse())], pick, args(pick), given(iid)))
      expect(one).toEqual(other)
      expect(one).toHaveLength(Math.min(pick, all.length))
      expect(new Set(one).size).toBe(one.length)
    }),
  )
})

it('over as many merge requests as candidates, each is asked as often', () => {
  const all = ['a', 'b', 'c', 'd', 'e']
  const asked = all.flatMap((_, iid) => names(choose([people(all)], 2, args(2), given(iid))))
  expect(all.map((name) => asked.filter((each) => each === name).length)).toEqual([2, 2, 2, 2, 2])
})

it('somebody of two lists is asked once', () => {
  expect(names(choose([people(['a', 'b']), people(['a', 'c'])], 3, args(1), given(2)))).toEqual(['a', 'b', 'c'])
})

it('of many candidates twenty are compared, and twenty asked after', () => {
  const many = people(Array.from({ length: 500 }, (_, index) => `user${String(index).padStart(3, '0')}`))
  const unread = given(0, {}, () => undefined)
  expect(choose([many], 1, args(1, 'fewest_open'), unread)).toEqual([])
  expect(unread.unread.size).toBe(20)
  const busy = choose(
    [many],
    1,
    args(1),
    given(0, {}, () => answer({ availability: 'busy' })),
  )
  expect(busy).toEqual([])
})

it('a service that shows no status shows nobody as busy, and one that shows no reviews comes last', () => {
  const refused: SourceAnswer = { ok: false, reason: 'no', status: 404 }
  expect(
    names(
      choose(
        [people(['a'])],
        1,
        args(1),
        given(0, {}, () => refused),
      ),
    ),
  ).toEqual(['a'])
  const reviews = (name: string) => (name === 'openReviews@a' ? refused : answer([]))
  expect(names(choose([people(['a', 'b'])], 1, args(1, 'fewest_open'), given(0, {}, reviews)))).toEqual(['b'])
})
