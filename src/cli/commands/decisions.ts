// `bellhop decisions list|show|replay`: what the rules said, why, and what came of it.
import { Command, Option } from 'commander'
import type { DecisionAnswer } from '../../admin/routes/decisions.ts'
import { decisionOutcomes } from '../../journal/decision-outcome.ts'
import type { DecisionRecord, Page } from '../../journal/types.ts'
import { createAdminClient } from '../admin-client.ts'
import { type AdminFlags, withAdmin } from '../admin-options.ts'
import { type ListFlags, queryOf, withList } from '../desk/list-options.ts'
import { type ReplayFlags, replayHelp, replayOne, withReplay } from '../desk/replay.ts'
import { sayDecision, sayOne, sayOutcome, sayReplays } from '../desk/say.ts'
import { showList } from '../desk/show-list.ts'
import { plain, printJson as print } from '../terminal-text.ts'

interface Flags extends AdminFlags, ListFlags {
  delivery?: string
  rule?: string
  outcome?: string
}

/** Three subcommands over the admin API of a running bot. */
export function decisions(): Command {
  const command = new Command('decisions').description('list, show and replay decisions of a running bot')
  command.addCommand(
    withAdmin(withList(new Command('list').description('the newest decisions')))
      .option('--delivery <id>', 'only those that a delivery led to')
      .option('--rule <name>', 'only those in which a rule held')
      .addOption(new Option('--outcome <outcome>', 'only those of which this came').choices(decisionOutcomes))
      .action(list),
  )
  command.addCommand(
    withAdmin(new Command('show').description('one decision: each rule, each condition, each call').argument('<id>')).action(show),
  )
  command.addCommand(
    withAdmin(withReplay(new Command('replay').description('say what would be decided now; with --do judge it again').argument('<id>')))
      .addHelpText('after', replayHelp.replaceAll('deliveries replay 4f1c7d', 'decisions replay 0b6e2f'))
      .action((id: string, flags: ReplayFlags) => replayOne('decisions', id, flags)),
  )
  return command
}

function list(flags: Flags): Promise<void> {
  const admin = createAdminClient(flags)
  const read = async (limit: number, after?: string) => {
    const query = queryOf(flags, { delivery: flags.delivery, rule: flags.rule, outcome: flags.outcome, limit: String(limit), after })
    return (await admin.get(`/decisions?${query}`)) as Page<DecisionRecord>
  }
  return showList(flags, read, ['at', 'id', 'merge request', 'rules that held', 'came of it'], rowOf)
}

function rowOf(decision: DecisionRecord): string[] {
  const held = decision.rules.flatMap(({ name, verdict }) => (verdict === 'true' ? [name] : []))
  return [decision.at, decision.id, sayOne(decision.mergeRequest), held.join(', '), sayOutcome(decision)]
}

async function show(id: string, flags: AdminFlags): Promise<void> {
  const answer = (await createAdminClient(flags).get(`/decisions/${encodeURIComponent(id)}`)) as DecisionAnswer
  if (flags.format === 'json') return print(answer)
  const from = answer.from.map(
    ({ id: of, receivedAt, event, header }) => `  delivery ${plain(of)} at ${receivedAt}: ${plain(event?.kind ?? header)}`,
  )
  process.stdout.write(`${[...sayDecision(answer), ...from, ...sayReplays(answer.replays)].join('\n')}\n`)
}
