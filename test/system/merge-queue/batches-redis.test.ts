// The outcome of red builds and batches, and the next entry; with real git. On Redis only (backend-independent).
import { expect, test } from 'vitest'
import { onRedis } from '../../servers/on-redis.ts'
import { known } from '../world.ts'
import { shareQueueWorld } from './queue-world.ts'

onRedis((url) => {
  const start = shareQueueWorld(() => ({ queueUrl: url() }))

  test('red alone and green together with the one behind it: it leaves, and nothing lands with it', async () => {
    const queue = await start({ queue: 'retries: 0' })
    const [one, two] = [await queue.enter('one'), await queue.enter('two')]
    await queue.report(2, 'success')
    await queue.report(1, 'failed')
    expect([await queue.entries(), await queue.numbers(), await queue.states(one, two)]).toEqual([
      [two.iid],
      [3],
      ['opened', 'opened'],
    ])
    await queue.report(3, 'success')
    expect([await queue.states(one, two), await queue.has('one.md')]).toEqual([['opened', 'merged'], false])
  })

  const batch = { queue: 'land: push\nbatch: { most: 2, wait: 1h }\nspeculate: 1\nretries: 0' }

  test('a red batch whose halves are green lands in two builds', async () => {
    const queue = await start(batch)
    const [one, two] = [await queue.enter('one'), await queue.enter('two')]
    await queue.report(1, 'failed')
    expect(await queue.numbers()).toEqual([2, 3])
    const tested = known((await queue.builds())[3])
    await queue.report(3, 'success')
    await queue.report(2, 'success')
    expect([await queue.states(one, two), await queue.numbers(), await queue.target()]).toEqual([
      ['merged', 'merged'],
      [],
      tested,
    ])
  })

  test('two that are red together: the second leaves, its note says why, and the first lands', async () => {
    const queue = await start(batch)
    const [one, two] = [await queue.enter('one'), await queue.enter('two')]
    for (const [build, state] of [
      [1, 'failed'],
      [2, 'success'],
      [3, 'failed'],
    ] as const)
      await queue.report(build, state)
    expect([await queue.states(one, two), await queue.entries(), await queue.numbers()]).toEqual([
      ['merged', 'opened'],
      [],
      [],
    ])
    expect((await queue.notes(two.iid)).join()).toMatch(
      new RegExp(`its pipeline on top of the merge requests before it failed.*the queue landed !${one.iid}\\.`),
    )
  })

  test('a freeze that begins in the last second before a landing holds it until the freeze ends', async () => {
    const hour = 3_600_000
    const queue = await start({ queue: 'freeze: [{ if: { clock: { hours: "13:00-14:00", zone: UTC } } }]' })
    // Noon of tomorrow.
    const noon = Math.ceil(Date.now() / (24 * hour)) * 24 * hour + 12 * hour
    await queue.after((noon - Date.now()) / 60_000)
    const one = await queue.enter('one')
    queue.before('repository.pipelines.get', async () => queue.moveClock(90))
    await queue.report(1, 'success')
    expect([await queue.stateOf(one.iid), await queue.entries()]).toEqual(['opened', [one.iid]])
    await queue.after(60)
    expect(await queue.stateOf(one.iid)).toBe('merged')
  })
})
