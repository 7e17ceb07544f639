// What a soak breaks and heals, one thing after the other.
import type { BotProcess } from '../../soak/bot-process.ts'
import { type BreakableServer, createBreakage } from '../../soak/breakage.ts'
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

test('a server is broken again only when it has recovered; each server for itself', async () => {
  const did: string[] = []
  let recover: () => void = () => undefined
  const server = (name: string): BreakableServer => ({
    kill: async () => void did.push(`kill ${name}`),
    start: async () => void did.push(`start ${name}`),
    freeze: () => void did.push(`freeze ${name}`),
    thaw: () => void did.push(`thaw ${name}`),
  })
  const recovered = () =>
    new Promise<void>((resolve) => {
      recover = resolve
    })
  const servers = { redis: { ...server('redis'), recovered }, postgres: server('postgres') }
  const breakage = createBreakage({ sandbox: {} as Sandbox, processes: [], servers })
  const next = () => new Promise((resolve) => setImmediate(resolve))

  breakage.apply({ break: 'redis', do: 'stop', steps: 1 })?.()
  await next()
  expect(breakage.apply({ break: 'redis', do: 'hang', steps: 1 })).toBeUndefined()
  breakage.apply({ break: 'postgres', do: 'hang', steps: 1 })?.()
  recover()
  await next()
  breakage.apply({ break: 'redis', do: 'hang', steps: 1 })?.()
  await next()
  recover()
  await breakage.done()
  expect(did).toEqual(['kill redis', 'start redis', 'freeze postgres', 'thaw postgres', 'freeze redis', 'thaw redis'])
  expect(breakage.counts).toEqual({ 'redis: stop': 1, 'redis: hang': 1, 'postgres: hang': 1 })
})

test('a server that this soak has not is not broken', () => {
  const breakage = createBreakage({ sandbox: {} as Sandbox, processes: [], servers: {} })
  expect(breakage.apply({ break: 'postgres', do: 'stop', steps: 1 })).toBeUndefined()
  expect(breakage.counts).toEqual({})
})
