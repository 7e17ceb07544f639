// The hook that a project should have, which hooks are Bellhop's, how one differs, and the calls that change it.
import type { Body, Tolerant } from '../../api/endpoint.ts'
import type { api } from '../../api/index.ts'
import { projectSecrets } from '../../bot/webhook/hook-secrets.ts'
import type { Client } from '../../client/create-client.ts'
import type { Config } from '../settings/settings.ts'
import { type EventFlag, type EventFlags, eventFlags } from './needed-events.ts'
import type { HookTarget } from './targets.ts'

export type ShownHook = Tolerant<Body<typeof api.projects.hooks.get>>

export interface HookProof {
  token?: string
  /** `whsec_…` */
  signing_token?: string
}

/** Bellhop's address and secrets. */
export interface HookPlace {
  /** Address of Bellhop, without a slash at its end. */
  base: string
  /** Newest first; empty: one shared secret. */
  masterKeys: readonly string[]
  tokens: readonly string[]
  signing: readonly string[]
  /** With master keys: signing tokens instead of secret tokens. */
  signs: boolean
  verifiesTls: boolean
}

export interface DesiredHook extends HookProof {
  url: string
  events: EventFlags
  enable_ssl_verification: boolean
}

type HookSettings = Pick<Config, 'hooksUrl' | 'hookMasterKeys' | 'hookSecrets' | 'signingSecrets'>

export const hookPlace = ({ hooksUrl, hookMasterKeys, hookSecrets, signingSecrets }: HookSettings): HookPlace => ({
  ...{ base: hooksUrl.replace(/\/+$/, ''), masterKeys: hookMasterKeys, tokens: hookSecrets, signing: signingSecrets },
  ...{ signs: false, verifiesTls: true },
})

/** The place of a target's hook: only projects have secrets of their own, and an address with their number. */
export function placeFor(place: HookPlace, { of }: { of?: 'group' | 'system' }): HookPlace {
  return of === undefined ? place : { ...place, masterKeys: [], signs: false }
}

export function hookUrl({ base, masterKeys }: Pick<HookPlace, 'base' | 'masterKeys'>, project: number): string {
  return `${base}/hooks${masterKeys.length > 0 ? `/${project}` : ''}`
}

/** `nth` 0 is the newest. Empty if there are fewer. */
export function hookProof({ masterKeys, tokens, signing, signs }: HookPlace, project: number, nth = 0): HookProof {
  const key = masterKeys[nth]
  const own = key === undefined ? undefined : projectSecrets([key], project)
  if (masterKeys.length === 0) return { token: tokens[nth], signing_token: signing[nth] }
  return signs ? { signing_token: own?.signing[0] } : { token: own?.tokens[0] }
}

export function desiredHook(place: HookPlace, project: number, events: EventFlags): DesiredHook {
  const url = hookUrl(place, project)
  return { url, events, enable_ssl_verification: place.verifiesTls, ...hookProof(place, project) }
}

/** The same hook with the events that the present one has, too. */
export function withEventsOf(desired: DesiredHook, hook: ShownHook | undefined): DesiredHook {
  const events = eventFlags.map((flag) => [flag, desired.events[flag] || hook?.[shownAs(flag)] === true])
  return { ...desired, events: Object.fromEntries(events) as EventFlags }
}

/** True for Bellhop's address, of any project. */
export function leadsHere({ url }: ShownHook, { base }: Pick<HookPlace, 'base'>): boolean {
  if (url === undefined || !URL.canParse(url)) return false
  const [there, here] = [new URL(url), new URL(base)]
  const path = there.pathname.replace(/\/+$/, '')
  const own = `${here.pathname.replace(/\/+$/, '')}/hooks`
  return (
    there.host === here.host &&
    (path === own || (path.startsWith(`${own}/`) && /^\d+$/.test(path.slice(own.length + 1))))
  )
}

/** The differences that the service shows; it never shows secrets. */
export function driftOf(hook: ShownHook, desired: DesiredHook): string[] {
  const drift: string[] = []
  if (hook.url !== desired.url) drift.push(`its address is ${withoutCredentials(hook.url)}`)
  for (const flag of eventFlags) {
    const is = hook[shownAs(flag)]
    if (is !== undefined && is !== desired.events[flag]) drift.push(`${flag} is ${is ? 'on' : 'off'}`)
  }
  if (hook.enable_ssl_verification !== undefined && hook.enable_ssl_verification !== desired.enable_ssl_verification)
    drift.push(`TLS verification is ${hook.enable_ssl_verification ? 'on' : 'off'}`)
  if (desired.token !== undefined && hook.token_present === false) drift.push('it has no secret token')
  if (desired.signing_token !== undefined && hook.signing_token_present === false) drift.push('it has no signing token')
  if (desired.token === undefined && hook.token_present === true) drift.push('it has a secret token')
  if (desired.signing_token === undefined && hook.signing_token_present === true) drift.push('it has a signing token')
  return drift
}

/** Parameters to create or edit the hook, with secrets. */
export function hookParams(desired: DesiredHook, before?: ShownHook) {
  const { events, token: _, signing_token: __, ...rest } = desired
  return { ...events, ...rest, ...proofParams(desired, before) }
}

/** An empty text removes an old secret; a service without signing tokens gets none. */
export function proofParams({ token = '', signing_token }: HookProof, before?: ShownHook) {
  const hasSigning = signing_token !== undefined || before?.signing_token_present === true
  return { token, signing_token: hasSigning ? (signing_token ?? '') : undefined }
}

export function shownAs(flag: EventFlag): Exclude<EventFlag, 'wiki_events'> | 'wiki_page_events' {
  return flag === 'wiki_events' ? 'wiki_page_events' : flag
}

function withoutCredentials(text = ''): string {
  if (!URL.canParse(text)) return 'unreadable'
  const { origin, pathname } = new URL(text)
  return `${origin}${pathname}`
}

type HookBody = ReturnType<typeof hookParams>
/** What is not named stays as it is. */
type ChangedBody = Partial<ReturnType<typeof proofParams>> & Partial<EventFlags> & { url: string }

// Pages of 100 hooks.
const maxPages = 10

export type HookCalls = ReturnType<typeof hookCalls>

/** Each call throws ServiceError. */
export function hookCalls(client: Client, { id, of }: Pick<HookTarget, 'of'> & { id: number | string }) {
  const { systemHooks } = client
  const calls = of === 'group' ? client.groups.hooks : client.projects.hooks
  return {
    async list(): Promise<ShownHook[]> {
      if (of === 'system') return (await client.pages(systemHooks.list, {}, { maxPages }).collect()).items
      if (of === 'group') return (await client.pages(client.groups.hooks.list, { id }, { maxPages }).collect()).items
      return (await client.pages(client.projects.hooks.list, { id }, { maxPages }).collect()).items
    },
    async create(body: HookBody): Promise<ShownHook> {
      return (await (of === 'system' ? systemHooks.create(systemPart(body)) : calls.create({ id, ...body }))).body
    },
    async update(hook_id: number, body: HookBody | ChangedBody): Promise<ShownHook> {
      if (of === 'system') return (await systemHooks.update({ hook_id, ...systemPart(body) })).body
      return (await calls.update({ id, hook_id, ...body })).body
    },
    async delete(hook_id: number): Promise<void> {
      await (of === 'system' ? systemHooks.delete({ hook_id }) : calls.delete({ id, hook_id }))
    },
  }
}

/** What system hooks know: few events. */
function systemPart(body: HookBody | ChangedBody) {
  const { url, token, signing_token } = body
  const proof = { url, token, signing_token }
  if (!('enable_ssl_verification' in body)) return proof
  const { push_events, tag_push_events, merge_requests_events, enable_ssl_verification } = body
  return { ...proof, push_events, tag_push_events, merge_requests_events, enable_ssl_verification }
}
