// What a soak breaks and heals, one thing after the other.
import { expect, test } from 'vitest'
import type { BotProcess } from '../../soak/bot-process.ts'
import { createBreakage } from '../../soak/breakage.ts'
import type { Sandbox } from '../../src/sandbox/start-sandbox.ts'

test('a process that two faults end while it is frozen is started once', async () => {
  const did: string[] = []
  let [url, thaw]: [string | undefined, () => void] = ['http://bot', () => undefined]
  const end = async (how: string) => {
    if (url !== undefined) did.push(how)
    url = undefined
  }
  const bot: BotProcess = {
    name: 'bot',
    url: () => url,
    async start() {
      did.push('start')
      url = 'http://bot'
      return true
    },
    kill: () => end('kill'),
    terminate: () => end('terminate'),
    freeze: () =>
      new Promise((resolve) => {
        thaw = resolve
      }),
  }
  const breakage = createBreakage({ sandbox: {} as Sandbox, processes: [bot], servers: {} })
  breakage.apply({ break: 'freeze', process: 0, seconds: 40, steps: 1 })
  await new Promise((resolve) => setImmediate(resolve))
  const [first, second] = [
    breakage.apply({ break: 'kill', process: 0, steps: 1 }),
    breakage.apply({ break: 'terminate', process: 0, steps: 1 }),
  ]
  first?.()
  second?.()
  thaw()
  await breakage.done()
  expect(did).toEqual(['kill', 'start'])
  expect(breakage.starting()).toBe(0)
})
