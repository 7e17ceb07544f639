// Concurrent callers share one read of a project's rules, and continue in the order of their calls.
import pLimit, { type LimitFunction } from 'p-limit'
import { describe, expect, test } from 'vitest'
import type { RulesInForce } from '../../../src/bot/rule-files/rules-in-force.ts'
import { singleFlightReads } from '../../../src/bot/rule-files/single-flight.ts'
import { playService, service } from '../../client/world.ts'
import { holds, MINUTE, makeRuleFiles, rules } from './rule-files-world.ts'

playService()

/** Takes the limit's only slot until it is released. */
function takeSlot(limitConcurrency: LimitFunction): () => Promise<void> {
  let release = () => {}
  const busy = limitConcurrency(
    () =>
      new Promise<void>((resolve) => {
        release = resolve
      }),
  )
  return () => {
    release()
    return busy
  }
}

describe('concurrent callers', () => {
  const namesOf = (found: RulesInForce[]) => found.map(({ files }) => files.at(-1)?.rules.rules.map(({ name }) => name))
  const ask = ({ inForce }: ReturnType<typeof makeRuleFiles>, limitConcurrency = pLimit(10), trustedForMs?: number) =>
    inForce(7, { limitConcurrency, ...(trustedForMs === undefined ? {} : { trustedForMs }) })

  test('share one read, which is fresh for one of them', async () => {
    const made = makeRuleFiles()
    holds(rules('one'))
    const limitConcurrency = pLimit(10)
    const found = await Promise.all(Array.from({ length: 30 }, () => ask(made, limitConcurrency)))
    expect(namesOf(found)).toEqual(Array.from({ length: 30 }, () => ['one']))
    expect(found.filter(({ fresh }) => fresh)).toHaveLength(1)
  })

  test('share the error, and the next caller reads again', async () => {
    const made = makeRuleFiles()
    service().get('/projects/7').reply(403, { message: 'no' })
    const limitConcurrency = pLimit(10)
    const asked = await Promise.allSettled([ask(made, limitConcurrency), ask(made, limitConcurrency)])
    expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    holds(rules('one'))
    expect(namesOf([await ask(made)])).toEqual([['one']])
    holds(rules('two'))
    made.clock.now += 5 * MINUTE
    expect(namesOf([await ask(made)])).toEqual([['two']])
  })

  test('do not share a read that began before their reported path', async () => {
    const made = makeRuleFiles()
    const { inForce, clock } = made
    holds(rules('before'))
    const first = ask(made)
    await new Promise((resolve) => setImmediate(resolve))
    const at = new Date(clock.now + 1).toISOString()
    clock.now += 2
    holds(rules('after'), { path: 'inn/app' })
    const told = inForce(7, { reported: { path: 'inn/app', at }, limitConcurrency: pLimit(10) })
    expect(namesOf(await Promise.all([first, told]))).toEqual([['before'], ['after']])
  })

  test('continue in the order of their calls, before a caller that finds known rules', async () => {
    const made = makeRuleFiles()
    holds(rules('one'))
    const limitConcurrency = pLimit(10)
    const order: number[] = []
    const asked = Array.from({ length: 30 }, (_, n) => ask(made, limitConcurrency).then(() => order.push(n)))
    await asked[0]
    asked.push(ask(made, limitConcurrency).then(() => order.push(30)))
    await Promise.all(asked)
    expect(order).toEqual(Array.from({ length: 31 }, (_, n) => n))
  })

  test('wait for a slot; a caller without a limit does not', async () => {
    const made = makeRuleFiles()
    const limitConcurrency = pLimit(1)
    const release = takeSlot(limitConcurrency)
    const waiting = [ask(made, limitConcurrency, 0), ask(made, limitConcurrency, 0)]
    holds(rules('one'))
    expect(namesOf([await made.inForce(7)])).toEqual([['one']])
    holds(rules('two'))
    await release()
    expect(namesOf(await Promise.all(waiting))).toEqual([['two'], ['two']])
  })
})

describe('a caller with known rules during a read', () => {
  const expected = (known: string | undefined, read = async () => ({ is: 'read', fresh: true })) => ({
    known: known === undefined ? undefined : { is: known, fresh: false },
    reported: undefined,
    look: async () => undefined,
    read,
    limitConcurrency: pLimit(1),
  })
  /** A read that the test ends. */
  function held() {
    let end: (error?: Error) => void = () => undefined
    const ended = new Promise<{ is: string; fresh: boolean }>((resolve, reject) => {
      end = (error) => (error === undefined ? resolve({ is: 'read', fresh: true }) : reject(error))
    })
    return { read: () => ended, end }
  }

  test('continues after it with its own rules, and before later callers', async () => {
    const together = singleFlightReads<{ is: string; fresh: boolean }>(() => 0)
    const { read, end } = held()
    const order: string[] = []
    const ask = (name: string, known?: string) =>
      together(7, expected(known, read)).then(({ is }) => order.push(`${name}: ${is}`))
    const asked = [ask('first'), ask('second', 'known'), ask('third'), ask('fourth', 'known')]
    end()
    await Promise.all(asked)
    expect(order).toEqual(['first: read', 'second: known', 'third: read', 'fourth: known'])
    expect(await together(7, expected('known'))).toEqual({ is: 'known', fresh: false })
  })

  test('continues also when the read fails', async () => {
    const together = singleFlightReads<{ is: string; fresh: boolean }>(() => 0)
    const { read, end } = held()
    const [first, second, third] = [
      together(7, expected(undefined, read)),
      together(7, expected('known')),
      together(7, expected(undefined)),
    ]
    end(new Error('away'))
    expect((await Promise.allSettled([first, second, third])).map(({ status }) => status)).toEqual([
      'rejected',
      'fulfilled',
      'rejected',
    ])
  })

  test('does not wait for another project', async () => {
    const together = singleFlightReads<{ is: string; fresh: boolean }>(() => 0)
    const { read, end } = held()
    const first = together(7, expected(undefined, read))
    expect(await together(8, expected('known'))).toEqual({ is: 'known', fresh: false })
    end()
    await first
  })
})

test('a caller that waited for a slot reuses what another read meanwhile', async () => {
  const made = makeRuleFiles()
  const limitConcurrency = pLimit(1)
  const release = takeSlot(limitConcurrency)
  const waiting = made.inForce(7, { limitConcurrency })
  holds(rules('one'))
  await made.inForce(7)
  await release()
  expect(await waiting).toMatchObject({ fresh: false, files: [{}, { rules: { rules: [{ name: 'one' }] } }] })
})

test('a caller with a newer path reads again where the first caller found known rules', async () => {
  const together = singleFlightReads<{ is: string; fresh: boolean }>(() => Date.parse('2026-11-22T12:00:00Z'))
  const [limitConcurrency, moved] = [pLimit(2), { path: 'inn/app', at: '2026-11-22T11:00:00Z' }]
  let end = () => {}
  const rules = new Promise<{ is: string; fresh: boolean }>((resolve) => {
    end = () => resolve({ is: 'found', fresh: false })
  })
  const read = async () => ({ is: 'read', fresh: true })
  const look = async () => ({ rules: () => rules, isValidFor: () => false })
  const first = together(7, { known: undefined, reported: undefined, look, read, limitConcurrency })
  await new Promise((resolve) => setImmediate(resolve))
  const told = together(7, { known: undefined, reported: moved, look, read, limitConcurrency })
  end()
  expect([(await first).is, (await told).is]).toEqual(['found', 'read'])
})

test('a caller with a newer path does not get older rules from a caller that still trusts them', async () => {
  const { inForce, clock } = makeRuleFiles()
  holds(rules('before'))
  await inForce(7)
  const moved = { path: 'inn/app', at: new Date(clock.now + 1).toISOString() }
  clock.now += 2
  const limitConcurrency = pLimit(1)
  const release = takeSlot(limitConcurrency)
  // Known rules are too old for it now, but not when it gets its slot.
  const first = inForce(7, { trustedForMs: 1, limitConcurrency })
  await new Promise((resolve) => setImmediate(resolve))
  clock.now -= 2
  const told = inForce(7, { reported: moved, limitConcurrency })
  await new Promise((resolve) => setImmediate(resolve))
  holds(rules('after'), { path: 'inn/app' })
  await release()
  expect((await Promise.all([first, told])).map(({ projectPath }) => projectPath)).toEqual(['inn/app', 'inn/app'])
})
