// The world as one request or background task has it: what it sends and starts waits until it is over, and written.
import type { Response } from 'express'
import type { Background } from './background.ts'
import type { Deliveries } from './hooks/deliveries.ts'
import type { UnitsOfWork } from './units-of-work.ts'
import type { State, World } from './world.ts'

/** The world of one HTTP request; `run` does its work as one unit, and only then may it be answered. */
export interface RequestWorld extends World {
  readonly run: UnitsOfWork['run']
}
export interface Worlds {
  /** Hooks and background work of the request wait for its answer. */
  forRequest(response: Response): RequestWorld
  /** Runs a task in a world of its own, as one unit of work. */
  forTask<T>(task: (world: World) => Promise<T>): Promise<T>
}
export interface Shared extends Pick<World, 'url' | 'git' | 'serialise' | 'folder' | 'uploadsFolder'> {
  state: State
  units: UnitsOfWork
  deliveries: Deliveries
  background: Background
}

export function createWorlds({ state, units, deliveries, background, ...shared }: Shared): Worlds {
  function worldUntil(over: Promise<void>): World {
    return {
      ...state,
      ...shared,
      hookLog: deliveries.log,
      send(event) {
        for (const hook of state.hooks.where('project', event.projectId)) {
          if (hook[event.flag]) deliveries.enqueue(hook, event, over)
        }
      },
      background(key, task) {
        background.start(over, () => forTask((world) => shared.serialise(key, () => task(world))))
      },
    }
  }

  async function forTask<T>(task: (world: World) => Promise<T>): Promise<T> {
    const over = signal()
    const world = worldUntil(over.given)
    try {
      return await units.run(() => task(world))
    } finally {
      over.give()
    }
  }

  function forRequest(response: Response): RequestWorld {
    const closed = signal()
    const worked = signal()
    response.once('close', closed.give)
    return Object.assign(worldUntil(closed.given.then(() => worked.given)), {
      run: <T>(task: () => Promise<T>) => units.run(task).finally(worked.give),
    })
  }

  return { forRequest, forTask }
}

function signal(): { given: Promise<void>; give: () => void } {
  let give: () => void = () => undefined
  const given = new Promise<void>((resolve) => {
    give = resolve
  })
  return { given, give }
}
