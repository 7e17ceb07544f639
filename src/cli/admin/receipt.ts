// The receipt of a merge for the terminal.
import type { DecisionResponse } from '../../admin/api/routes/decisions.ts'
import { receiptOf } from '../../rules/explain/receipt.ts'
import { plain } from '../output/terminal-text.ts'
import { UserError } from '../user-error.ts'
import { describeMergeRequest } from './describe.ts'

/** Throws UserError for a decision that merged nothing. */
export function readReceipt(decision: DecisionResponse) {
  const { id, mergeRequest } = decision
  const receipt = receiptOf(decision)
  if (receipt === undefined) throw new UserError(`Decision ${plain(id)} merged nothing: only a merge has a receipt.`)
  return { decision: id, mergeRequest, ...receipt }
}

export function describeReceipt({ decision, mergeRequest, ...receipt }: ReturnType<typeof readReceipt>): string[] {
  const { merge, rules, head, target, commit, tree, pipeline, approvals, facts } = receipt
  const lines = [
    ['merge', `${merge.endpoint} at ${merge.at}`],
    ...rules.map(({ name, file, line, blob }) => ['rule', `${name} (${file}:${line}, blob ${blob})`]),
    ['head', `${head} into ${target}`],
    ['commit', commit ?? 'not known'],
    ['tree', tree ?? 'not known: only a merge queue that tests with git knows it'],
    ['pipeline', pipeline ?? 'not read'],
    ['approvals', Array.isArray(approvals) ? `${approvals.join(', ') || 'none counted'}, for ${head}` : 'not read'],
    ...Object.entries(facts).map(([name, value]) => ['fact', `${name} = ${JSON.stringify(value)}`]),
  ]
  const title = `receipt of ${describeMergeRequest(mergeRequest)}, decision ${plain(decision)}`
  return [title, ...lines.map(([name, text]) => plain(`  ${String(name).padEnd(10)}${text}`))]
}
