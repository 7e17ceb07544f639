// Removes Bellhop's hooks from one project.

import { hookUrl } from './desired-hook.ts'
import type { HookOutcome } from './in-parallel.ts'
import { deleteHooks, type InstallOptions, ourHooks } from './install.ts'
import type { TargetProject } from './targets.ts'

/** Throws ServiceError. */
export async function remove(
  { client, place, dryRun }: Pick<InstallOptions, 'client' | 'place' | 'dryRun'>,
  project: TargetProject,
): Promise<HookOutcome> {
  const ours = await ourHooks(client, project.id, { url: hookUrl(place, project.id) }, place)
  if (ours.length === 0) return { result: 'no_hook', details: [] }
  if (!dryRun) await deleteHooks(client, project.id, ours)
  return { result: dryRun ? 'to_be_removed' : 'removed', details: ours.map(({ id }) => `hook ${id}`) }
}
