// What a soak breaks and heals, one thing after the other.
import { expect, test } from 'vitest'
import { type BreakableServer, createBreakage } from '../../soak/breakage.ts'
import type { Sandbox } from '../../src/sandbox/start-sandbox.ts'

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
