// Web hooks of a project, of a group (Premium, owners) and of the installation (administrators).
import type * as z from 'zod'
import type { CheckedParams } from '../../api/endpoint.ts'
import type { Api } from '../../api/index.ts'
import { groupHook, hook, systemHook } from '../../api/schemas/project.ts'
import { groupFor, maintainer, owner, projectFor } from '../access/access.ts'
import { forbidden, invalid, notFound, orNotFound } from '../http/error-response.ts'
import { type Asked, type Handlers, pageOf } from '../http/handler.ts'
import { decoded } from '../http/params.ts'
import { premium } from '../installation.ts'
import { pick } from '../records/fields.ts'
import type { GroupHook, Hook, HookEventFlags, HookReceiver, SystemHook } from '../records/records.ts'
import type { Collection } from '../storage/collection.ts'
import { nextNumber, now, type World } from '../storage/world.ts'

interface Place<H extends HookReceiver> {
  hooks: Pick<Collection<H>, 'add' | 'update' | 'remove'>
  /** The hooks of the project, of the group or of the installation. */
  all: readonly H[]
  /** The id of the project or group. */
  of: Partial<H>
}
type InPlace = { id: number | string }

/** `find` throws for callers who may not see the hooks. */
function hooksOf<H extends HookReceiver, P extends object, Shown>(
  schema: z.ZodType<Shown>,
  find: (call: Asked<P>) => Place<H>,
  flagsOf: (given: GivenHook, before?: Partial<H>) => Partial<H>,
) {
  /** Shows a hook without its secrets. */
  function show(hook: H, { hookLog }: World): Shown {
    const secrets = { token_present: hook.token !== null, signing_token_present: hook.signing_token !== null }
    return schema.parse({ ...hook, ...secrets, ...hookLog.health(hook.id) })
  }
  function findHook(call: Asked<P & { hook_id: number }>) {
    const place = find(call)
    const hook = orNotFound(place.all.find(({ id }) => id === call.params.hook_id))
    return { ...place, hook }
  }
  return {
    show,
    find,
    findHook,
    list: (call: Asked<P & { page: number; per_page: number }>) =>
      pageOf(find(call).all, call.params, (hook) => show(hook, call.world)),
    get: (call: Asked<P & { hook_id: number }>) => show(findHook(call).hook, call.world),
    create(call: Asked<P & GivenHook>) {
      const { params, world } = call
      const { hooks, of } = find(call)
      const receiver = { ...receiverOf(params), id: nextNumber(world, 'hooks'), created_at: now(world) }
      return show(hooks.add({ ...flagsOf(params), ...receiver, ...of } as H), world)
    },
    update(call: Asked<P & GivenHook & { hook_id: number }>) {
      const { hooks, hook } = findHook(call)
      const changed = { ...flagsOf(call.params, hook), ...receiverOf(call.params, hook) } as Partial<H>
      return show(hooks.update(hook.id, changed), call.world)
    },
    delete(call: Asked<P & { hook_id: number }>) {
      const { hooks, hook } = findHook(call)
      hooks.remove(hook.id)
      return null
    },
  }
}

const ofProject = hooksOf<Hook, InPlace, z.output<typeof hook>>(
  hook,
  (call) => {
    const { project } = projectFor(maintainer)(call)
    const { world } = call
    return { hooks: world.hooks, all: world.hooks.where('project', project.id), of: { project_id: project.id } }
  },
  hookFlags,
)

export const hooks: Handlers<Api['projects']['hooks']> = {
  ...ofProject,

  /** Idempotent. */
  delete(call) {
    const found = ofProject.find(call).all.find(({ id }) => id === call.params.hook_id)
    if (found === undefined) return null
    const shown = ofProject.show(found, call.world)
    ofProject.delete(call)
    return shown
  },

  events(call) {
    const log = call.world.hookLog.of(ofProject.findHook(call).hook.id)
    return pageOf(log, call.params, ({ payload, result, seconds, ...shown }) => ({
      ...shown,
      request_data: payload,
      response_status: result === 'failed' ? 'internal error' : String(result),
      execution_duration: seconds,
    }))
  },
}

export const groupHooks: Handlers<Api['groups']['hooks']> = hooksOf<GroupHook, InPlace, z.output<typeof groupHook>>(
  groupHook,
  (call) => {
    const { world } = call
    const { group } = premium(groupFor(owner), notFound)(call)
    return { hooks: world.groupHooks, all: world.groupHooks.where('group', group.id), of: { group_id: group.id } }
  },
  hookFlags,
)

export const systemHooks: Handlers<Api['systemHooks']> = hooksOf<SystemHook, object, z.output<typeof systemHook>>(
  systemHook,
  ({ caller, world }) => {
    if (!caller.is_admin) throw forbidden()
    return { hooks: world.systemHooks, all: world.systemHooks.all(), of: {} }
  },
  // GitLab sends no event that is not asked for.
  (given, before = {}) => pick(hookFlags(given, before), 'push_events', 'tag_push_events', 'merge_requests_events'),
)

type GivenHook = Omit<CheckedParams<Api['projects']['hooks']['create']>, 'id'>

const flagNames = Object.keys(hook.shape).filter((name) => name.endsWith('_events')) as (keyof HookEventFlags)[]

/** The parameter `wiki_events` is stored as `wiki_page_events`. */
function hookFlags(
  given: Omit<GivenHook, 'url'>,
  before: Partial<HookEventFlags> = { push_events: true },
): HookEventFlags {
  const wanted = { ...given, wiki_page_events: given.wiki_events }
  return Object.fromEntries(flagNames.map((name) => [name, wanted[name] ?? before[name] ?? false])) as HookEventFlags
}

/** Secrets that are not given stay; an empty one removes the old one. Throws 400 for an invalid address. */
function receiverOf(given: GivenHook, before?: HookReceiver): Omit<HookReceiver, 'id' | 'created_at'> {
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
