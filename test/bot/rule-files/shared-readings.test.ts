// Concurrent callers share one reading of a project's rules, and continue in the order of their calls.
import pLimit from 'p-limit'
import type { RulesInForce } from '../../../src/bot/rule-files/rules-in-force.ts'
import { playService, service } from '../../client/world.ts'
import { holds, MINUTE, makeRuleFiles, rules } from './rule-files-world.ts'

playService()

const namesOf = (found: RulesInForce[]) => found.map(({ files }) => files.at(-1)?.rules.rules.map(({ name }) => name))

test('concurrent callers share one reading, which is fresh for one of them', async () => {
  const { inForce } = makeRuleFiles()
  holds(rules('one'))
  const found = await Promise.all(Array.from({ length: 30 }, () => inForce(7)))
  expect(namesOf(found)).toEqual(Array.from({ length: 30 }, () => ['one']))
  expect(found.filter(({ fresh }) => fresh)).toHaveLength(1)
})

test('they share its error, and the next caller reads again', async () => {
  const { inForce } = makeRuleFiles()
  service().get('/projects/7').reply(403, { message: 'no' })
  const asked = await Promise.allSettled([inForce(7), inForce(7)])
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  holds(rules('one'))
  expect(namesOf([await inForce(7)])).toEqual([['one']])
})

test('a caller with a newer path of the project does not share a reading that began before', async () => {
  const { inForce, clock } = makeRuleFiles()
  holds(rules('before'))
  const first = inForce(7)
  await new Promise((resolve) => setImmediate(resolve))
  const at = new Date(clock.now + 1).toISOString()
  clock.now += 2
  holds(rules('after'), { path: 'inn/app' })
  const moved = inForce(7, { reported: { path: 'inn/app', at } })
  expect(namesOf(await Promise.all([first, moved]))).toEqual([['before'], ['after']])
})

test('callers continue in the order of their calls, also those that come when the rules are stored', async () => {
  const { inForce, records } = makeRuleFiles()
  holds(rules('one'))
  const order: number[] = []
  const ask = (n: number) => inForce(7).then(() => order.push(n))
  const asked = Array.from({ length: 30 }, (_, n) => ask(n))
  await expect.poll(() => records.size, { interval: 0 }).toBe(1)
  asked.push(ask(30))
  await Promise.all(asked)
  expect(order).toEqual(Array.from({ length: 31 }, (_, n) => n))
})

test('callers continue in the order of their calls, also where the reading ends before a later look into the journal', async () => {
  let looks = 0
  const done: string[] = []
  const { inForce } = makeRuleFiles({}, async () => {
    looks += 1
    // The third caller looks for as long as the first one reads.
    if (looks === 3) await first
    else await new Promise((resolve) => setImmediate(resolve))
  })
  const call = (name: string) => inForce(7).then(() => done.push(name))
  holds(rules('one'))
  const first = call('first')
  await Promise.all([first, call('second'), call('third')])
  expect(done).toEqual(['first', 'second', 'third'])
})

test('a reading waits for a slot; callers that find the rules do not', async () => {
  const { inForce, clock } = makeRuleFiles()
  const limitConcurrency = pLimit(1)
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  holds(rules('one'))
  await inForce(7)
  const busy = limitConcurrency(() => held)
  expect(namesOf([await inForce(7, { limitConcurrency })])).toEqual([['one']])
  clock.now += 15 * MINUTE
  const waiting = inForce(7, { limitConcurrency })
  await expect.poll(() => limitConcurrency.pendingCount).toBe(1)
  holds(rules('two'))
  release()
  await busy
  expect(namesOf([await waiting])).toEqual([['two']])
})
