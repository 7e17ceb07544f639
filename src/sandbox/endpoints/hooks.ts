// Web hooks of a project (api-v4.md §4.3).
import type { Api } from '../../api/index.ts'
import { findProjectFor, maintainer } from '../access/access.ts'
import { isSigningToken } from '../hooks/signing-token.ts'
import { ErrorResponse, invalid, noSuchRoute, notFound } from '../http/error-response.ts'
import { type Handlers, pageOf } from '../http/handler.ts'
import { isSince } from '../installation.ts'
import type { HookEventFlags, User } from '../records/records.ts'
import { showHook } from '../records/show-records.ts'
import { nextNumber, now, type World } from '../storage/world.ts'

type Flags = { [K in Exclude<keyof HookEventFlags, 'wiki_page_events'>]?: boolean | undefined } & {
  wiki_events?: boolean | undefined
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
  'releases_events',
  'deployment_events',
  'emoji_events',
  'resource_access_token_events',
  'milestone_events',
] as const satisfies readonly (keyof HookEventFlags)[]

/** GitLab has a limit of about this size and these words. */
const mostHooks = 100

export const hooks: Handlers<Api['projects']['hooks']> = {
  list({ params, caller, world }) {
    const project = findProjectFor(world, caller, params.id, maintainer)
    return pageOf(world.hooks.where('project', project.id), params, (hook) => showHook(hook, world))
  },

  get: ({ params, caller, world }) => showHook(findHook(world, caller, params), world),

  create({ params, caller, world }) {
    const project = findProjectFor(world, caller, params.id, maintainer)
    checkUrl(params.url)
    checkSigningToken(params.signing_token)
    if (world.hooks.where('project', project.id).length >= mostHooks)
      throw new ErrorResponse(422, { message: { base: [`Maximum number of project hooks (${mostHooks}) exceeded`] } })
    const hook = world.hooks.add({
      ...flags(params, { push_events: true }),
      id: nextNumber(world, 'hooks'),
      project_id: project.id,
      url: params.url,
      enable_ssl_verification: params.enable_ssl_verification ?? true,
      token: params.token || null,
      signing_token: params.signing_token || null,
      created_at: now(world),
    })
    return showHook(hook, world)
  },

  update({ params, caller, world }) {
    const hook = findHook(world, caller, params)
    checkUrl(params.url)
    checkSigningToken(params.signing_token)
    const updated = world.hooks.update(hook.id, {
      ...flags(params, hook),
      url: params.url,
      enable_ssl_verification: params.enable_ssl_verification ?? hook.enable_ssl_verification,
      ...(params.token !== undefined && { token: params.token || null }),
      ...(params.signing_token !== undefined && { signing_token: params.signing_token || null }),
    })
    return showHook(updated, world)
  },

  delete({ params, caller, world }) {
    const project = findProjectFor(world, caller, params.id, maintainer)
    const hook = world.hooks.get(params.hook_id)
    if (hook === undefined || hook.project_id !== project.id) return null
    world.hooks.remove(hook.id)
    const shown = showHook(hook, world)
    world.hookLog.forget(hook.id)
    return shown
  },

  events({ params, caller, world }) {
    if (!isSince(world, '17.4')) throw noSuchRoute()
    const hook = findHook(world, caller, params)
    return pageOf(world.hookLog.of(hook.id), params, ({ id, url, trigger, payload, result, seconds }) => ({
      id,
      url,
      trigger,
      request_data: payload,
      response_status: result === 'failed' ? 'internal error' : String(result),
      execution_duration: seconds,
    }))
  },
}

function findHook(world: World, caller: User, params: { id: number | string; hook_id: number }) {
  const project = findProjectFor(world, caller, params.id, maintainer)
  const hook = world.hooks.get(params.hook_id)
  if (hook === undefined || hook.project_id !== project.id) throw notFound()
  return hook
}

/** The parameter `wiki_events` is stored as `wiki_page_events` (api-v4.md §6). */
function flags(given: Flags, before: Partial<HookEventFlags>) {
  const wanted = { ...given, wiki_page_events: given.wiki_events }
  return Object.fromEntries(flagNames.map((name) => [name, wanted[name] ?? before[name] ?? false])) as HookEventFlags
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
