// The receipt of a merge for the terminal.
import type { DecisionResponse } from '../../admin/api/routes/decisions.ts'
import type { Receipt } from '../../rules/explain/decision-outcome.ts'
import { plain } from '../output/terminal-text.ts'
import { describeMergeRequest } from './describe.ts'

export function describeReceipt({ id, mergeRequest }: DecisionResponse, receipt: Receipt): string[] {
  const { endpoint, at, rules, head, target, commit, tree, pipeline, approvals, facts } = receipt
  const lines = [
    ['merge', `${endpoint} at ${at}`],
    ...rules.map(({ name, file, line, blob }) => ['rule', `${name} (${file}:${line}, blob ${blob})`]),
    ['head', `${head} into ${target}`],
    ['commit', commit ?? 'not known'],
    ['tree', tree ?? 'not known: only a merge queue that tests with git knows it'],
    ['pipeline', pipeline ?? 'not read'],
    ['approvals', Array.isArray(approvals) ? `${approvals.join(', ') || 'none counted'}, for ${head}` : 'not read'],
    ...Object.entries(facts).map(([name, value]) => ['fact', `${name} = ${JSON.stringify(value)}`]),
  ]
  const title = `receipt of ${describeMergeRequest(mergeRequest)}, decision ${plain(id)}`
  return [title, ...lines.map(([name, text]) => plain(`  ${String(name).padEnd(10)}${text}`))]
}
