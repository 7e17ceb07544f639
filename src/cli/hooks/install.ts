// Installs or repairs the hook of one project, and reports duplicates.
import type { Client } from '../../client/create-client.ts'
import {
  type DesiredHook,
  desiredHook,
  driftOf,
  type HookPlace,
  type HookProof,
  hookParams,
  oursAmong,
  type ShownHook,
} from './desired-hook.ts'
import type { HookOutcome } from './in-parallel.ts'
import type { EventFlags } from './needed-events.ts'
import { upToDate } from './print.ts'
import type { TargetProject } from './targets.ts'

// Of 100 each.
const maxPages = 10

export interface InstallOptions {
  client: Client
  place: HookPlace
  eventsFor: (project: TargetProject) => Promise<EventFlags>
  dryRun: boolean
  /** Writes the secret even where nothing differs. */
  renew: boolean
  removeDuplicates: boolean
}

/** Bellhop's hooks of a project, the one to keep first. Throws ServiceError. */
export async function ourHooks(
  client: Client,
  project: number,
  desired: Pick<DesiredHook, 'url'>,
  place: HookPlace,
): Promise<ShownHook[]> {
  const { items } = await client.pages(client.projects.hooks.list, { id: project }, { maxPages }).collect()
  return oursAmong(items, desired, place)
}

/** Idempotent. Throws ServiceError. */
export async function install(options: InstallOptions, project: TargetProject): Promise<HookOutcome> {
  const { client, place, dryRun } = options
  const desired = desiredHook(place, project.id, await options.eventsFor(project))
  const [kept, ...duplicates] = await ourHooks(client, project.id, desired, place)
  const done = await installOne(options, project.id, kept, desired)
  const notes = duplicates.map(({ id }) =>
    options.removeDuplicates ? `duplicate ${id} ${dryRun ? 'to be ' : ''}removed` : `hook ${id} is a duplicate`,
  )
  if (options.removeDuplicates && !dryRun) await deleteHooks(client, project.id, duplicates)
  const details = [...done.details, ...notes]
  const result =
    done.result === upToDate && options.removeDuplicates && notes.length > 0 ? tense('repaired', dryRun) : done.result
  return { ...done, result, details }
}

export async function deleteHooks(client: Client, project: number, hooks: readonly ShownHook[]): Promise<void> {
  for (const { id } of hooks) if (id !== undefined) await client.projects.hooks.delete({ id: project, hook_id: id })
}

async function installOne(
  { client, dryRun, renew }: InstallOptions,
  id: number,
  kept: ShownHook | undefined,
  desired: DesiredHook,
): Promise<HookOutcome> {
  if (kept?.id === undefined) {
    const made = dryRun ? undefined : (await client.projects.hooks.create({ id, ...hookParams(desired) })).body
    return checked(
      {
        result: tense('installed', dryRun),
        details: [eventsIn(desired)],
        ...(made?.id === undefined ? {} : { hook: made.id }),
      },
      made,
      desired,
    )
  }
  const drift = driftOf(kept, desired)
  if (drift.length === 0 && !renew) return { result: upToDate, details: [], hook: kept.id }
  const body = dryRun
    ? undefined
    : (await client.projects.hooks.update({ id, hook_id: kept.id, ...hookParams(desired, kept) })).body
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
