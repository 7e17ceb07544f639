// Makes or mends the hook of one project, and tells of hooks that are there twice.
import type { Client } from '../../client/create-client.ts'
import type { Outcome } from './in-parallel.ts'
import type { EventFlags } from './needed-events.ts'
import { asItShouldBe } from './print.ts'
import type { TargetProject } from './targets.ts'
import { driftOf, type HookPlace, hookParams, oursAmong, type ShownHook, type WantedHook, wantedHook } from './wanted-hook.ts'

// Of 100 each.
const maxPages = 10

export interface InstallOptions {
  client: Client
  place: HookPlace
  eventsFor: (project: TargetProject) => Promise<EventFlags>
  dryRun: boolean
  /** The secret is written even where nothing else differs. */
  renew: boolean
  removeDuplicates: boolean
}

/** Bellhop's hooks in a project, the one to keep first. Throws ServiceError. */
export async function ourHooks(client: Client, project: number, wanted: Pick<WantedHook, 'url'>, place: HookPlace): Promise<ShownHook[]> {
  const { items } = await client.pages(client.projects.hooks.list, { id: project }, { maxPages }).collect()
  return oursAmong(items, wanted, place)
}

/** The hook of a project becomes what it should be; a second run changes nothing. Throws ServiceError. */
export async function install(options: InstallOptions, project: TargetProject): Promise<Outcome> {
  const { client, place, dryRun } = options
  const wanted = wantedHook(place, project.id, await options.eventsFor(project))
  const [kept, ...duplicates] = await ourHooks(client, project.id, wanted, place)
  const done = await settle(options, project.id, kept, wanted)
  const told = duplicates.map(({ id }) =>
    options.removeDuplicates ? `duplicate ${id} ${dryRun ? 'to be ' : ''}removed` : `hook ${id} is a duplicate`,
  )
  if (options.removeDuplicates && !dryRun)
    for (const { id } of duplicates) if (id !== undefined) await client.projects.hooks.delete({ id: project.id, hook_id: id })
  const details = [...done.details, ...told]
  const result = done.result === asItShouldBe && options.removeDuplicates && told.length > 0 ? tense('mended', dryRun) : done.result
  return { ...done, result, details }
}

async function settle(
  { client, dryRun, renew }: InstallOptions,
  id: number,
  kept: ShownHook | undefined,
  wanted: WantedHook,
): Promise<Outcome> {
  if (kept?.id === undefined) {
    const made = dryRun ? undefined : (await client.projects.hooks.create({ id, ...hookParams(wanted) })).body
    return checked(
      { result: tense('made', dryRun), details: [eventsIn(wanted)], ...(made?.id === undefined ? {} : { hook: made.id }) },
      made,
      wanted,
    )
  }
  const drift = driftOf(kept, wanted)
  if (drift.length === 0 && !renew) return { result: asItShouldBe, details: [], hook: kept.id }
  const body = dryRun ? undefined : (await client.projects.hooks.update({ id, hook_id: kept.id, ...hookParams(wanted, kept) })).body
  const result = tense(drift.length === 0 ? 'renewed' : 'mended', dryRun)
  return checked({ result, details: drift, hook: kept.id }, body, wanted)
}

/** A service of an older version takes no signing token and says nothing: its deliveries would be turned away. */
export function checked(outcome: Outcome, answer: ShownHook | undefined, wanted: WantedHook): Outcome {
  if (answer === undefined || wanted.signing_token === undefined || wanted.token !== undefined || answer.signing_token_present === true)
    return outcome
  const reason = 'the service did not take the signing token: use secret tokens (BELLHOP_HOOK_SECRET, or a master key without --signing)'
  return { ...outcome, result: 'failed', details: [reason], bad: true }
}

function tense(done: string, dryRun: boolean): string {
  return dryRun ? `to be ${done}` : done
}

function eventsIn({ events }: WantedHook): string {
  return Object.entries(events)
    .flatMap(([flag, on]) => (on ? [flag.replace(/_events$/, '').replaceAll('_', ' ')] : []))
    .join(', ')
}
