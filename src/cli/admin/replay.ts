// Replays deliveries and decisions; a dry run without --apply.
import { type Command, Option } from 'commander'
import type { DryRunResponse, ReplayResponse, SelectionResponse } from '../../admin/api/routes/replays.ts'
import { count as counted } from '../../rules/language/values/wording.ts'
import { createProgress } from '../output/progress.ts'
import { plain, printAs } from '../output/terminal-text.ts'
import { createAdminClient } from './admin-client.ts'
import type { AdminFlags } from './admin-options.ts'
import { describeComparison } from './describe.ts'
import type { FilterFlags } from './list-options.ts'

export interface ReplayFlags extends AdminFlags {
  apply?: true
  why?: string
}
export interface SelectionFlags extends ReplayFlags, FilterFlags {
  state?: string
  kind?: string
  rule?: string
  outcome?: string
  cap: string
}

export function withReplay(command: Command): Command {
  return command
    .option('--apply', 'evaluate again, and act')
    .addOption(new Option('--dry-run', 'only show what would be decided now (the default)').conflicts('apply'))
    .option('--why <reason>', 'reason for the audit log')
}

export const replayHelp = `
Without --apply it only compares the decision of then with that of now. With --apply the merge requests or issues are evaluated on their
present state; nothing is done twice. A selection is counted first, and replayed only while the count is the same.

Examples:
  $ bellhop deliveries replay 4f1c7d
  $ bellhop deliveries replay 4f1c7d --apply --why "the runner is back"
  $ bellhop deliveries replay --project hotel/app --since 2h
  $ bellhop deliveries replay --project 'hotel/app#12' --since 2h
  $ bellhop deliveries replay --project hotel/app --since 2h --cap 50 --apply`

export async function replayOne(kind: 'deliveries' | 'decisions', id: string, flags: ReplayFlags): Promise<void> {
  const path = `/${kind}/${encodeURIComponent(id)}/replay`
  const response = await createAdminClient(flags).post(path, {
    dry_run: flags.apply !== true,
    ...(flags.why === undefined ? {} : { why: flags.why }),
  })
  printAs(flags.format, response, () => {
    if (flags.apply === true) return [`Replay ${(response as ReplayResponse).number} of ${plain(id)} is enqueued.`]
    const { mergeRequests } = response as DryRunResponse
    const none =
      mergeRequests.length === 0 ? ['It concerned no merge request and no issue. Use --apply to read it again.'] : []
    return [...none, ...mergeRequests.flatMap(describeComparison), nothingSent]
  })
}

const nothingSent = 'Nothing was sent. Use --apply to evaluate again and act.'

export async function replaySelection(flags: SelectionFlags): Promise<void> {
  const admin = createAdminClient(flags)
  const { project, iid, state, kind, rule, outcome, since, until, cap, why } = flags
  const filter = { project, iid, state, kind, rule, outcome, since, until, cap }
  const found = (await admin.post('/replays', filter)) as SelectionResponse
  const count = `${counted(found.count, 'delivery', 'deliveries')}${found.more ? ' (of more: --cap)' : ''}`
  process.stderr.write(`bellhop: ${count}\n`)
  if (flags.apply === true) {
    const done = (await admin.post('/replays', {
      ...filter,
      why,
      dry_run: false,
      count: found.count,
    })) as SelectionResponse
    const notReplayed = done.deliveries.filter(({ replayed }) => replayed !== 'replayed')
    return printAs(flags.format, done, () => [
      `${done.count - notReplayed.length} enqueued.`,
      ...notReplayed.map(({ id, replayed }) => `${plain(id)}: ${replayed}`),
    ])
  }
  const progress = createProgress(process.stderr)
  const answers: DryRunResponse[] = []
  for (const { id } of found.deliveries) {
    progress.show(`${answers.length} of ${found.count} evaluated`, answers.length / found.count)
    answers.push(
      (await admin.post(`/deliveries/${encodeURIComponent(id)}/replay`, { dry_run: true })) as DryRunResponse,
    )
  }
  progress.end()
  const lines = answers.flatMap(({ id, mergeRequests }) => [
    `delivery ${plain(id)}`,
    ...mergeRequests.flatMap(describeComparison).map((line) => `  ${line}`),
  ])
  printAs(flags.format, { ...found, dryRuns: answers }, () => [...lines, nothingSent])
}
