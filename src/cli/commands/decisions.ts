// `bellhop decisions list|show|replay`: lists, shows and replays decisions.
import { Command } from 'commander'
import type { DecisionResponse } from '../../admin/api/routes/decisions.ts'
import type { DecisionRecord } from '../../journal/types.ts'
import { matchedRules } from '../../rules/explain/decision-outcome.ts'
import { sayBroken } from '../../rules/explain/explain.ts'
import {
  describeDecision,
  describeMergeRequest,
  describeOutcome,
  describeReceipt,
  describeReplays,
} from '../admin/describe.ts'
import { listCommand } from '../admin/list-command.ts'
import { replayCommand, replayOne } from '../admin/replay.ts'
import { routeCommand } from '../admin/route-command.ts'
import { plain, printAs } from '../output/terminal-text.ts'
import { UserError } from '../user-error.ts'

export function decisions(): Command {
  const list = listCommand<DecisionRecord>('list_decisions', {
    head: ['at', 'id', 'subject', 'matched rules', 'outcome'],
    row: rowOf,
    none: 'No decisions found.',
  })
  const show = routeCommand<{ receipt?: true }>('show_decision', {
    name: 'show',
    async perform(call, { receipt, ...given }) {
      const decision = await call<DecisionResponse>('show_decision', given)
      if (receipt !== true) return printAs(given.format, decision, () => linesOf(decision))
      const found = decision.receipt
      if (found === undefined) throw new UserError(`Decision ${plain(decision.id)} merged nothing: it has no receipt.`)
      printAs(given.format, found, () => describeReceipt(decision, found))
    },
  }).option('--receipt', 'print what a merge was decided on: rule, facts, approvals, head, tree and pipeline')
  const replay = replayCommand('replay_decision', {
    perform: (call, given) => replayOne('replay_decision', call, given),
  })
  return new Command().addCommand(list).addCommand(show).addCommand(replay)
}

function rowOf(decision: DecisionRecord): string[] {
  return [
    decision.at,
    decision.id,
    describeMergeRequest(decision.mergeRequest),
    matchedRules(decision).join(', '),
    [describeOutcome(decision), ...(sayBroken(decision.files) === undefined ? [] : ['rules broken'])].join('; '),
  ]
}

function linesOf(response: DecisionResponse): string[] {
  const from = response.triggeredBy.map(
    ({ id, receivedAt, event, header }) => `  delivery ${plain(id)} at ${receivedAt}: ${plain(event?.kind ?? header)}`,
  )
  return [...describeDecision(response), ...from, ...describeReplays(response.replays)]
}
