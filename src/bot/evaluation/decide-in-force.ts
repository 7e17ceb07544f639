// Decides by the rules in force: within their limits, and once more just before a bound call.
import { ServiceError } from '../../client/errors.ts'
import type { RunningJob } from '../../queue/types.ts'
import { isCallOf } from '../../rules/actions/definition/combined-update.ts'
import type { Call } from '../../rules/types.ts'
import type { RuleFiles } from '../rule-files/rule-files.ts'
import type { RulesInForce } from '../rule-files/rules-in-force.ts'
import { withHistory } from './branch-history.ts'
import { type DecisionWithFacts, decideAgain, decideWithFacts } from './fetch-facts.ts'
import type { MergeRequestJob } from './merge-request-job.ts'
import { type ObserveInput, type ObserveOptions, observe } from './observe.ts'
import type { PatternAllowance } from './pattern-allowance.ts'
import { type WithdrawOptions, withdrawHeld } from './withdraw-when-undecidable.ts'

export interface DecideOptions extends Omit<ObserveOptions, 'journal'>, WithdrawOptions {
  journal: WithdrawOptions['journal'] & ObserveOptions['journal'] & Parameters<typeof withHistory>[0]
  ruleFiles: RuleFiles
  /** Called with rules just read: other open merge requests may have to be evaluated by them. */
  spreadRules: (project: number, rules: RulesInForce) => Promise<void>
  patterns: PatternAllowance
}

// After as many failures the rules cannot be decided, so they do not support an earlier approval.
const attemptsBeforeWithdrawal = 3

/** Withdraws approvals and waiting merges where the service keeps failing to answer; then throws as before. */
export async function decideOrWithdraw(
  options: DecideOptions,
  job: RunningJob<MergeRequestJob>,
  given: Pick<ObserveInput, 'memory' | 'pendingEvents'>,
): Promise<DecisionWithFacts> {
  const { data: mergeRequest, attempt } = job
  try {
    // After the events: no event is evaluated by older rules.
    const rules = await options.ruleFiles.inForce(mergeRequest.project)
    if (rules.fresh) await options.spreadRules(mergeRequest.project, rules)
    return await decideWithinLimit(options, { ...given, mergeRequest, rules })
  } catch (error) {
    if (attempt >= attemptsBeforeWithdrawal && error instanceof ServiceError) await withdrawHeld(options, job, error)
    throw error
  }
}

/** Counts limited actions before they are sent. Decides again where another merge request used up the limit meanwhile. */
async function decideWithinLimit(options: DecideOptions, given: ObserveInput): Promise<DecisionWithFacts> {
  const { project } = given.mergeRequest
  for (;;) {
    const observation = await observe(options, given)
    const decided = await options.patterns.within(project, (work) =>
      decideWithFacts(options.client, { ...observation, work }, withHistory(options.journal)),
    )
    const { newRuleLimit } = decided.input
    if (newRuleLimit === undefined || (await options.newRuleCounter.take(project, decided.decision, newRuleLimit)))
      return decided
  }
}

/** Just before a bound call: reads the rules and facts again; they must lead to the same call. */
export async function isStillDecided(
  { client, journal, ruleFiles, spreadRules }: DecideOptions,
  decided: DecisionWithFacts,
  call: Call,
): Promise<boolean> {
  const { project } = decided.input.mergeRequest
  const rules = await ruleFiles.refresh(project)
  // The push hook may be lost.
  await spreadRules(project, rules)
  const { files, policy } = rules
  const input = { ...decided.input, files, policy }
  const calls = await decideAgain(client, { ...decided, input }, withHistory(journal))
  // The action must lead to this call alone: what comes before it (squash) is done by now.
  const left = calls?.filter((each) => isCallOf(each, call.action)) ?? []
  const sent = ({ endpoint, params }: Call) => JSON.stringify([endpoint, params])
  return left.length === 1 && left.every((each) => sent(each) === sent(call))
}
