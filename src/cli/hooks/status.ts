// How the hook of one project is: there, as it should be, not disabled, and with deliveries that arrive (hosting-service.md §1.4, §1.5).
import type { ReadDisabledHook } from '../../bot/disabled-hooks.ts'
import type { Client } from '../../client/create-client.ts'
import { ServiceError } from '../../client/errors.ts'
import type { Outcome } from './in-parallel.ts'
import { type InstallOptions, ourHooks } from './install.ts'
import { asItShouldBe } from './print.ts'
import type { TargetProject } from './targets.ts'
import { driftOf, hookUrl, type ShownHook, wantedHook } from './wanted-hook.ts'

/** Reads only. Throws ServiceError. */
export async function statusOf(
  { client, place, eventsFor }: Pick<InstallOptions, 'client' | 'place' | 'eventsFor'>,
  project: TargetProject,
): Promise<Outcome> {
  const wanted = wantedHook(place, project.id, await eventsFor(project))
  const [kept, ...duplicates] = await ourHooks(client, project.id, wanted, place)
  if (kept?.id === undefined) return { result: 'missing', details: ['bellhop hooks install makes it'], bad: true }
  const wrong = [...driftOf(kept, wanted), ...duplicates.map(({ id }) => `hook ${id} is a duplicate`)]
  const until = disabledUntil(kept)
  const disabled = until === undefined ? [] : [`the service sends nothing until ${until ?? 'a test of the hook succeeds'}`]
  const last = await lastDelivery(client, project.id, kept.id)
  const details = [...disabled, ...wrong, ...(last === undefined ? [] : [last.told])]
  const result = disabled.length > 0 ? 'disabled' : wrong.length > 0 ? 'wrong' : last?.failed === true ? 'deliveries fail' : asItShouldBe
  return { result, details, hook: kept.id, ...(result === asItShouldBe ? {} : { bad: true as const }) }
}

/** Until when the service sends nothing: ISO 8601, null where only a test of the hook ends that for sure; undefined: it sends, or does not say. */
export function disabledUntil({ alert_status: status, disabled_until: until }: ShownHook): string | null | undefined {
  if (status === 'disabled') return null
  return status === 'temporarily_disabled' ? (until ?? null) : undefined
}

/** The hook of a project where the service sends it nothing. Throws ServiceError. */
export function disabledHook({ client, place }: Pick<InstallOptions, 'client' | 'place'>): ReadDisabledHook {
  return async (project) => {
    const [kept] = await ourHooks(client, project, { url: hookUrl(place, project) }, place)
    const until = kept && disabledUntil(kept)
    return kept?.id === undefined || until === undefined ? undefined : { hook: kept.id, until }
  }
}

/** What became of the newest delivery; undefined where there was none, or the service does not tell. */
export async function lastDelivery(client: Client, project: number, hook: number): Promise<{ told: string; failed: boolean } | undefined> {
  try {
    const [newest] = (await client.projects.hooks.events({ id: project, hook_id: hook, per_page: 1 })).body
    const { response_status: status, trigger = 'delivery' } = newest ?? {}
    if (status === undefined) return undefined
    const number = /^\d{3}$/.test(status) ? Number(status) : undefined
    const failed = number === undefined || number < 200 || number >= 400
    return {
      failed,
      told: `last ${trigger.replace(/_hooks$/, '').replaceAll('_', ' ')}: ${number ?? 'no answer'}${failed ? remedyOf(number) : ''}`,
    }
  } catch (error) {
    // Services before 17.4 have no such list.
    if (error instanceof ServiceError && error.kind === 'refused') return undefined
    throw error
  }
}

function remedyOf(status: number | undefined): string {
  if (status === undefined) return ' (the service cannot reach Bellhop’s address)'
  if (status === 401) return ' (its secret is another one: bellhop hooks install --renew)'
  if (status === 404) return ' (Bellhop is not behind this address)'
  return status >= 500 ? ' (see Bellhop’s log, and /readyz)' : ''
}
