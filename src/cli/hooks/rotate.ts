// Gives the hook of one project the newest secret; before the first, the running Bellhop is asked whether it takes it.
import { createHmac, randomUUID } from 'node:crypto'
import { UserError } from '../user-error.ts'
import type { Outcome } from './in-parallel.ts'
import { checked, type InstallOptions, ourHooks } from './install.ts'
import { allEvents } from './needed-events.ts'
import type { TargetProject } from './targets.ts'
import { type HookPlace, type HookProof, hookProof, hookUrl } from './wanted-hook.ts'

/** Throws ServiceError. */
export async function rotate(
  { client, place, dryRun }: Pick<InstallOptions, 'client' | 'place' | 'dryRun'>,
  project: TargetProject,
): Promise<Outcome> {
  const url = hookUrl(place, project.id)
  const [kept] = await ourHooks(client, project.id, { url }, place)
  if (kept?.id === undefined) return { result: 'missing', details: ['bellhop hooks install makes it'], bad: true }
  if (dryRun) return { result: 'to be rotated', details: [], hook: kept.id }
  const { token, signing_token } = hookProof(place, project.id)
  const secrets = {
    token: token ?? '',
    ...(signing_token === undefined && kept.signing_token_present !== true ? {} : { signing_token: signing_token ?? '' }),
  }
  const { body } = await client.projects.hooks.update({ id: project.id, hook_id: kept.id, url, ...secrets })
  const wanted = { url, events: allEvents, enable_ssl_verification: true, ...hookProof(place, project.id) }
  return checked({ result: 'rotated', details: [], hook: kept.id }, body, wanted)
}

/** Both must be valid until every hook has the new one. Throws UserError where there is no older one. */
export function requireTwo({ masterKeys, tokens, signing }: HookPlace): void {
  if (Math.max(masterKeys.length, ...(masterKeys.length > 0 ? [] : [tokens.length, signing.length])) > 1) return
  throw new UserError(
    'There is only one secret, and the hooks have it already. Put the new one before it (BELLHOP_HOOK_MASTER_KEY=NEW,OLD), start Bellhop with both, and rotate then.',
    { exitCode: 2 },
  )
}

/** Sends a delivery about nothing with the newest secret, and with the one before. Throws UserError when one of them is turned away, or nobody answers. */
export async function requireThatBothAreTaken(place: HookPlace, project: number, toBellhop: typeof fetch): Promise<void> {
  for (const nth of [0, 1]) {
    const status = await probe(toBellhop, hookUrl(place, project), hookProof(place, project, nth))
    if (status === 202) continue
    const which = nth === 0 ? 'the new secret' : 'the old secret, which the hooks have'
    throw new UserError(
      status === undefined
        ? `${place.base} does not answer from here, so it is unknown whether Bellhop takes the new secret. Nothing was changed. Run this where it answers, or make sure yourself and add --unchecked.`
        : `The Bellhop at ${place.base} does not take ${which} (it answers ${status}). Nothing was changed. Start it with both, the new one first, and rotate then.`,
      { exitCode: 1 },
    )
  }
}

/** The status of the answer; undefined without one, or where there is nothing to prove. */
async function probe(toBellhop: typeof fetch, url: string, { token, signing_token }: HookProof): Promise<number | undefined> {
  const body = JSON.stringify({ object_kind: 'bellhop_check' })
  const id = randomUUID()
  const timestamp = String(Math.floor(Date.now() / 1000))
  const headers: Record<string, string> = { 'content-type': 'application/json', 'webhook-id': id, 'webhook-timestamp': timestamp }
  if (token !== undefined) headers['x-gitlab-token'] = Buffer.from(token).toString('latin1')
  if (signing_token !== undefined) {
    const key = Buffer.from(signing_token.replace(/^whsec_/, ''), 'base64')
    headers['webhook-signature'] = `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  }
  try {
    const response = await toBellhop(url, { method: 'POST', headers, body, redirect: 'manual', signal: AbortSignal.timeout(10_000) })
    await response.body?.cancel()
    return response.status
  } catch {
    // Told by the caller: whatever it is, nobody answered.
    return undefined
  }
}
