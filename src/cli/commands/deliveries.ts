// `bellhop deliveries list|show|replay`: what came in, what became of it, and once more.
import { Command, Option } from 'commander'
import type { DeliveryAnswer } from '../../admin/routes/deliveries.ts'
import { deliveryStates } from '../../journal/delivery-states.ts'
import type { DeliveryRecord, Page } from '../../journal/types.ts'
import { createAdminClient } from '../admin-client.ts'
import { type AdminFlags, withAdmin } from '../admin-options.ts'
import { type ListFlags, queryOf, withFilter, withList } from '../desk/list-options.ts'
import { replayHelp, replayOne, replaySelection, type SelectionFlags, withReplay } from '../desk/replay.ts'
import { sayDecision, sayOne, sayReplays } from '../desk/say.ts'
import { showList } from '../desk/show-list.ts'
import { plain, printJson as print } from '../terminal-text.ts'
import { UserError } from '../user-error.ts'

interface Flags extends AdminFlags, ListFlags {
  state?: string
  kind?: string
  rule?: string
  outcome?: string
}

const withState = (command: Command) =>
  command
    .addOption(new Option('--state <state>', 'only those in one state').choices(deliveryStates))
    .option('--kind <kind>', 'only those of one kind of event, such as note.create')
    .option('--rule <name>', 'only those that led to a decision in which this rule held')
    .addOption(new Option('--outcome <outcome>', 'only those that led to a decision of which a call failed').choices(['failed']))

/** Three subcommands over the admin API of a running bot. */
export function deliveries(): Command {
  const command = new Command('deliveries').description('list, show and replay deliveries of a running bot')
  command.addCommand(withAdmin(withState(withList(new Command('list').description('the newest deliveries')))).action(list))
  command.addCommand(withAdmin(new Command('show').description('one delivery and what was decided').argument('<id>')).action(show))
  command.addCommand(
    withAdmin(
      withReplay(
        withState(
          withFilter(new Command('replay').description('say what would be decided now about deliveries; with --do judge them again')),
        )
          .argument('[id]', 'one delivery; without it all that the filters find')
          .option('--cap <number>', 'of a selection: the newest so many at most (200)', '100'),
      ),
    )
      .addHelpText('after', replayHelp)
      .action(replay),
  )
  return command
}

function list(flags: Flags): Promise<void> {
  const admin = createAdminClient(flags)
  const read = async (limit: number, after?: string) => {
    const { state, kind, rule, outcome } = flags
    const query = queryOf(flags, { state, kind, rule, outcome, limit: String(limit), after })
    return (await admin.get(`/deliveries?${query}`)) as Page<DeliveryRecord>
  }
  return showList(flags, read, ['received', 'id', 'event', 'state', 'merge requests'], rowOf)
}

function rowOf({ receivedAt, id, event, header, state, mergeRequests }: DeliveryRecord): string[] {
  return [receivedAt, id, event?.kind ?? header, state, mergeRequests.map(sayOne).join(' ')]
}

async function show(id: string, flags: AdminFlags): Promise<void> {
  const answer = (await createAdminClient(flags).get(`/deliveries/${encodeURIComponent(id)}`)) as DeliveryAnswer
  if (flags.format === 'json') return print(answer)
  const { delivery, decisions, failedJobs } = answer
  const lines = [
    `delivery ${plain(delivery.id)}`,
    `  received ${delivery.receivedAt}, ${delivery.bytes} bytes, ${plain(delivery.event?.kind ?? delivery.header)}`,
    `  state    ${delivery.state}${delivery.reason === undefined ? '' : `: ${plain(delivery.reason)}`}`,
    ...sayReplays(delivery.replays),
    ...failedJobs.map(({ lane, id: job, failure = '' }) => plain(`  failed   ${lane} ${job}: ${failure}`)),
    ...decisions.flatMap(sayDecision),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

async function replay(id: string | undefined, flags: SelectionFlags): Promise<void> {
  if (id !== undefined) return replayOne('deliveries', id, flags)
  const { project, state, kind, rule, outcome, since, until } = flags
  if ([project, state, kind, rule, outcome, since, until].every((each) => each === undefined))
    throw new UserError('Name a delivery, or say which: --project, --iid, --state, --kind, --rule, --outcome, --since, --until.', {
      exitCode: 2,
    })
  await replaySelection(flags)
}
