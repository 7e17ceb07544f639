// What a request says about a hook: its address, secrets and events, for projects, groups and the installation.
import type { CheckedParams } from '../../api/endpoint.ts'
import type { Api } from '../../api/index.ts'
import { hook } from '../../api/schemas/project.ts'
import { invalid } from '../http/error-response.ts'
import { decoded } from '../http/read-request.ts'
import type { HookEventFlags, HookReceiver } from '../records/records.ts'

export type GivenHook = Omit<CheckedParams<Api['projects']['hooks']['create']>, 'id'>

const flagNames = Object.keys(hook.shape).filter((name) => name.endsWith('_events')) as (keyof HookEventFlags)[]

/** The parameter `wiki_events` is stored as `wiki_page_events`. */
export function hookFlags(
  given: Omit<GivenHook, 'url'>,
  before: Partial<HookEventFlags> = { push_events: true },
): HookEventFlags {
  const wanted = { ...given, wiki_page_events: given.wiki_events }
  return Object.fromEntries(flagNames.map((name) => [name, wanted[name] ?? before[name] ?? false])) as HookEventFlags
}

/** Secrets that are not given stay; an empty one removes the old one. Throws 400 for an invalid address. */
export function receiverOf(given: GivenHook, before?: HookReceiver): Omit<HookReceiver, 'id' | 'created_at'> {
  checkUrl(given.url)
  return {
    url: given.url,
    enable_ssl_verification: given.enable_ssl_verification ?? before?.enable_ssl_verification ?? true,
    token: (given.token ?? before?.token) || null,
    signing_token: (given.signing_token ?? before?.signing_token) || null,
  }
}

function checkUrl(text: string) {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw invalid('url', 'is blocked: Only allowed schemes are http, https')
  if ([url.username, url.password].some((part) => decoded(part) === undefined))
    throw invalid('url', 'is blocked: URI is invalid')
}
