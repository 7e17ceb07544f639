// The hooks of the running bot: their state for the dashboard, cached for five minutes, and the repair of their events.
import { LRUCache } from 'lru-cache'
import type { HookHealth } from '../../admin/api/response-schemas.ts'
import type { OwnHooks } from '../../bot/context.ts'
import type { RuleFiles } from '../../bot/rule-files/rules-in-force.ts'
import type { Client } from '../../client/create-client.ts'
import { ServiceError } from '../../client/errors.ts'
import { type HookPlace, hookCalls, hookUrl, shownAs } from './desired-hook.ts'
import { type Hooks, ourHooks, statusOf } from './install.ts'
import { allEvents, type EventFlag, eventFlags, eventsInForce } from './needed-events.ts'
import { type HookOutcome, reasonOf, type TargetProject } from './targets.ts'

interface HookHealthOptions {
  client: Client
  place: HookPlace
  ruleFiles: Pick<RuleFiles, 'inForce' | 'known'>
  /** The projects that files may be included from. */
  includeFrom: readonly string[]
  now: () => number
}

const cacheMs = 5 * 60_000
const cacheSize = 5_000

/** Reads only. A ServiceError becomes a failed state; other errors are thrown. */
export function createHookHealth(options: HookHealthOptions): (project: TargetProject) => Promise<HookHealth> {
  const asked = new LRUCache<number, Promise<HookHealth>>({
    max: cacheSize,
    ttl: cacheMs,
    ttlResolution: 0,
    perf: options,
  })
  return (project) => {
    const before = asked.get(project.id)
    if (before !== undefined) return before
    const health = read(options, project)
    asked.set(project.id, health)
    // Errors are not cached.
    health.catch(() => asked.delete(project.id))
    return health
  }
}

async function read(
  { client, place, now, ruleFiles, includeFrom }: HookHealthOptions,
  project: TargetProject,
): Promise<HookHealth> {
  const checkedAt = new Date(now()).toISOString()
  const { id, path } = project
  let needed = allEvents
  const healthOf = ({ result, details, bad }: HookOutcome) => ({
    ...{ result, details, bad: bad === true, checkedAt },
    events: eventFlags.filter((flag) => needed[flag]),
  })
  const eventsFor = async () => needed
  try {
    // Their age does not matter: a push would have refreshed them.
    needed = eventsInForce((await ruleFiles.known(id)) ?? (await ruleFiles.inForce(id)), includeFrom, path)
    const found = await statusOf({ client, place, eventsFor }, project)
    // The bot accepts secret and signing tokens; which one the hook uses is the choice of `bellhop hooks`.
    if (found.result !== 'wrong' || place.masterKeys.length === 0) return healthOf(found)
    const signing = await statusOf({ client, place: { ...place, signs: true }, eventsFor }, project)
    return healthOf(signing.result === 'wrong' ? found : signing)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return healthOf({ result: 'failed', details: [reasonOf(error)], bad: true })
  }
}

/** `includeFrom`: the projects that files may be included from. */
export function ownHooks({ client, place, includeFrom }: Hooks & { includeFrom: readonly string[] }): OwnHooks {
  const needed: OwnHooks['needed'] = (rules, path) => {
    const events = eventsInForce(rules, includeFrom, path)
    return eventFlags.filter((flag) => events[flag])
  }
  return {
    needed,
    async repair({ id, path }, rules) {
      const calls = hookCalls(client, { id })
      const [hook] = await ourHooks(calls, { url: hookUrl(place, id) }, place)
      const missing = (needed(rules, path) as EventFlag[]).filter((flag) => hook?.[shownAs(flag)] === false)
      if (hook?.id === undefined || hook.url === undefined || missing.length === 0) return []
      await calls.update(hook.id, { url: hook.url, ...Object.fromEntries(missing.map((flag) => [flag, true])) })
      return missing
    },
  }
}
