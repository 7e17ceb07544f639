// The state of one project's hook: missing, wrong, disabled, failing, or up to date.
import type { ReadDisabledHook } from '../../bot/context.ts'
import type { Client } from '../../client/create-client.ts'
import { ServiceError } from '../../client/errors.ts'
import { desiredHook, driftOf, type HookPlace, hookCalls, hookUrl, placeFor, type ShownHook } from './desired-hook.ts'
import { type InstallOptions, ourHooks } from './install.ts'
import { upToDate } from './session.ts'
import type { HookOutcome, HookTarget } from './targets.ts'

/** Reads only. Throws ServiceError. */
export async function statusOf(
  { client, place, eventsFor }: Pick<InstallOptions, 'client' | 'place' | 'eventsFor'>,
  target: HookTarget,
): Promise<HookOutcome> {
  const desired = desiredHook(place, target.id, await eventsFor(target))
  const [kept, ...duplicates] = await ourHooks(hookCalls(client, target), desired, place)
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

async function withoutOwnHook(
  { client, place }: Pick<InstallOptions, 'client' | 'place'>,
  { path, of }: HookTarget,
): Promise<HookOutcome> {
  const served = of === undefined ? await servedBy(client, place, path) : { hidden: false }
  if ('by' in served) return { result: upToDate, details: [`served by the hook of ${served.by}`] }
  const unless = ', unless a hook of its group or of the installation serves it: this token may not see those'
  return { result: 'missing', details: [`run bellhop hooks install${served.hidden ? unless : ''}`], bad: true }
}

/**
 * The hook of a group or of the installation that serves a project without a hook of its own. `hidden`: the token may
 * not see every such hook. Throws ServiceError, except for refusals.
 */
async function servedBy(client: Client, place: HookPlace, path: string): Promise<{ by: string } | { hidden: boolean }> {
  // Such hooks exist only with a shared secret.
  if (place.tokens.length + place.signing.length === 0) return { hidden: false }
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
export function disabledHook({ client, place }: Pick<InstallOptions, 'client' | 'place'>): ReadDisabledHook {
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
): Promise<{ text: string; failed: boolean } | undefined> {
  try {
    const [newest] = (await client.projects.hooks.events({ id: project, hook_id: hook, per_page: 1 })).body
    const { response_status: status, trigger = 'delivery' } = newest ?? {}
    if (status === undefined) return undefined
    const number = /^\d{3}$/.test(status) ? Number(status) : undefined
    const failed = number === undefined || number < 200 || number >= 400
    return {
      failed,
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
  if (status === 401) return ' (wrong secret: bellhop hooks install --renew)'
  if (status === 404) return ' (Bellhop is not at this address)'
  return status >= 500 ? ' (see Bellhop’s log, and /readyz)' : ''
}
