// Disabled hooks: checked hourly by sweeps, notified once, and no sweep fails for them.
import type { DisabledHook } from '../../../src/bot/context.ts'
import { sweepAll } from '../../../src/bot/sweep/sweep.ts'
import { playService, serviceErrorOf } from '../../client/world.ts'
import { rulesOfVersion, useStores } from '../stores.ts'
import { newProject, sweepWorld } from '../sweep/sweep-world.ts'
import { notifiedIn, notifying } from '../test-context.ts'

const stores = useStores()
playService()

/** A project whose hook the service shows as `hook.is`. */
async function hookWorld() {
  const world = sweepWorld(stores)
  const project = newProject()
  await world.play(project, { entries: [] })
  const hook: { is: DisabledHook | undefined | Error } = { is: undefined }
  let reads = 0
  const readDisabledHook = async () => {
    reads += 1
    if (hook.is instanceof Error) throw hook.is
    return hook.is
  }
  /** The next sweep, so many minutes later. */
  const sweep = (minutes: number, { looks = true, rules = world.context.rules } = {}) => {
    world.pass(minutes * 60)
    const operator = { ...world.context.operator, ...notifying, ...(looks ? { readDisabledHook } : {}) }
    return sweepAll({ ...world.context, operator, rules }, world.now())
  }
  return { project, hook, notified: () => notifiedIn(world.context.queues), sweep, reads: () => reads }
}

test('a disabled hook is notified once, once when it is permanent, and again after it worked in between', async () => {
  const { project, hook, notified, sweep } = await hookWorld()
  await sweep(1)
  expect(await notified()).toEqual([])
  hook.is = { hook: 3, until: '2026-11-21T13:00:00.000Z' }
  await sweep(60)
  const about = { project, projectPath: '', hook: 3, until: hook.is.until }
  expect(await notified()).toMatchObject([{ kind: 'hook_disabled', about }])
  hook.is = { hook: 3, until: '2026-11-21T14:00:00.000Z' }
  await sweep(60)
  expect(await notified()).toHaveLength(1)
  hook.is = { hook: 3, until: null }
  await sweep(60)
  await sweep(60)
  expect(await notified()).toHaveLength(2)
  hook.is = undefined
  await sweep(60)
  hook.is = { hook: 3, until: null }
  await sweep(60)
  expect(await notified()).toHaveLength(3)
})

test('a hook is checked hourly within the budget, and only where rules are in force', async () => {
  const { sweep, reads } = await hookWorld()
  const unlooked = { looks: false }
  await sweep(1, unlooked)
  const { calls } = await sweep(1, unlooked)
  expect((await sweep(1)).calls).toBe(calls + 1)
  await sweep(59)
  expect(reads()).toBe(1)
  await sweep(1)
  expect(reads()).toBe(2)
  await sweep(60, { rules: { ...rulesOfVersion('none', { files: [] }), operatorVersion: 'none' } })
  expect(reads()).toBe(2)
})

test('an unknown hook status fails no sweep; it is read again in an hour when refused, in the next sweep when unanswered', async () => {
  const { hook, notified, sweep, reads } = await hookWorld()
  hook.is = serviceErrorOf({ status: 403 })
  expect((await sweep(1)).projects).toMatchObject([{ left: false }])
  await sweep(15)
  expect(reads()).toBe(1)
  hook.is = serviceErrorOf({ kind: 'timeout' })
  for (const minutes of [60, 15])
    expect((await sweep(minutes)).projects).toEqual([expect.not.objectContaining({ failed: expect.anything() })])
  expect(reads()).toBe(3)
  hook.is = { hook: 3, until: null }
  await sweep(15)
  expect(await notified()).toHaveLength(1)
})
