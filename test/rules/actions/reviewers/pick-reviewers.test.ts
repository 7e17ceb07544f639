// review with pick: whom it asks, that it is stable, and whom it replaces.

import fc from 'fast-check'
import { type PickArgs, pickedIn } from '../../../../src/rules/actions/reviewers/candidates.ts'
import { choose } from '../../../../src/rules/actions/reviewers/pick-reviewers.ts'
import type { Json } from '../../../../src/rules/language/values/rule-types.ts'
import type { SourceAnswer } from '../../../../src/rules/types.ts'
import { happened } from '../../over-time.ts'
import { answer, refused } from '../../world.ts'
import { pickWorld } from './pick-world.ts'

const list = '{ pick: 2, from: [bob, carol, dora, erin] }'
const day = (number: number) => ({ now: `2026-01-${number}T00:00:00Z` })

describe('pick', () => {
  it('asks as many as it says, beginning with another one for each merge request', () => {
    const of = (iid: number) => pickWorld({ iid }).reviewers(list)
    expect([1, 2, 3, 4].map(of)).toEqual([
      ['dora', 'erin'],
      ['bob', 'carol'],
      ['dora', 'erin'],
      ['bob', 'carol'],
    ])
    expect(of(1)).toEqual(of(1))
    const ones = [1, 2, 3, 4].map((iid) => pickWorld({ iid }).reviewers('{ from: [bob, carol, dora, erin] }'))
    expect(ones).toEqual([['carol'], ['dora'], ['erin'], ['bob']])
  })
  it('changes nothing when it is evaluated again', () => {
    const world = pickWorld()
    const first = world.turn(list)
    expect(first.calls).toHaveLength(1)
    for (const _ of [1, 2]) expect(world.turn(list).calls).toEqual([])
    expect(world.asked).toEqual([])
  })
  it('keeps the present reviewers, and counts those of its list', () => {
    expect(pickWorld({ reviewers: ['finn', 'carol'] }).reviewers(list)).toEqual(['bob', 'carol', 'finn'])
    expect(pickWorld({ reviewers: ['carol', 'erin'] }).outcome(list)).toMatchObject({ result: 'nothing_to_do' })
  })
  it('does not count the author or Bellhop as reviewers: nobody reviews what they wrote', () => {
    const one = '{ from: [alice, bob] }'
    expect(pickWorld({ reviewers: ['alice'] }).reviewers(one)).toEqual(['alice', 'bob'])
    const world = pickWorld({ reviewers: ['finn'] })
    const bot = { id: 105, username: 'finn' }
    expect(world.reviewers('{ from: [finn, bob] }', { bot })).toEqual(['bob', 'finn'])
  })
  it.each([
    ['the author', { author: 'bob' }, {}],
    ['somebody who is blocked', { blocked: ['bob'] }, {}],
    ['somebody who is busy', { busy: ['bob'] }, {}],
    ['somebody who does not exist', { users: ['carol', 'dora', 'erin'] }, {}],
    ['somebody whom the operator lists as absent', {}, { policy: { mode: 'act' as const, absent: ['BOB'] } }],
    ['Bellhop itself', {}, { bot: { id: 101, username: 'bob' } }],
  ])('never asks %s', (_what, given, changes) => {
    expect(pickWorld(given).reviewers(list, changes)).toEqual(['carol', 'dora'])
  })
  it('says that nobody, or nobody else, can be asked', () => {
    const only = '{ pick: 2, from: [bob, carol] }'
    expect(pickWorld({ busy: ['bob', 'carol'] }).outcome(only)).toMatchObject({
      result: 'blocked',
      detail: 'nobody of those it may pick can be asked',
    })
    expect(pickWorld({ busy: ['bob'] }).outcome(only)).toMatchObject({
      result: 'call',
      detail: 'request a review by carol; nobody else can be asked, and it picks 2',
    })
  })
  it('asks once for each event', () => {
    const world = pickWorld()
    const events = [happened('merge_request.open')]
    expect(world.reviewers(list, { on: 'merge_request.open', events })).toEqual(['bob', 'carol'])
  })
  it('does nothing for what is merged', () => {
    expect(pickWorld({ state: 'merged' }).outcome(list)).toMatchObject({
      result: 'nothing_to_do',
      detail: 'it is merged',
    })
  })
  it('reads only those whom it asks', () => {
    const world = pickWorld()
    world.turn(list)
    expect(world.asked).toEqual(['user@bob', 'user@carol', 'userStatus@101', 'userStatus@102'])
  })
})

describe('somebody whom a person took off', () => {
  it('is not asked again while the rule is true, and nobody else is', () => {
    const world = pickWorld()
    world.turn(list)
    world.service.reviewers = ['bob']
    expect(world.reviewers(list)).toEqual(['bob'])
  })
  it('is not asked again when the rule becomes true once more', () => {
    const world = pickWorld()
    world.turn(list)
    world.service.reviewers = ['bob']
    // Another text of the rule is a rule that becomes true.
    expect(world.reviewers('{ pick: 2, from: [bob, carol, dora] }')).toEqual(['bob', 'dora'])
  })
})

describe('what the service dropped', () => {
  it('is said, and not sent again', () => {
    const world = pickWorld()
    for (const args of [list, '{ pick: 2, from: [bob, carol, dora, erin], replace_after: 3d }']) {
      world.service.reviewers = []
      world.turn(args, { dropped: ['carol'] })
      expect(world.turn(args)).toMatchObject({ calls: [] })
      expect(world.outcome(args)).toMatchObject({
        result: 'blocked',
        detail: expect.stringContaining('the service dropped'),
      })
      pickedIn(world.memory).splice(0)
    }
  })
  it('is not sent even where the kept one is replaced: one takes the place of one', () => {
    const world = pickWorld()
    const args = '{ pick: 2, from: [bob, carol, dora, erin], replace_after: 3d }'
    world.turn(args, { dropped: ['carol'] })
    const replaced = world.turn(args, day(15))
    expect(replaced.calls[0]?.params.reviewer_ids).toEqual([103])
  })
})

it('by: fewest_open asks those with the fewest open reviews, and in turn among equals', () => {
  const open = { bob: 3, carol: 1, dora: 7, erin: 1 }
  const args = '{ pick: 1, from: [bob, carol, dora, erin], by: fewest_open }'
  expect(pickWorld({ open, iid: 8 }).reviewers(args)).toEqual(['carol'])
  expect(pickWorld({ open, iid: 7 }).reviewers(args)).toEqual(['erin'])
  expect(pickWorld({ open, busy: ['carol', 'erin'] }).reviewers(args)).toEqual(['bob'])
})

describe('replace_after', () => {
  const args = '{ pick: 1, from: [bob, carol, dora], replace_after: 3d }'
  const begin = (given = {}) => {
    const world = pickWorld({ iid: 9, ...given })
    expect(world.reviewers(args, day(11))).toContain('bob')
    return world
  }
  it('looks again when the time is over, and not before', () => {
    const world = begin()
    expect(world.turn(args, day(13))).toMatchObject({ calls: [], changesAt: '2026-01-14T00:00:00.000Z' })
    expect(world.asked).toEqual([])
  })
  it('asks the next one in place of one who did nothing', () => {
    const world = begin({ reviewers: ['finn'] })
    expect(world.outcome(args, day(14))).toMatchObject({
      detail: 'request a review by carol in place of bob, who did nothing for 3d',
    })
    expect(world.service.reviewers).toEqual(['carol', 'finn'])
    expect(world.reviewers(args, day(15))).toEqual(['carol', 'finn'])
    expect(world.reviewers(args, day(17))).toEqual(['dora', 'finn'])
    expect(world.reviewers(args, day(20))).toEqual(['dora', 'finn'])
  })
  it('wins over another rule that asks somebody else at the same time', () => {
    const world = begin({ reviewers: ['finn'] })
    expect(world.reviewers(args, { ...day(14), also: 'erin' })).toEqual(['carol', 'erin', 'finn'])
  })
  it.each([
    ['commented', { notes: [{ author: 'bob' }] }],
    ['approved', { approvedBy: ['bob'] }],
    ['reviewed', { states: { bob: 'reviewed' } }],
    ['began a review', { states: { bob: 'review_started' } }],
  ])('leaves alone who %s, and does not ask once more', (_what, done) => {
    const world = begin()
    Object.assign(world.service, done)
    expect(world.reviewers(args, day(14))).toEqual(['bob'])
    expect(world.reviewers(args, day(15))).toEqual(['bob'])
    expect(world.asked).toEqual([])
  })
  it('replaces one whom a system note says something of', () => {
    const world = begin()
    Object.assign(world.service, { notes: [{ author: 'bob', system: true }] })
    expect(world.reviewers(args, day(14))).toEqual(['carol'])
  })
  it('never takes off somebody whom a person asked, and asks nobody in place of one whom a person took off', () => {
    const person = pickWorld({ reviewers: ['bob'] })
    expect(person.reviewers(args, day(11))).toEqual(['bob'])
    expect(person.reviewers(args, day(20))).toEqual(['bob'])
    const world = begin()
    world.service.reviewers = []
    expect(world.reviewers(args, day(20))).toEqual([])
  })
  it('keeps one who did nothing where nobody else can be asked, and looks again later', () => {
    const world = begin({ busy: ['carol', 'dora'] })
    expect(world.turn(args, day(14))).toMatchObject({ calls: [], changesAt: '2026-01-17T00:00:00.000Z' })
    expect(world.turn(args, day(15)).calls).toEqual([])
    expect(world.asked).toEqual([])
    world.service.busy = []
    expect(world.reviewers(args, day(17))).toEqual(['carol'])
  })
})

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
  expect(
    names(
      choose(
        [people(['a'])],
        1,
        args(1),
        given(0, {}, () => refused()),
      ),
    ),
  ).toEqual(['a'])
  const reviews = (name: string) => (name === 'openReviews@a' ? refused() : answer([]))
  expect(names(choose([people(['a', 'b'])], 1, args(1, 'fewest_open'), given(0, {}, reviews)))).toEqual(['b'])
})
