// The world of one request or background task: its hooks and background work start once it is written.
import type { Response } from 'express'
import type { Deliveries } from '../hooks/deliveries.ts'
import { hookProject, hooksFor } from '../hooks/parts.ts'
import { type createBackground, deferred, type SandboxClock } from './schedule.ts'
import type { Storage } from './storage.ts'
import type { World } from './world.ts'

export type Worlds = ReturnType<typeof createWorlds>
/** The world of one HTTP request. `run` does its work as one transaction; only then may it be answered. */
export type RequestWorld = ReturnType<Worlds['forRequest']>

interface WorldParts extends Pick<World, 'url' | 'tier' | 'git' | 'serialise' | 'ci' | 'mergeFault'> {
  storage: Storage
  deliveries: Deliveries
  background: ReturnType<typeof createBackground>
  clock: SandboxClock
}

export function createWorlds({ storage, deliveries, background, ...parts }: WorldParts) {
  const { state, repositories: folder, uploads: uploadsFolder } = storage
  function worldUntil(over: Promise<void>): World {
    const world: World = {
      ...state,
      ...parts,
      folder,
      uploadsFolder,
      hookLog: deliveries.log,
      send(project, flag, payload) {
        for (const { hook, name } of hooksFor(world, project.id, flag)) {
          const event = { flag, name, payload: { project: hookProject(world, project), ...payload } }
          deliveries.enqueue(hook, event, over)
        }
      },
      background(key, task) {
        background.start(over, () => forTask((own) => parts.serialise(key, () => task(own))))
      },
      later(at, key, task) {
        parts.clock.schedule(at, () => world.background(key, task))
      },
    }
    return world
  }
  /** Runs a task in a world of its own, as one transaction. */
  async function forTask<T>(task: (world: World) => Promise<T>): Promise<T> {
    const over = deferred<void>()
    return storage.run(() => task(worldUntil(over.promise))).finally(over.resolve)
  }
  /** Hooks and background work of the request wait until it is answered. */
  function forRequest(response: Response) {
    const closed = new Promise<void>((resolve) => response.once('close', resolve))
    const worked = deferred<void>()
    return {
      ...worldUntil(closed.then(() => worked.promise)),
      run: <T>(task: () => Promise<T>): Promise<T> => storage.run(task).finally(worked.resolve),
    }
  }
  return { forRequest, forTask }
}
