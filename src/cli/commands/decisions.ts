// `bellhop decisions list|show|replay`: lists, shows and replays decisions.
import { Command, Option } from 'commander'
import type { DecisionResponse } from '../../admin/api/routes/decisions.ts'
import { decisionOutcomes, matchedRules } from '../../journal/decision-outcome.ts'
import type { DecisionRecord, JournalPage } from '../../journal/types.ts'
import { sayBroken } from '../../rules/explain/explain.ts'
import { createAdminClient } from '../admin/admin-client.ts'
import { type AdminFlags, withAdmin } from '../admin/admin-options.ts'
import { describeDecision, describeMergeRequest, describeOutcome, describeReplays } from '../admin/describe.ts'
import { type ListFlags, queryOf, withList } from '../admin/list-options.ts'
import { type ReplayFlags, replayHelp, replayOne, withReplay } from '../admin/replay.ts'
import { showList } from '../admin/show-list.ts'
import { plain, printAs } from '../output/terminal-text.ts'

interface Flags extends AdminFlags, ListFlags {
  delivery?: string
  rule?: string
  outcome?: string
}

export function decisions(): Command {
  const command = new Command()
  withAdmin(withList(command.command('list').description('list the newest decisions')))
    .option('--delivery <id>', 'only those of one delivery')
    .option('--rule <name>', 'only those in which this rule matched')
    .addOption(new Option('--outcome <outcome>', 'only those with this outcome').choices(decisionOutcomes))
    .action(list)
  withAdmin(command.command('show <id>').description('show one decision: rules, conditions, calls')).action(show)
  withAdmin(withReplay(command.command('replay <id>')))
    .description('show what would be decided now; with --apply evaluate again')
    .addHelpText('after', replayHelp.replaceAll('deliveries replay 4f1c7d', 'decisions replay 0b6e2f'))
    .action((id: string, flags: ReplayFlags) => replayOne('decisions', id, flags))
  return command
}

function list(flags: Flags): Promise<void> {
  const admin = createAdminClient(flags)
  const read = async (limit: number, after?: string) => {
    const query = queryOf(flags, {
      delivery: flags.delivery,
      rule: flags.rule,
      outcome: flags.outcome,
      limit: String(limit),
      after,
    })
    return (await admin.get(`/decisions?${query}`)) as JournalPage<DecisionRecord>
  }
  return showList(flags, read, ['at', 'id', 'subject', 'matched rules', 'outcome'], rowOf, 'No decisions found.')
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

async function show(id: string, flags: AdminFlags): Promise<void> {
  const response = (await createAdminClient(flags).get(`/decisions/${encodeURIComponent(id)}`)) as DecisionResponse
  const from = response.triggeredBy.map(
    ({ id: of, receivedAt, event, header }) =>
      `  delivery ${plain(of)} at ${receivedAt}: ${plain(event?.kind ?? header)}`,
  )
  printAs(flags.format, response, () => [...describeDecision(response), ...from, ...describeReplays(response.replays)])
}
