// Counts for the brake: when each rule was first seen in a project, and how often new rules did what is braked (DESIGN §4, Modes).
import type { Journal } from '../journal/types.ts'
import type { Action } from '../rules/action.ts'
import { actions } from '../rules/actions/index.ts'
import { brakedUses } from '../rules/brake.ts'
import { type RuleInForce, ruleSet } from '../rules/rules-in-force.ts'
import { ruleName } from '../rules/standing.ts'
import type { Brake, Decision } from '../rules/types.ts'
import type { RulesInForce } from './rule-files.ts'

const hourMs = 60 * 60_000
const newForMs = 24 * hourMs
const seenMark = 'rules first seen'
const usedMark = 'brake used'
const braked = Object.values<Action>(actions).filter((action) => action.braked === true)

/** By fingerprint. */
type Seen = Record<string, string>
/** By action: since when, and how often from then on, for an hour. */
type Used = Record<string, { since: string; times: number }>

export interface BrakeCounter {
  /** What holds back the rules of a project now; undefined where nothing can. */
  state(project: number, rules: Pick<RulesInForce, 'files' | 'policy'>): Promise<Brake | undefined>
  /** Counts what a decision is about to do. False: it may not, and must be decided again by the state as it is then. */
  take(project: number, decision: Decision, brake: Brake): Promise<boolean>
}

export interface BrakeOptions {
  service: string
  journal: Pick<Journal, 'projectMark' | 'changeMark'>
  now: () => number
}

/** Counts exactly, however many processes count at once. */
export function createBrake({ service, journal, now }: BrakeOptions): BrakeCounter {
  /** Rules that are new here; those that are gone are forgotten, and new when they come back. */
  async function newAmong(project: number, rules: readonly RuleInForce[]): Promise<string[]> {
    const at = new Date(now()).toISOString()
    let seen: Seen = {}
    await journal.changeMark(service, project, seenMark, (text) => {
      const before = readMark<Seen>(text)
      seen = Object.fromEntries(rules.map(({ rule }) => [rule.fingerprint, before[rule.fingerprint] ?? at]))
      const next = JSON.stringify(seen)
      return next === text ? undefined : next
    })
    return rules.filter(({ rule }) => now() - Date.parse(seen[rule.fingerprint] ?? at) < newForMs).map(({ name }) => name)
  }

  /** What was counted within the hour. */
  function lately(text: string | undefined): Used {
    return Object.fromEntries(Object.entries(readMark<Used>(text)).filter(([, { since }]) => now() - Date.parse(since) < hourMs))
  }

  async function state(project: number, { files, policy }: Pick<RulesInForce, 'files' | 'policy'>): Promise<Brake | undefined> {
    const rules = ruleSet(files, policy).rules.filter(
      ({ mode, rule }) => mode === 'act' && rule.actions.some((each) => braked.some(({ name }) => name === each.action)),
    )
    if (policy.brake === 0 || rules.length === 0) return undefined
    const newRules = await newAmong(project, rules)
    if (newRules.length === 0) return undefined
    const full = Object.entries(lately(await journal.projectMark(service, project, usedMark))).filter(
      ([, { times }]) => times >= policy.brake,
    )
    const until = (since: string) => new Date(Date.parse(since) + hourMs).toISOString()
    return { perHour: policy.brake, newRules, full: Object.fromEntries(full.map(([name, { since }]) => [name, until(since)])) }
  }

  async function take(project: number, decision: Decision, brake: Brake): Promise<boolean> {
    const uses = brakedUses(decision, brake, braked, ruleName)
    if (uses.size === 0) return true
    let taken = false
    await journal.changeMark(service, project, usedMark, (text) => {
      const used = lately(text)
      taken = [...uses.keys()].every((name) => (used[name]?.times ?? 0) < brake.perHour)
      const since = new Date(now()).toISOString()
      const next = [...uses].map(([name, times]) => [name, { since: used[name]?.since ?? since, times: (used[name]?.times ?? 0) + times }])
      return taken ? JSON.stringify({ ...used, ...Object.fromEntries(next) }) : undefined
    })
    return taken
  }

  return { state, take }
}

/** Only what is written here is read back. */
function readMark<T extends object>(text: string | undefined): T {
  return (text === undefined ? {} : JSON.parse(text)) as T
}
