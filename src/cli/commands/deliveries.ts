// `bellhop deliveries list|show|replay`: lists, shows and replays deliveries.
import { Command, Option } from 'commander'
import type { DeliveryResponse } from '../../admin/api/routes/deliveries.ts'
import { deliveryStates } from '../../journal/delivery-states.ts'
import type { DeliveryRecord, JournalPage } from '../../journal/types.ts'
import { words } from '../../rules/explain/explain.ts'
import type { NamedRef } from '../../rules/explain/ref-name.ts'
import { createAdminClient } from '../admin/admin-client.ts'
import { type AdminFlags, withAdmin } from '../admin/admin-options.ts'
import { describeDecision, describeLink, describeMergeRequest, describeReplays } from '../admin/describe.ts'
import { type ListFlags, queryOf, withFilter, withList } from '../admin/list-options.ts'
import { replayHelp, replayOne, replaySelection, type SelectionFlags, withReplay } from '../admin/replay.ts'
import { showList } from '../admin/show-list.ts'
import { plain, printAs } from '../output/terminal-text.ts'
import { UsageError } from '../user-error.ts'

interface Flags extends AdminFlags, ListFlags {
  state?: string
  kind?: string
  rule?: string
  outcome?: string
}

const withState = (command: Command) =>
  command
    .addOption(new Option('--state <state>', 'only those in this state').choices(deliveryStates))
    .option('--kind <kind>', 'only those of this event kind, such as note.create')
    .option('--rule <name>', 'only those with a decision in which this rule matched')
    .addOption(
      new Option('--outcome <outcome>', 'only those with a decision of which a call failed').choices(['failed']),
    )

export function deliveries(): Command {
  const command = new Command()
  withAdmin(withState(withList(command.command('list').description('list the newest deliveries')))).action(list)
  withAdmin(command.command('show <id>').description('show one delivery and its decisions')).action(show)
  withAdmin(withReplay(withState(withFilter(command.command('replay')))))
    .description('show what would be decided now; with --apply evaluate again')
    .argument('[id]', 'one delivery; without it all that match the filters')
    .option('--cap <number>', 'at most this many of a selection, newest first (up to 200)', '100')
    .addHelpText('after', replayHelp)
    .action(replay)
  return command
}

function list(flags: Flags): Promise<void> {
  const admin = createAdminClient(flags)
  const read = async (limit: number, after?: string) => {
    const { state, kind, rule, outcome } = flags
    const query = queryOf(flags, { state, kind, rule, outcome, limit: String(limit), after })
    return (await admin.get(`/deliveries?${query}`)) as JournalPage<DeliveryRecord>
  }
  return showList(flags, read, ['received', 'id', 'event', 'state', 'subjects'], rowOf, 'No deliveries found.')
}

function rowOf({ receivedAt, id, event, header, state, mergeRequests }: DeliveryRecord): string[] {
  return [receivedAt, id, event?.kind ?? header, words(state), mergeRequests.map(describeMergeRequest).join(', ')]
}

async function show(id: string, flags: AdminFlags): Promise<void> {
  const response = (await createAdminClient(flags).get(`/deliveries/${encodeURIComponent(id)}`)) as DeliveryResponse
  const { delivery, decisions, failedJobs } = response
  printAs(flags.format, response, () => [
    `delivery ${plain(delivery.id)}`,
    `  received ${delivery.receivedAt}, ${delivery.bytes} bytes, ${plain(delivery.event?.kind ?? delivery.header)}`,
    `  state    ${words(delivery.state)}${delivery.reason === undefined ? '' : `: ${plain(delivery.reason)}`}`,
    ...subjectsOf(delivery).flatMap((each) => [`  about    ${describeMergeRequest(each)}`, ...describeLink(each)]),
    ...describeReplays(delivery.replays),
    ...failedJobs.map(({ queue, id: job, failure = '' }) => plain(`  failed   ${queue} ${job}: ${failure}`)),
    ...decisions.flatMap(describeDecision),
  ])
}

/** Its merge requests or its issue; without either, its project. */
function subjectsOf({ mergeRequests, event }: DeliveryRecord): NamedRef[] {
  if (mergeRequests.length > 0) return mergeRequests
  return event?.project === undefined ? [] : [{ ...event, project: event.project, iid: 0 }]
}

async function replay(id: string | undefined, flags: SelectionFlags): Promise<void> {
  if (id !== undefined) return replayOne('deliveries', id, flags)
  const { project, state, kind, rule, outcome, since, until } = flags
  if ([project, state, kind, rule, outcome, since, until].every((each) => each === undefined))
    throw new UsageError(
      'Name a delivery, or filter by --project, --iid, --state, --kind, --rule, --outcome, --since or --until.',
    )
  await replaySelection(flags)
}
