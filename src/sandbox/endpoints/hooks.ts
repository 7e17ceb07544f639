// Web hooks of a project (api-v4.md §4.3).
import type { Api } from '../../api/index.ts'
import { findProjectFor, maintainer } from '../access/access.ts'
import { changedReceiver, hookFlags, newReceiver } from '../hooks/given-hook.ts'
import { ErrorResponse, notFound } from '../http/error-response.ts'
import { type Handlers, pageOf } from '../http/handler.ts'
import type { User } from '../records/records.ts'
import { showHook } from '../records/show-records.ts'
import type { World } from '../storage/world.ts'

/** GitLab has a limit of about this size and these words. */
const mostHooks = 100

export const hooks: Handlers<Api['projects']['hooks']> = {
  list({ params, caller, world }) {
    const project = findProjectFor(world, caller, params.id, maintainer)
    return pageOf(world.hooks.where('project', project.id), params, (hook) => showHook(hook, world))
  },

  get: ({ params, caller, world }) => showHook(findHook(world, caller, params), world),

  create({ params, caller, world }) {
    const project = findProjectFor(world, caller, params.id, maintainer)
    if (world.hooks.where('project', project.id).length >= mostHooks)
      throw new ErrorResponse(422, { message: { base: [`Maximum number of project hooks (${mostHooks}) exceeded`] } })
    const hook = world.hooks.add({
      ...hookFlags(params, { push_events: true }),
      ...newReceiver(world, params),
      project_id: project.id,
    })
    return showHook(hook, world)
  },

  update({ params, caller, world }) {
    const hook = findHook(world, caller, params)
    const updated = world.hooks.update(hook.id, { ...hookFlags(params, hook), ...changedReceiver(params, hook) })
    return showHook(updated, world)
  },

  delete({ params, caller, world }) {
    const project = findProjectFor(world, caller, params.id, maintainer)
    const hook = world.hooks.get(params.hook_id)
    if (hook === undefined || hook.project_id !== project.id) return null
    world.hooks.remove(hook.id)
    const shown = showHook(hook, world)
    world.hookLog.forget(hook.id)
    return shown
  },

  events({ params, caller, world }) {
    const hook = findHook(world, caller, params)
    return pageOf(world.hookLog.of(hook.id), params, ({ id, url, trigger, payload, result, seconds }) => ({
      id,
      url,
      trigger,
      request_data: payload,
      response_status: result === 'failed' ? 'internal error' : String(result),
      execution_duration: seconds,
    }))
  },
}

function findHook(world: World, caller: User, params: { id: number | string; hook_id: number }) {
  const project = findProjectFor(world, caller, params.id, maintainer)
  const hook = world.hooks.get(params.hook_id)
  if (hook === undefined || hook.project_id !== project.id) throw notFound()
  return hook
}
