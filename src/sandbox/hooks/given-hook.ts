// What a request says about a hook: its address, secrets and events, for projects, groups and the installation.
import { invalid } from '../http/error-response.ts'
import type { HookEventFlags, HookReceiver } from '../records/records.ts'
import { nextNumber, now, type State } from '../storage/world.ts'
import { isSigningToken } from './signing-token.ts'

type GivenFlags = { [K in Exclude<keyof HookEventFlags, 'wiki_page_events'>]?: boolean | undefined } & {
  wiki_events?: boolean | undefined
}

interface GivenReceiver {
  url: string
  enable_ssl_verification?: boolean | undefined
  token?: string | undefined
  signing_token?: string | undefined
}

const flagNames = [
  'push_events',
  'issues_events',
  'merge_requests_events',
  'tag_push_events',
  'note_events',
  'job_events',
  'pipeline_events',
  'wiki_page_events',
  'confidential_issues_events',
  'confidential_note_events',
  'releases_events',
  'deployment_events',
  'emoji_events',
  'resource_access_token_events',
  'milestone_events',
] as const satisfies readonly (keyof HookEventFlags)[]

/** The parameter `wiki_events` is stored as `wiki_page_events` (api-v4.md §6). */
export function hookFlags(given: GivenFlags, before: Partial<HookEventFlags>): HookEventFlags {
  const wanted = { ...given, wiki_page_events: given.wiki_events }
  return Object.fromEntries(flagNames.map((name) => [name, wanted[name] ?? before[name] ?? false])) as HookEventFlags
}

/** Throws 400 for an address or a signing token that is none. */
export function newReceiver(state: State, given: GivenReceiver): HookReceiver {
  check(given)
  return {
    id: nextNumber(state, 'hooks'),
    url: given.url,
    enable_ssl_verification: given.enable_ssl_verification ?? true,
    token: given.token || null,
    signing_token: given.signing_token || null,
    created_at: now(state),
  }
}

/** Secrets that are not given stay; an empty one takes the old one away. Throws as newReceiver. */
export function changedReceiver(given: GivenReceiver, before: HookReceiver): Omit<HookReceiver, 'id' | 'created_at'> {
  check(given)
  return {
    url: given.url,
    enable_ssl_verification: given.enable_ssl_verification ?? before.enable_ssl_verification,
    token: given.token === undefined ? before.token : given.token || null,
    signing_token: given.signing_token === undefined ? before.signing_token : given.signing_token || null,
  }
}

function check({ url, signing_token }: GivenReceiver) {
  checkUrl(url)
  checkSigningToken(signing_token)
}

function checkUrl(text: string) {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw invalid('url', 'is blocked: Only allowed schemes are http, https')
  if (!canDecode(url.username) || !canDecode(url.password)) throw invalid('url', 'is blocked: URI is invalid')
}

function canDecode(text: string) {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** An empty one takes the old one away. */
function checkSigningToken(token: string | undefined) {
  if (token !== undefined && token !== '' && !isSigningToken(token)) {
    throw invalid('signing_token', 'must be whsec_ and 24 to 64 random bytes in base64')
  }
}
