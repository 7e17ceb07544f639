// How the service sees the hook of each project, for the dashboard of a running bot: asked now and then, by the rules that the bot knows anyway.
import type { RuleFiles } from '../../bot/rule-files.ts'
import type { Client } from '../../client/create-client.ts'
import { ServiceError } from '../../client/errors.ts'
import { fitsProject } from '../../rules/project-patterns.ts'
import { ruleSet } from '../../rules/rules-in-force.ts'
import { type Outcome, reasonOf } from './in-parallel.ts'
import { allEvents, type EventFlags, neededEvents } from './needed-events.ts'
import { statusOf } from './status.ts'
import type { TargetProject } from './targets.ts'
import type { HookPlace } from './wanted-hook.ts'

export interface HookHealthOptions {
  client: Client
  place: HookPlace
  ruleFiles: Pick<RuleFiles, 'inForce'>
  /** The projects that files may be included from. */
  includeFrom: readonly string[]
  now: () => number
}

export interface HookHealth extends Pick<Outcome, 'result' | 'details'> {
  bad: boolean
  /** ISO 8601. */
  askedAt: string
}

const believedMs = 5 * 60_000
const mostRemembered = 5_000

/** What the service says, for five minutes. Reads only; that a project cannot be asked about is an answer as well. Throws what is no ServiceError. */
export function createHookHealth(options: HookHealthOptions): (project: TargetProject) => Promise<HookHealth> {
  const asked = new Map<number, { at: number; health: Promise<HookHealth> }>()
  return (project) => {
    const before = asked.get(project.id)
    const now = options.now()
    if (before !== undefined && now >= before.at && now - before.at < believedMs) return before.health
    if (asked.size >= mostRemembered) asked.clear()
    const health = look(options, project)
    asked.set(project.id, { at: now, health })
    // Who asks next asks anew.
    health.catch(() => asked.delete(project.id))
    return health
  }
}

async function look({ client, place, now, ...rules }: HookHealthOptions, project: TargetProject): Promise<HookHealth> {
  const askedAt = new Date(now()).toISOString()
  const say = ({ result, details, bad }: Outcome) => ({ result, details, bad: bad === true, askedAt })
  try {
    const eventsFor = (of: TargetProject) => neededBy(rules, of)
    const found = await statusOf({ client, place, eventsFor }, project)
    // Whether hooks are made with signing tokens is said to `bellhop hooks`, not to the bot, which takes both.
    if (found.result !== 'wrong' || place.masterKeys.length === 0) return say(found)
    const signing = await statusOf({ client, place: { ...place, signs: true }, eventsFor }, project)
    return say(signing.result === 'wrong' ? found : signing)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return say({ result: 'failed', details: [reasonOf(error)], bad: true })
  }
}

async function neededBy(
  { ruleFiles, includeFrom }: Pick<HookHealthOptions, 'ruleFiles' | 'includeFrom'>,
  { id, path }: TargetProject,
): Promise<EventFlags> {
  // However long ago they were read: a push would have told of a change.
  const { files, policy, problems } = await ruleFiles.inForce(id, Number.POSITIVE_INFINITY)
  return problems.length > 0 ? allEvents : neededEvents(ruleSet(files, policy).rules, { includedFrom: fitsProject(includeFrom, path) })
}
