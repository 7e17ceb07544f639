// Installs, repairs, rotates, checks or removes the hook of one project, group or installation, and reports duplicates.
import { randomUUID } from 'node:crypto'
import { hookSignature } from '../../api/hooks.ts'
import type { ReadDisabledHook } from '../../bot/context.ts'
import type { Client } from '../../client/create-client.ts'
import { ServiceError } from '../../client/errors.ts'
import { askStatus } from '../service/connect.ts'
import { UsageError, UserError } from '../user-error.ts'
import {
  type DesiredHook,
  desiredHook,
  driftOf,
  type HookCalls,
  type HookPlace,
  type HookProof,
  hookCalls,
  hookParams,
  hookProof,
  hookUrl,
  leadsHere,
  placeFor,
  proofParams,
  type ShownHook,
  withEventsOf,
} from './desired-hook.ts'
import type { EventFlags } from './needed-events.ts'
import { upToDate } from './session.ts'
import type { HookOutcome, HookTarget } from './targets.ts'

export interface Hooks {
  client: Client
  place: HookPlace
}

interface Changing extends Hooks {
  dryRun: boolean
}

export interface InstallOptions extends Changing {
  eventsFor: (target: HookTarget) => Promise<EventFlags>
  /** Not all rules are known: the hook keeps other events. */
  onlyAdds?: boolean
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
  const needed = desiredHook(place, target.id, await options.eventsFor(target))
  const [kept, ...duplicates] = await ourHooks(calls, needed, place)
  const desired = options.onlyAdds === true ? withEventsOf(needed, kept) : needed
  const done = await installOne(options, target, kept, desired)
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
export async function remove({ client, place, dryRun }: Changing, target: HookTarget): Promise<HookOutcome> {
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
  { client, dryRun, renew }: InstallOptions,
  target: HookTarget,
  kept: ShownHook | undefined,
  desired: DesiredHook,
): Promise<HookOutcome> {
  const calls = hookCalls(client, target)
  if (kept?.id === undefined) {
    const made = dryRun ? undefined : await calls.create(hookParams(desired))
    return checked({ result: tense('installed', dryRun), details: [eventsIn(desired)], hook: made?.id }, made, desired)
  }
  const drift = driftOf(kept, desired)
  const isFine = drift.length === 0 && !renew && target.of === undefined
  const last = isFine ? await lastDelivery(client, target.id, kept.id) : undefined
  if (last?.status === 401) drift.push('its secret is wrong')
  if (drift.length === 0 && !renew) return { result: upToDate, details: [], hook: kept.id }
  const body = dryRun ? undefined : await calls.update(kept.id, hookParams(desired, kept))
  const result = tense(drift.length === 0 ? 'renewed' : 'repaired', dryRun)
  return checked({ result, details: drift, hook: kept.id }, body, desired)
}

/** Older services ignore signing tokens silently: their deliveries would be refused. */
export function checked(outcome: HookOutcome, response: ShownHook | undefined, desired: HookProof): HookOutcome {
  const isOnlySigned = desired.signing_token !== undefined && desired.token === undefined
  if (response === undefined || !isOnlySigned || response.signing_token_present === true) return outcome
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

/** Throws ServiceError. */
export async function rotate({ client, place, dryRun }: Changing, target: HookTarget): Promise<HookOutcome> {
  const url = hookUrl(place, target.id)
  const calls = hookCalls(client, target)
  const [kept] = await ourHooks(calls, { url }, place)
  if (kept?.id === undefined) return { result: 'missing', details: ['run bellhop hooks install'], bad: true }
  if (dryRun) return { result: 'to_be_rotated', details: [], hook: kept.id }
  const proof = hookProof(place, target.id)
  const body = await calls.update(kept.id, { url, ...proofParams(proof, kept) })
  return checked({ result: 'rotated', details: [], hook: kept.id }, body, proof)
}

/** Throws UsageError if there is no older secret: both must be valid until every hook has the new one. */
export function requireTwo({ masterKeys, tokens, signing }: HookPlace): void {
  if (Math.max(masterKeys.length, ...(masterKeys.length > 0 ? [] : [tokens.length, signing.length])) > 1) return
  throw new UsageError(
    'There is only one secret. Put the new one before it (BELLHOP_HOOK_MASTER_KEY=NEW,OLD), restart Bellhop with both, then rotate.',
  )
}

/** Sends an empty delivery with each secret. Throws UserError when one is refused or Bellhop does not answer. */
export async function requireBothAccepted(place: HookPlace, project: number, toBellhop: typeof fetch): Promise<void> {
  for (const nth of [0, 1]) {
    const status = await probe(toBellhop, hookUrl(place, project), hookProof(place, project, nth))
    if (status === 202) continue
    const which = nth === 0 ? 'the new secret' : 'the old secret'
    throw new UserError(
      status === undefined
        ? `${place.base} does not answer, so it is unknown whether Bellhop accepts the new secret. Nothing was changed. Run this where it answers, or check yourself and add --unchecked.`
        : `The Bellhop at ${place.base} refuses ${which} (${status}). Nothing was changed. Start it with both, the new one first, then rotate.`,
    )
  }
}

/** Returns the HTTP status; undefined without a response. */
function probe(toBellhop: typeof fetch, url: string, { token, signing_token }: HookProof) {
  const body = JSON.stringify({ object_kind: 'bellhop_check' })
  const id = randomUUID()
  const timestamp = String(Math.floor(Date.now() / 1000))
  const headers = new Headers({ 'content-type': 'application/json', 'webhook-id': id, 'webhook-timestamp': timestamp })
  if (token !== undefined) headers.set('x-gitlab-token', Buffer.from(token).toString('latin1'))
  if (signing_token !== undefined)
    headers.set('webhook-signature', hookSignature(signing_token, { id, timestamp, body: Buffer.from(body) }))
  return askStatus(url, 10_000, { method: 'POST', headers, body }, toBellhop)
}

/** Reads only. Throws ServiceError. */
export async function statusOf(
  { client, place, eventsFor, onlyAdds }: Omit<InstallOptions, 'dryRun' | 'renew' | 'removeDuplicates'>,
  target: HookTarget,
): Promise<HookOutcome> {
  const needed = desiredHook(place, target.id, await eventsFor(target))
  const [kept, ...duplicates] = await ourHooks(hookCalls(client, target), needed, place)
  const desired = onlyAdds === true ? withEventsOf(needed, kept) : needed
  if (kept?.id === undefined) return withoutOwnHook({ client, place }, target)
  const wrong = [...driftOf(kept, desired), ...duplicates.map(({ id }) => `hook ${id} is a duplicate`)]
  const until = disabledUntil(kept)
  const disabled =
    until === undefined ? [] : [`the service sends nothing until ${until ?? 'a test of the hook succeeds'}`]
  const last = target.of === undefined ? await lastDelivery(client, target.id, kept.id) : undefined
  const details = [...disabled, ...wrong, ...(last === undefined ? [] : [last.text])]
  const result =
    disabled.length > 0 ? 'disabled' : wrong.length > 0 ? 'wrong' : last?.failed === true ? 'deliveries_fail' : upToDate
  return { result, details, hook: kept.id, bad: result === upToDate ? undefined : true }
}

async function withoutOwnHook({ client, place }: Hooks, { path, of }: HookTarget): Promise<HookOutcome> {
  const { by, hidden = false } = of === undefined ? await servedBy(client, place, path) : {}
  if (by !== undefined) return { result: upToDate, details: [`served by the hook of ${by}`] }
  const unless = ', unless a hook of its group or of the installation serves it: this token may not see those'
  return { result: 'missing', details: [`run bellhop hooks install${hidden ? unless : ''}`], bad: true }
}

/**
 * The hook of a group or of the installation that serves a project without a hook of its own. `hidden`: the token may
 * not see every such hook. Throws ServiceError, except for refusals.
 */
async function servedBy(client: Client, place: HookPlace, path: string): Promise<{ by?: string; hidden?: boolean }> {
  // Such hooks exist only with a shared secret.
  if (place.tokens.length + place.signing.length === 0) return {}
  const names = path.split('/').slice(0, -1)
  const groups = names.map((_, index) => names.slice(0, index + 1).join('/')).reverse()
  const owners = [
    ...groups.map((id) => ({ id, of: 'group' as const, name: id })),
    { id: 0, of: 'system' as const, name: 'the installation' },
  ]
  const shared = placeFor(place, { of: 'group' })
  let hidden = false
  for (const { name, ...owner } of owners) {
    try {
      const [hook] = await ourHooks(hookCalls(client, owner), { url: hookUrl(shared, 0) }, shared)
      if (hook !== undefined && disabledUntil(hook) === undefined) return { by: name }
    } catch (error) {
      if (!(error instanceof ServiceError && error.kind === 'refused' && error.status !== 401)) throw error
      hidden = true
    }
  }
  return { hidden }
}

/** When a hook is enabled again: ISO 8601; null: after a successful test of the hook; undefined: enabled or unknown. */
function disabledUntil({ alert_status: status, disabled_until: until }: ShownHook): string | null | undefined {
  if (status === 'disabled') return null
  return status === 'temporarily_disabled' ? (until ?? null) : undefined
}

/** The project's hook if it is disabled. Throws ServiceError. */
export function disabledHook({ client, place }: Hooks): ReadDisabledHook {
  return async (project) => {
    const [kept] = await ourHooks(hookCalls(client, { id: project }), { url: hookUrl(place, project) }, place)
    const until = kept && disabledUntil(kept)
    return kept?.id === undefined || until === undefined ? undefined : { hook: kept.id, until }
  }
}

/** The result of the newest delivery; undefined if there is none, or the service has no list. */
async function lastDelivery(
  client: Client,
  project: number,
  hook: number,
): Promise<{ text: string; failed: boolean; status: number | undefined } | undefined> {
  try {
    const [newest] = (await client.projects.hooks.events({ id: project, hook_id: hook, per_page: 1 })).body
    const { response_status: status, trigger = 'delivery' } = newest ?? {}
    if (status === undefined) return undefined
    const number = /^\d{3}$/.test(status) ? Number(status) : undefined
    const failed = number === undefined || number < 200 || number >= 400
    return {
      failed,
      status: number,
      text: `last ${trigger.replace(/_hooks$/, '').replaceAll('_', ' ')}: ${number ?? 'no response'}${failed ? remedyOf(number) : ''}`,
    }
  } catch (error) {
    // Services before 17.4 have no list.
    if (error instanceof ServiceError && error.kind === 'refused') return undefined
    throw error
  }
}

function remedyOf(status: number | undefined): string {
  if (status === undefined) return ' (the service cannot reach Bellhop’s address)'
  if (status === 401) return ' (wrong secret: bellhop hooks install)'
  if (status === 404) return ' (Bellhop is not at this address)'
  return status >= 500 ? ' (see Bellhop’s log, and /readyz)' : ''
}
