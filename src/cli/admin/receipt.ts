// The receipt of a merge for the terminal.
import type { DecisionResponse } from '../../admin/api/routes/decisions.ts'
import { type Receipt, receiptOf } from '../../rules/explain/receipt.ts'
import { plain } from '../output/terminal-text.ts'
import { UserError } from '../user-error.ts'
import { describeMergeRequest } from './describe.ts'

/** Throws UserError for a decision that merged nothing. */
export function readReceipt({ id, mergeRequest, ...decision }: DecisionResponse) {
  const receipt = receiptOf(decision)
  if (receipt === undefined) throw new UserError(`Decision ${plain(id)} merged nothing: only a merge has a receipt.`)
  return { decision: id, mergeRequest, ...receipt }
}

export function describeReceipt(receipt: ReturnType<typeof readReceipt>): string[] {
  const { decision, mergeRequest, rules, head, target, merge, tree, facts } = receipt
  const line = (name: string, text: string) => plain(`  ${name.padEnd(10)}${text}`)
  return [
    `receipt of ${describeMergeRequest(mergeRequest)}, decision ${plain(decision)}`,
    line('merge', `${merge.endpoint} at ${merge.at}${typeof merge.commit === 'string' ? `, as ${merge.commit}` : ''}`),
    ...rules.map(({ name, file, line: at, blob }) => line('rule', `${name} (${file}:${at}, blob ${blob ?? 'none'})`)),
    line('head', `${head ?? 'not read'}, into ${target ?? 'not read'}`),
    line('tree', tree ?? 'not known: only a merge queue knows it'),
    line('pipeline', sayPipeline(receipt)),
    ...sayApprovals(receipt).map((each) => line('approval', each)),
    ...Object.entries(facts).map(([name, value]) => line('fact', `${name} = ${JSON.stringify(value)}`)),
  ]
}

function sayPipeline({ pipeline }: Receipt): string {
  return pipeline === undefined ? 'none was read' : `${pipeline.id} of ${pipeline.sha}: ${pipeline.status}`
}

function sayApprovals({ approvals }: Receipt): string[] {
  if (approvals === undefined) return ['not read: no condition needed them']
  if (approvals.length === 0) return ['none counted']
  return approvals.map(({ by, head }) => `by ${by}, ${head === undefined ? 'as the service says' : `of ${head}`}`)
}
