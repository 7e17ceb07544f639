// What the settings of a merge queue mean for a request: which queue, its priority there, and whether it is frozen.
import { expect, it } from 'vitest'
import { answers, decided, file, input, rule, rules, sent } from '../world.ts'

const accept = rule('{ author: alice }', '{ accept: { queue: main } }')
const decide = (queues: string, fields = {}, now = '2026-11-25T12:00:00.000Z') =>
  decided(input([file(`${queues}\n${rules(accept)}`)], { answers: answers(fields), now }))
const entered = (...given: Parameters<typeof decide>) => sent(decide(...given))[0]?.[1]

it('the first priority whose condition is true counts', () => {
  const queues = `queues: [{ name: main, target: main, priority: [{ if: { labels: { any: hotfix } }, is: 100 }, { if: { author: alice }, is: -10 }] }]`
  expect(entered(queues, { labels: ['hotfix'] })).toMatchObject({ priority: 100 })
  expect(entered(queues)).toMatchObject({ priority: -10 })
})

it.each([
  ['on its day', '2026-11-27T12:00:00.000Z', [], true],
  ['on another day', '2026-11-25T12:00:00.000Z', [], false],
  ['on its day, with what is excepted', '2026-11-27T12:00:00.000Z', ['hotfix'], false],
])('a freeze %s', (_name, now, labels, frozen) => {
  const queues = `queues: [{ name: main, target: main, freeze: [{ if: { clock: { days: [fri] } }, except: { labels: { any: hotfix } } }] }]`
  const decision = decide(queues, { labels }, now)
  expect(sent(decision)[0]?.[1]).toMatchObject({ frozen })
  expect(decision.changesAt).toBeDefined()
})

it('another queue than that of the target branch is refused, with both names', () => {
  const decision = decide('queues: [{ name: other, target: main }, { name: main, target: release }]')
  expect(sent(decision)).toEqual([])
  expect(decision.rules[0]?.actions[0]?.detail).toMatch(/merge queue of main is other.*requests the queue main/)
})
