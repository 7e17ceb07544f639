// Trust: what the repository’s own rules may approve and accept, who may set the label that turns Bellhop off, and how
// often new rules may act: what is beyond that is evaluated again later. Pure: bot/ counts.

import type { Action, ActionOutcome } from '../../actions/definition/action.ts'
import { accessIn } from '../../facts/definition/access.ts'
import { readingOf } from '../../facts/definition/fact.ts'
import { lastSetter } from '../../facts/definition/service-values.ts'
import { sources } from '../../facts/definition/sources.ts'
import type { FactReader, ViewedInput } from '../../facts/reading/fact-view.ts'
import { requiredIn } from '../../language/conditions.ts'
import { levelNumber } from '../../language/operators/fact-types.ts'
import { globMatcher } from '../../language/patterns/patterns.ts'
import type { Condition, RuleFileInForce } from '../../language/values/rule-types.ts'
import { sayMoment } from '../../language/values/time-windows.ts'
import { count } from '../../language/values/wording.ts'
import type { Decision, NewRuleLimit, RuleTrace, SourceName } from '../../types.ts'

type TrustVerdict =
  | { may: true }
  /** `keepsEffect`: an earlier approval is not withdrawn for this reason. */
  | { may: false; reason: string; keepsEffect: boolean }
  | { needs: SourceName[] }

const may: TrustVerdict = { may: true }
const denied = (reason: string): TrustVerdict => ({ may: false, reason, keepsEffect: false })

/** Allows only the default branch and branches that the operator names: anyone may write rules on other branches. */
function checkTargetBranch(also: readonly string[], view: FactReader): TrustVerdict {
  const [target, main] = [view.fact('target_branch'), view.fact('default_branch')]
  const unread = [target, main].flatMap((value) => (value.is === 'unread' ? [value.source] : []))
  if (unread.length > 0) return { needs: [...new Set(unread)] }
  // Fails closed: an unknown branch is not the default branch.
  if (target.is !== 'known' || main.is !== 'known') return denied('the project’s default branch is unknown')
  if (target.value === main.value || also.some((glob) => globMatcher(glob, 'path')(String(target.value)))) return may
  return denied(
    'the repository’s own rules act only on merge requests into its default branch; an operator’s rule may do more',
  )
}

/** Denies a merge request that changes a rule file: the old rules would merge their own replacement. */
function checkChangedFiles({ files, policy, mergeRequest, view }: ViewedInput): TrustVerdict {
  const changed = view.fact('changed_files')
  if (changed.is === 'unread') return { needs: [changed.source] }
  // A file of another project does not count, even if its path is the same.
  const own = files.flatMap(({ trust, path, origin }) => {
    if (trust !== 'repository') return []
    return origin === undefined ? [path] : origin.project === mergeRequest.project ? [origin.path] : []
  })
  const paths = [...own, ...(policy?.protects ?? [])]
  const touched =
    changed.is === 'known' && Array.isArray(changed.value)
      ? paths.find((path) => (changed.value as unknown[]).includes(path))
      : undefined
  if (touched !== undefined)
    return denied(`it changes ${touched}, and the repository’s own rules never merge their replacement: a person must`)
  // Fails closed: a rule file may be among the files that are not listed.
  if (changed.is === 'absent')
    return denied(`the changed files are unknown, so a rule file may be among them: ${changed.reason}`)
  if (changed.is !== 'known' || !changed.complete)
    return denied('the list of changed files is not complete, so a rule file may be among them')
  return may
}

/** Whether a rule of this file may approve and accept. */
export function mayMerge(file: RuleFileInForce, input: ViewedInput): TrustVerdict {
  if (file.trust !== 'operator') {
    const branch = checkTargetBranch(input.policy?.mergesInto ?? [], input.view)
    if ('may' in branch && !branch.may) return branch
    const rules = checkChangedFiles(input)
    if ('may' in rules && !rules.may) return rules
    const needs = [branch, rules].flatMap((each) => ('needs' in each ? each.needs : []))
    if (needs.length > 0) return { needs }
  }
  // Last: an approval that the file may not request is withdrawn, whether or not a file is broken.
  const broken = input.files.find((each) => each.broken)
  if (broken === undefined) return may
  const reason = `${broken.path} has problems: nothing is approved or accepted until they are fixed`
  return { may: false, reason, keepsEffect: true }
}

const offLabelAccess = 'developer'
const developer = Number(levelNumber(offLabelAccess))

/** `ignored`: why a label that is set does not count. */
export type OffLabel = { isOff: true } | { isOff: false; ignored?: string } | { needs: SourceName[] }

/** Reads who set the label, and their access level. Fails closed: if either is unknown, the label counts. */
export function readOffLabel({ offLabel, answers, view }: ViewedInput): OffLabel {
  const labels = view.fact('labels')
  if (
    offLabel === undefined ||
    labels.is !== 'known' ||
    !Array.isArray(labels.value) ||
    !labels.value.includes(offLabel)
  )
    return { isOff: false }
  const history = answers[sources.labelEvents.name]
  if (history === undefined) return { needs: [sources.labelEvents.name] }
  const setter = history.ok && history.complete ? lastSetter(history.body, offLabel) : undefined
  if (setter === undefined) return { isOff: true }
  const source = `${sources.actorAccess.name}@${setter.id}`
  if (answers[source] === undefined) return { needs: [source] }
  const access = accessIn(readingOf(answers[source]))
  const isBelow = access.is === 'known' && Number(levelNumber(String(access.value))) < developer
  if (!isBelow) return { isOff: true }
  return {
    isOff: false,
    ignored: `the label ${offLabel} does not count: ${setter.name} set it, and only a ${offLabelAccess} or above may`,
  }
}

type LimitedAction = Pick<Action, 'name' | 'per' | 'limited'>

/** Whether the new-rule limit applies to it. */
export const isLimitedWhenNew = ({ limited }: Pick<Action, 'limited'>): boolean =>
  limited === 'merge' || limited === 'new_rules'

const isNew = (newRuleLimit: NewRuleLimit, rule: string) => newRuleLimit.newRules.includes(rule)

/** Whether the rule acts only on the command of somebody with a role that it names: a person decides each time. */
function isCommanded(conditions: Condition): boolean {
  const required = requiredIn(conditions).map(({ fact }) => fact)
  return required.includes('command') && required.includes('actor_access')
}

/** Replaces a call that must wait: the event stays pending, and a state rule is evaluated again. */
export function limitedOutcome(
  action: LimitedAction,
  { rule, ofEvent, conditions }: { rule: string; ofEvent: boolean; conditions: Condition },
  { newRuleLimit, now }: { newRuleLimit?: NewRuleLimit; now: string },
): ActionOutcome | undefined {
  const until = newRuleLimit?.full[action.name]
  if (newRuleLimit === undefined || until === undefined || !isLimitedWhenNew(action) || !isNew(newRuleLimit, rule))
    return undefined
  if (isCommanded(conditions)) return undefined
  const detail = `the new-rule limit: new rules did this ${count(newRuleLimit.perHour, 'time')} within the hour in this project; it is evaluated again at ${sayMoment(Date.parse(until))}`
  return {
    result: ofEvent ? 'waits' : 'blocked',
    detail,
    limitedUntil: until,
    againInMs: Math.max(1000, Date.parse(until) - Date.parse(now)),
  }
}

/** How often a decision does each limited action because of new rules alone. */
export function newRuleUses(
  decision: Pick<Decision, 'rules'>,
  newRuleLimit: NewRuleLimit,
  limited: readonly LimitedAction[],
  nameOf: (trace: RuleTrace) => string,
): Map<string, number> {
  const acting = decision.rules.filter(({ mode }) => mode === undefined)
  const uses = new Map<string, number>()
  for (const action of limited) {
    // Withdrawals are never limited.
    const requesting = acting.filter(({ actions }) =>
      actions.some((each) => each.action === action.name && each.result === 'call' && each.withdrawal !== true),
    )
    const fresh = requesting.filter((trace) => isNew(newRuleLimit, nameOf(trace)))
    // A call that an old rule requests too is not limited.
    const times =
      action.per === undefined ? (fresh.length === requesting.length ? Math.min(1, fresh.length) : 0) : fresh.length
    if (times > 0) uses.set(action.name, times)
  }
  return uses
}
