// Writes the newest secret to the hook of one project, after a check that the running Bellhop accepts old and new.
import { randomUUID } from 'node:crypto'
import { hookSignature } from '../../api/hook-signature.ts'
import { askStatus } from '../service/ask-status.ts'
import { UsageError, UserError } from '../user-error.ts'
import { type HookPlace, type HookProof, hookProof, hookUrl, proofParams } from './desired-hook.ts'
import { hookCalls } from './hook-calls.ts'
import type { HookOutcome } from './in-parallel.ts'
import { checked, type InstallOptions, ourHooks } from './install.ts'
import type { HookTarget } from './targets.ts'

/** Throws ServiceError. */
export async function rotate(
  { client, place, dryRun }: Pick<InstallOptions, 'client' | 'place' | 'dryRun'>,
  target: HookTarget,
): Promise<HookOutcome> {
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
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
  }
  if (token !== undefined) headers['x-gitlab-token'] = Buffer.from(token).toString('latin1')
  if (signing_token !== undefined)
    headers['webhook-signature'] = hookSignature(signing_token, { id, timestamp, body: Buffer.from(body) })
  return askStatus(url, 10_000, { method: 'POST', headers, body }, toBellhop)
}
