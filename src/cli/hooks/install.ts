// Installs, repairs or removes the hook of one project, group or installation, and reports duplicates.
import type { Client } from '../../client/create-client.ts'
import {
  type DesiredHook,
  desiredHook,
  driftOf,
  type HookPlace,
  type HookProof,
  hookParams,
  hookUrl,
  leadsHere,
  type ShownHook,
} from './desired-hook.ts'
import { type HookCalls, hookCalls } from './hook-calls.ts'
import type { HookOutcome } from './in-parallel.ts'
import type { EventFlags } from './needed-events.ts'
import { upToDate } from './print.ts'
import type { HookTarget } from './targets.ts'

export interface InstallOptions {
  client: Client
  place: HookPlace
  eventsFor: (target: HookTarget) => Promise<EventFlags>
  dryRun: boolean
  /** Writes the secret even if nothing differs. */
  renew: boolean
  removeDuplicates: boolean
}

/** Bellhop's hooks: the one with the right address first, then the oldest. Throws ServiceError. */
export async function ourHooks(
  calls: Pick<HookCalls, 'list'>,
  desired: Pick<DesiredHook, 'url'>,
  place: Pick<HookPlace, 'base'>,
): Promise<ShownHook[]> {
  const rank = (hook: ShownHook) => (hook.url === desired.url ? 0 : 1)
  const ours = (await calls.list()).filter((hook) => leadsHere(hook, place))
  return ours.sort((a, b) => rank(a) - rank(b) || (a.id ?? 0) - (b.id ?? 0))
}

/** Idempotent. Throws ServiceError. */
export async function install(options: InstallOptions, target: HookTarget): Promise<HookOutcome> {
  const { client, place, dryRun } = options
  const calls = hookCalls(client, target)
  const desired = desiredHook(place, target.id, await options.eventsFor(target))
  const [kept, ...duplicates] = await ourHooks(calls, desired, place)
  const done = await installOne(options, calls, kept, desired)
  const notes = duplicates.map(({ id }) =>
    options.removeDuplicates ? `duplicate ${id} ${dryRun ? 'to be ' : ''}removed` : `hook ${id} is a duplicate`,
  )
  if (options.removeDuplicates && !dryRun) await deleteHooks(calls, duplicates)
  const details = [...done.details, ...notes]
  const result =
    done.result === upToDate && options.removeDuplicates && notes.length > 0 ? tense('repaired', dryRun) : done.result
  return { ...done, result, details }
}

/** Removes all of Bellhop's hooks. Throws ServiceError. */
export async function remove(
  { client, place, dryRun }: Pick<InstallOptions, 'client' | 'place' | 'dryRun'>,
  target: HookTarget,
): Promise<HookOutcome> {
  const calls = hookCalls(client, target)
  const ours = await ourHooks(calls, { url: hookUrl(place, target.id) }, place)
  if (ours.length === 0) return { result: 'no_hook', details: [] }
  if (!dryRun) await deleteHooks(calls, ours)
  return { result: tense('removed', dryRun), details: ours.map(({ id }) => `hook ${id}`) }
}

async function deleteHooks(calls: HookCalls, hooks: readonly ShownHook[]): Promise<void> {
  for (const { id } of hooks) if (id !== undefined) await calls.delete(id)
}

async function installOne(
  { dryRun, renew }: InstallOptions,
  calls: HookCalls,
  kept: ShownHook | undefined,
  desired: DesiredHook,
): Promise<HookOutcome> {
  if (kept?.id === undefined) {
    const made = dryRun ? undefined : await calls.create(hookParams(desired))
    return checked({ result: tense('installed', dryRun), details: [eventsIn(desired)], hook: made?.id }, made, desired)
  }
  const drift = driftOf(kept, desired)
  if (drift.length === 0 && !renew) return { result: upToDate, details: [], hook: kept.id }
  const body = dryRun ? undefined : await calls.update(kept.id, hookParams(desired, kept))
  const result = tense(drift.length === 0 ? 'renewed' : 'repaired', dryRun)
  return checked({ result, details: drift, hook: kept.id }, body, desired)
}

/** Older services ignore signing tokens silently: their deliveries would be refused. */
export function checked(outcome: HookOutcome, response: ShownHook | undefined, desired: HookProof): HookOutcome {
  if (
    response === undefined ||
    desired.signing_token === undefined ||
    desired.token !== undefined ||
    response.signing_token_present === true
  )
    return outcome
  const reason =
    'the service ignored the signing token: use secret tokens (BELLHOP_HOOK_SECRET, or a master key without --signing)'
  return { ...outcome, result: 'failed', details: [reason], bad: true }
}

function tense(done: string, dryRun: boolean): string {
  return dryRun ? `to_be_${done}` : done
}

function eventsIn({ events }: DesiredHook): string {
  return Object.entries(events)
    .flatMap(([flag, on]) => (on ? [flag.replace(/_events$/, '').replaceAll('_', ' ')] : []))
    .join(', ')
}
