// The hooks that an event of a project goes to: its own, those of the groups above it, those of the installation.
import { lineage } from '../access/namespaces.ts'
import { type Installation, isPremium } from '../installation.ts'
import type { HookEventFlags, HookReceiver, SystemHookFlags } from '../records/records.ts'
import type { State } from '../storage/world.ts'

export interface ChosenHook {
  hook: HookReceiver
  /** X-Gitlab-Event, where it is not the event's own (hosting-service.md §1.3). */
  name?: string
}

const systemFlags: readonly (keyof HookEventFlags)[] = ['push_events', 'tag_push_events', 'merge_requests_events']

/** Groups have hooks on Premium alone; several hooks may lead to the same address (hosting-service.md §1.1). */
export function hooksFor(
  world: State & { readonly installation: Installation },
  projectId: number,
  flag: keyof HookEventFlags,
): ChosenHook[] {
  const namespace = world.projects.get(projectId)?.namespace_id
  const group = namespace === undefined ? undefined : world.groups.get(namespace)
  const groups = group === undefined || !isPremium(world) ? [] : lineage(world, group)
  const own = [
    ...world.hooks.where('project', projectId),
    ...groups.flatMap(({ id }) => world.groupHooks.where('group', id)),
  ]
  return [
    ...own.filter((hook) => hook[flag]).map((hook) => ({ hook })),
    ...world.systemHooks
      .all()
      .filter((hook) => isSystemFlag(flag) && hook[flag])
      .map((hook) => ({ hook, name: 'System Hook' })),
  ]
}

function isSystemFlag(flag: keyof HookEventFlags): flag is keyof SystemHookFlags {
  return systemFlags.includes(flag)
}
