// Web hooks of the installation (GitLab's API page), for administrators.
import type { Api } from '../../api/index.ts'
import { changedReceiver, newReceiver } from '../hooks/given-hook.ts'
import { forbidden, notFound } from '../http/error-response.ts'
import { type Handlers, pageOf } from '../http/handler.ts'
import type { SystemHook, SystemHookFlags, User } from '../records/records.ts'
import type { World } from '../storage/world.ts'

type GivenFlags = { [K in keyof SystemHookFlags]?: boolean | undefined }

export const systemHooks: Handlers<Api['systemHooks']> = {
  list({ params, caller, world }) {
    allow(caller)
    return pageOf(world.systemHooks.all(), params, show)
  },

  create({ params, caller, world }) {
    allow(caller)
    return show(world.systemHooks.add({ ...flags(params), ...newReceiver(world, params) }))
  },

  update({ params, caller, world }) {
    const hook = findHook(world, caller, params.hook_id)
    return show(world.systemHooks.update(hook.id, { ...flags(params, hook), ...changedReceiver(params, hook) }))
  },

  delete({ params, caller, world }) {
    const hook = findHook(world, caller, params.hook_id)
    world.systemHooks.remove(hook.id)
    world.hookLog.forget(hook.id)
    return null
  },
}

function allow(caller: User) {
  if (!caller.is_admin) throw forbidden()
}

function findHook(world: World, caller: User, id: number): SystemHook {
  allow(caller)
  const hook = world.systemHooks.get(id)
  if (hook === undefined) throw notFound()
  return hook
}

/** GitLab sends no event that is not asked for. */
function flags(given: GivenFlags, before: Partial<SystemHookFlags> = {}): SystemHookFlags {
  return {
    push_events: given.push_events ?? before.push_events ?? false,
    tag_push_events: given.tag_push_events ?? before.tag_push_events ?? false,
    merge_requests_events: given.merge_requests_events ?? before.merge_requests_events ?? false,
  }
}

function show({ token, signing_token, ...shown }: SystemHook) {
  return { ...shown, token_present: token !== null, signing_token_present: signing_token !== null }
}
