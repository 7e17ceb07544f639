import { setTimeout as pause } from 'node:timers/promises'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { callsAtOnce } from '../../src/bot/calls-at-once.ts'

test('whatever is asked for, no more than so many run at once, each has its own answer or error, and all run', async () => {
  const asked = fc.array(fc.record({ ms: fc.nat(3), fails: fc.boolean() }), { maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(asked, fc.integer({ min: 1, max: 5 }), async (calls, most) => {
      const inTurn = callsAtOnce(most)
      let running = 0
      let mostRunning = 0
      const settled = await Promise.allSettled(
        calls.map(({ ms, fails }, n) =>
          inTurn(async () => {
            running += 1
            mostRunning = Math.max(mostRunning, running)
            await pause(ms)
            running -= 1
            if (fails) throw new Error(`no ${n}`)
            return n
          }),
        ),
      )
      expect(mostRunning).toBe(Math.min(most, calls.length))
      expect(settled.map((each) => (each.status === 'fulfilled' ? each.value : each.reason.message))).toEqual(
        calls.map(({ fails }, n) => (fails ? `no ${n}` : n)),
      )
    }),
  )
})

test('who throws at once gives way as well', async () => {
  const inTurn = callsAtOnce(1)
  await expect(
    inTurn(() => {
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  expect(await inTurn(async () => 'yes')).toBe('yes')
})
