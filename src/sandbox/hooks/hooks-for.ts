// The hooks that an event goes to: those of its project, of the groups above it, and of the installation.
import { lineage } from '../access/namespaces.ts'
import { isPremium, type Tier } from '../installation.ts'
import type { GroupHook, HookEventFlags, HookReceiver, SystemHookFlags } from '../records/records.ts'
import type { State } from '../storage/world.ts'

interface ChosenHook {
  hook: HookReceiver
  /** X-Gitlab-Event. */
  name: string
}

const systemFlags: readonly (keyof HookEventFlags)[] = ['push_events', 'tag_push_events', 'merge_requests_events']

type Premises = State & { readonly tier: Tier }

/** Groups have hooks on Premium alone; several hooks may lead to the same address. */
export function hooksFor(world: Premises, projectId: number, flag: keyof HookEventFlags): ChosenHook[] {
  const namespace = world.projects.get(projectId)?.namespace_id
  const own = [...world.hooks.where('project', projectId), ...hooksAbove(world, namespace)]
  return [
    ...own.filter((hook) => hook[flag]).map((hook) => ({ hook, name: nameOf(flag) })),
    ...world.systemHooks
      .all()
      .filter((hook) => isSystemFlag(flag) && hook[flag])
      .map((hook) => ({ hook, name: 'System Hook' })),
  ]
}

function hooksAbove(world: Premises, groupId: number | undefined): GroupHook[] {
  const group = groupId === undefined || !isPremium(world) ? undefined : world.groups.get(groupId)
  return group === undefined ? [] : lineage(world, group).flatMap(({ id }) => world.groupHooks.where('group', id))
}

function isSystemFlag(flag: keyof HookEventFlags): flag is keyof SystemHookFlags {
  return systemFlags.includes(flag)
}

/** `merge_requests_events` → `Merge Request Hook`. */
function nameOf(flag: string): string {
  const words = flag.replace(/s?_events$/, '_hook').split('_')
  return words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join(' ')
}
