// Removes Bellhop's hooks from one project, group or installation.

import { hookUrl } from './desired-hook.ts'
import { hookCalls } from './hook-calls.ts'
import type { HookOutcome } from './in-parallel.ts'
import { deleteHooks, type InstallOptions, ourHooks } from './install.ts'
import type { HookTarget } from './targets.ts'

/** Throws ServiceError. */
export async function remove(
  { client, place, dryRun }: Pick<InstallOptions, 'client' | 'place' | 'dryRun'>,
  target: HookTarget,
): Promise<HookOutcome> {
  const calls = hookCalls(client, target)
  const ours = await ourHooks(calls, { url: hookUrl(place, target.id) }, place)
  if (ours.length === 0) return { result: 'no_hook', details: [] }
  if (!dryRun) await deleteHooks(calls, ours)
  return { result: dryRun ? 'to_be_removed' : 'removed', details: ours.map(({ id }) => `hook ${id}`) }
}
