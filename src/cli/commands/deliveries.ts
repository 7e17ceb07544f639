// `bellhop deliveries list|show|replay`: lists, shows and replays deliveries.
import { Command } from 'commander'
import type { RunOperation } from '../../admin/api/route.ts'
import type { DeliveryResponse } from '../../admin/api/routes/deliveries.ts'
import type { DeliveryRecord } from '../../journal/types.ts'
import { words } from '../../rules/explain/explain.ts'
import { subjectsOf } from '../../rules/facts/definition/subject-ref.ts'
import { describeDecision, describeLink, describeMergeRequest, describeReplays } from '../admin/describe.ts'
import { listCommand } from '../admin/list-command.ts'
import { type ReplayFlags, replayCommand, replayOne, replaySelection } from '../admin/replay.ts'
import { printCommand } from '../admin/route-command.ts'
import { plain } from '../output/terminal-text.ts'
import { UsageError } from '../user-error.ts'

export function deliveries(): Command {
  const list = listCommand<DeliveryRecord>('list_deliveries', {
    head: ['received', 'id', 'event', 'state', 'subjects'],
    row: rowOf,
    none: 'No deliveries found.',
  })
  const show = printCommand<DeliveryResponse>('show_delivery', { name: 'show', lines: linesOf })
  const replayed = replayCommand('replay_selection', { args: { id: '[id]' }, perform: replay })
  return new Command().addCommand(list).addCommand(show).addCommand(replayed)
}

function rowOf(delivery: DeliveryRecord): string[] {
  const { receivedAt, id, event, header, state } = delivery
  const subjects = subjectsOf(delivery).map(describeMergeRequest)
  return [receivedAt, id, event?.kind ?? header, words(state), subjects.join(', ')]
}

function linesOf({ delivery, decisions, failedJobs }: DeliveryResponse): string[] {
  return [
    `delivery ${plain(delivery.id)}`,
    `  received ${delivery.receivedAt}, ${delivery.bytes} bytes, ${plain(delivery.event?.kind ?? delivery.header)}`,
    `  state    ${words(delivery.state)}${delivery.reason === undefined ? '' : `: ${plain(delivery.reason)}`}`,
    ...subjectsOf(delivery).flatMap((each) => [`  about    ${describeMergeRequest(each)}`, ...describeLink(each)]),
    ...describeReplays(delivery.replays),
    ...failedJobs.map(({ queue, id: job, failure = '' }) => plain(`  failed   ${queue} ${job}: ${failure}`)),
    ...decisions.flatMap(describeDecision),
  ]
}

const filters = ['project', 'state', 'kind', 'rule', 'outcome', 'since', 'until'] as const

async function replay(call: RunOperation, given: Partial<Record<(typeof filters)[number], string>> & ReplayFlags) {
  if (given.id !== undefined) return replayOne('replay_delivery', call, given)
  if (filters.every((each) => given[each] === undefined))
    throw new UsageError(
      'Name a delivery, or filter by --project, --iid, --state, --kind, --rule, --outcome, --since or --until.',
    )
  await replaySelection(call, given)
}
