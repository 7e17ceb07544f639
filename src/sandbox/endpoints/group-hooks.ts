// Web hooks of a group (GitLab's API page): Premium, for its owners.
import type { Api } from '../../api/index.ts'
import { findGroupFor, owner } from '../access/access.ts'
import { changedReceiver, hookFlags, newReceiver } from '../hooks/given-hook.ts'
import { notFound } from '../http/error-response.ts'
import { type Handlers, pageOf } from '../http/handler.ts'
import { isPremium } from '../installation.ts'
import type { Group, GroupHook, User } from '../records/records.ts'
import { showHook } from '../records/show-records.ts'
import type { World } from '../storage/world.ts'

export const groupHooks: Handlers<Api['groups']['hooks']> = {
  list({ params, caller, world }) {
    const group = findOwned(world, caller, params.id)
    return pageOf(world.groupHooks.where('group', group.id), params, (hook) => showHook(hook, world))
  },

  get: ({ params, caller, world }) => showHook(findHook(world, caller, params), world),

  create({ params, caller, world }) {
    const group = findOwned(world, caller, params.id)
    const flags = hookFlags(params, { push_events: true })
    return showHook(world.groupHooks.add({ ...flags, ...newReceiver(world, params), group_id: group.id }), world)
  },

  update({ params, caller, world }) {
    const hook = findHook(world, caller, params)
    const changed = { ...hookFlags(params, hook), ...changedReceiver(params, hook) }
    return showHook(world.groupHooks.update(hook.id, changed), world)
  },

  delete({ params, caller, world }) {
    const hook = findHook(world, caller, params)
    world.groupHooks.remove(hook.id)
    world.hookLog.forget(hook.id)
    return null
  },
}

function findOwned(world: World, caller: User, id: number | string): Group {
  if (!isPremium(world)) throw notFound()
  return findGroupFor(world, caller, id, owner)
}

function findHook(world: World, caller: User, params: { id: number | string; hook_id: number }): GroupHook {
  const group = findOwned(world, caller, params.id)
  const hook = world.groupHooks.get(params.hook_id)
  if (hook === undefined || hook.group_id !== group.id) throw notFound()
  return hook
}
