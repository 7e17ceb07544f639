// Replays deliveries and decisions; a dry run without --apply.
import { type Command, Option } from 'commander'
import type { RunOperation } from '../../admin/api/route.ts'
import type { DryRunResponse, ReplayResponse, SelectionResponse } from '../../admin/api/routes/replays.ts'
import { count as counted } from '../../rules/language/values/wording.ts'
import { createProgress, plain, printAs } from '../output/terminal-text.ts'
import { describeComparison } from './describe.ts'
import { type AdminFlags, type RouteCommand, routeCommand } from './route-command.ts'

export interface ReplayFlags extends AdminFlags {
  id: string
  apply?: true
}

export function replayCommand(
  operation: string,
  declared: Pick<RouteCommand<ReplayFlags>, 'args' | 'perform'>,
): Command {
  return routeCommand(operation, { name: 'replay', about, ...declared })
    .option('--apply', 'evaluate again, and act')
    .addOption(new Option('--dry-run', 'only show what would be decided now (the default)').conflicts('apply'))
    .addHelpText('after', help)
}

const about = 'Shows what would be decided now; with --apply evaluates again.'
const help = `
Without --apply it only compares the decision of then with that of now. With --apply the merge requests or issues are evaluated on their
present state; nothing is done twice. bellhop deliveries replay without an id first counts all deliveries that match the filters, and
replays them only while the count is the same.

Examples:
  $ bellhop decisions replay 0b6e2f
  $ bellhop deliveries replay 4f1c7d
  $ bellhop deliveries replay 4f1c7d --apply --why "the runner is back"
  $ bellhop deliveries replay --project hotel/app --since 2h
  $ bellhop deliveries replay --project 'hotel/app#12' --since 2h
  $ bellhop deliveries replay --project hotel/app --since 2h --cap 50 --apply`

/** `operation` replays a delivery or a decision. */
export async function replayOne(operation: string, call: RunOperation, given: ReplayFlags): Promise<void> {
  const { id, apply = false, format } = given
  const response = await call<DryRunResponse | ReplayResponse>(operation, { ...given, dry_run: !apply })
  printAs(format, response, () => {
    if ('replayed' in response) return [`Replay ${response.number} of ${plain(id)} is enqueued.`]
    const { mergeRequests } = response
    const none =
      mergeRequests.length === 0 ? ['It concerned no merge request and no issue. Use --apply to read it again.'] : []
    return [...none, ...mergeRequests.flatMap(describeComparison), nothingSent]
  })
}

const nothingSent = 'Nothing was sent. Use --apply to evaluate again and act.'

export async function replaySelection(call: RunOperation, given: ReplayFlags): Promise<void> {
  const { apply, format } = given
  const found = await call<SelectionResponse>('replay_selection', given)
  const count = `${counted(found.count, 'delivery', 'deliveries')}${found.more ? ' (of more: --cap)' : ''}`
  process.stderr.write(`bellhop: ${count}\n`)
  if (apply === true) {
    const done = await call<SelectionResponse>('replay_selection', { ...given, dry_run: false, count: found.count })
    const notReplayed = done.deliveries.filter(({ replayed }) => replayed !== 'replayed')
    return printAs(format, done, () => [
      `${done.count - notReplayed.length} enqueued.`,
      ...notReplayed.map(({ id, replayed }) => `${plain(id)}: ${replayed}`),
    ])
  }
  const progress = createProgress()
  const answers: DryRunResponse[] = []
  for (const { id } of found.deliveries) {
    progress.show(`${answers.length} of ${found.count} evaluated`, answers.length / found.count)
    answers.push(await call<DryRunResponse>('replay_delivery', { id, dry_run: true }))
  }
  progress.end()
  const lines = answers.flatMap(({ id, mergeRequests }) => [
    `delivery ${plain(id)}`,
    ...mergeRequests.flatMap(describeComparison).map((line) => `  ${line}`),
  ])
  printAs(format, { ...found, dryRuns: answers }, () => [...lines, nothingSent])
}
