// Counts for the brake: when each rule was first seen in a project, and how often new rules did what is braked (DESIGN §4, Modes).
import type { Journal } from '../journal/types.ts'
import type { Action } from '../rules/action.ts'
import { actions } from '../rules/actions/index.ts'
import { brakedUses } from '../rules/brake.ts'
import { type RuleInForce, rulesInOrder } from '../rules/rules-in-force.ts'
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
  journal: Pick<Journal, 'projectMark' | 'markProject'>
  now: () => number
}

/** Counts exactly within one process; several processes may each go beyond the limit by what they do at the same moment. */
export function createBrake({ service, journal, now }: BrakeOptions): BrakeCounter {
  const lines = new Map<number, Promise<unknown>>()

  /** One at a time for each project. */
  function inTurn<T>(project: number, task: () => Promise<T>): Promise<T> {
    const turn = (lines.get(project) ?? Promise.resolve()).then(task, task)
    lines.set(project, turn)
    const done = () => {
      if (lines.get(project) === turn) lines.delete(project)
    }
    turn.then(done, done)
    return turn
  }

  async function read<T extends object>(project: number, mark: string): Promise<T> {
    const text = await journal.projectMark(service, project, mark)
    return (text === undefined ? {} : JSON.parse(text)) as T
  }

  /** Rules that are new here; those that are gone are forgotten, and new when they come back. */
  function newAmong(project: number, rules: readonly RuleInForce[]): Promise<string[]> {
    return inTurn(project, async () => {
      const before = await read<Seen>(project, seenMark)
      const at = new Date(now()).toISOString()
      const seen: Seen = Object.fromEntries(rules.map(({ rule }) => [rule.fingerprint, before[rule.fingerprint] ?? at]))
      if (JSON.stringify(seen) !== JSON.stringify(before)) await journal.markProject(service, project, seenMark, JSON.stringify(seen))
      return rules.filter(({ rule }) => now() - Date.parse(seen[rule.fingerprint] ?? at) < newForMs).map(({ name }) => name)
    })
  }

  /** What was counted within the hour. */
  async function usedLately(project: number): Promise<Used> {
    const used = await read<Used>(project, usedMark)
    return Object.fromEntries(Object.entries(used).filter(([, { since }]) => now() - Date.parse(since) < hourMs))
  }

  async function state(project: number, { files, policy }: Pick<RulesInForce, 'files' | 'policy'>): Promise<Brake | undefined> {
    const rules = rulesInOrder(files, policy).filter(
      ({ mode, rule }) => mode === 'act' && rule.actions.some((each) => braked.some(({ name }) => name === each.action)),
    )
    if (policy.brake === 0 || rules.length === 0) return undefined
    const newRules = await newAmong(project, rules)
    if (newRules.length === 0) return undefined
    const full = Object.entries(await usedLately(project)).filter(([, { times }]) => times >= policy.brake)
    const until = (since: string) => new Date(Date.parse(since) + hourMs).toISOString()
    return { perHour: policy.brake, newRules, full: Object.fromEntries(full.map(([name, { since }]) => [name, until(since)])) }
  }

  async function take(project: number, decision: Decision, brake: Brake): Promise<boolean> {
    const uses = brakedUses(decision, brake, braked, ruleName)
    if (uses.size === 0) return true
    return inTurn(project, async () => {
      const used = await usedLately(project)
      if ([...uses.keys()].some((name) => (used[name]?.times ?? 0) >= brake.perHour)) return false
      const since = new Date(now()).toISOString()
      const next = [...uses].map(([name, times]) => [name, { since: used[name]?.since ?? since, times: (used[name]?.times ?? 0) + times }])
      await journal.markProject(service, project, usedMark, JSON.stringify({ ...used, ...Object.fromEntries(next) }))
      return true
    })
  }

  return { state, take }
}
