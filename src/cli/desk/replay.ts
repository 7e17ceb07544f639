// Replay from the shell: dry unless --do says otherwise.
import { type Command, Option } from 'commander'
import type { DryRunAnswer, ReplayAnswer, SelectionAnswer } from '../../admin/routes/replays.ts'
import { createAdminClient } from '../admin-client.ts'
import type { AdminFlags } from '../admin-options.ts'
import { createProgress } from '../backtest/progress.ts'
import { plain, printJson as print } from '../terminal-text.ts'
import type { FilterFlags } from './list-options.ts'
import { sayBeside } from './say.ts'

export interface ReplayFlags extends AdminFlags {
  do?: true
  why?: string
}
export interface SelectionFlags extends ReplayFlags, FilterFlags {
  state?: string
  kind?: string
  rule?: string
  outcome?: string
  cap: string
}

/** --do, --dry-run and --why. */
export function withReplay(command: Command): Command {
  return command
    .option('--do', 'judge again, and act on it')
    .addOption(new Option('--dry-run', 'only say what would be decided now (the default)').conflicts('do'))
    .option('--why <reason>', 'for the audit log')
}

export const replayHelp = `
Without --do nothing is sent and nothing is kept: it says what was decided then and what would be decided now. With --do the merge
requests are judged again on their state as it is now; a delivery is never blindly sent again, and what is done already is not done twice.
A selection is counted first; with --do it is replayed only while the count is the same.

Examples:
  $ bellhop deliveries replay 4f1c7d
  $ bellhop deliveries replay 4f1c7d --do --why "the runner is back"
  $ bellhop deliveries replay --project 7 --since 2h
  $ bellhop deliveries replay --project 7 --since 2h --cap 50 --do`

/** One delivery or decision. */
export async function replayOne(kind: 'deliveries' | 'decisions', id: string, flags: ReplayFlags): Promise<void> {
  const path = `/${kind}/${encodeURIComponent(id)}/replay`
  const answer = await createAdminClient(flags).post(path, {
    dry_run: flags.do !== true,
    ...(flags.why === undefined ? {} : { why: flags.why }),
  })
  if (flags.format === 'json') return print(answer)
  if (flags.do === true) return say([`Replay ${(answer as ReplayAnswer).number} of ${plain(id)} is in line.`])
  const { mergeRequests } = answer as DryRunAnswer
  const nobody = mergeRequests.length === 0 ? ['It concerned no merge request: with --do it is read again.'] : []
  say([...nobody, ...mergeRequests.flatMap(sayBeside), 'Nothing was sent. With --do it is judged again, and acted on.'])
}

/** All deliveries that the filters find. */
export async function replaySelection(flags: SelectionFlags): Promise<void> {
  const admin = createAdminClient(flags)
  const { project, iid, state, kind, rule, outcome, since, until, cap, why } = flags
  const filter = { project, iid, state, kind, rule, outcome, since, until, cap }
  const found = (await admin.post('/replays', filter)) as SelectionAnswer
  const count = `${found.count} deliver${found.count === 1 ? 'y' : 'ies'}${found.more ? ' (there are more: --cap)' : ''}`
  process.stderr.write(`bellhop: ${count}\n`)
  if (flags.do === true) {
    const done = (await admin.post('/replays', { ...filter, why, dry_run: false, count: found.count })) as SelectionAnswer
    if (flags.format === 'json') return print(done)
    const forgotten = done.deliveries.filter(({ replayed }) => replayed !== 'replayed')
    return say([`${done.count - forgotten.length} in line again.`, ...forgotten.map(({ id, replayed }) => `${plain(id)}: ${replayed}`)])
  }
  const progress = createProgress(process.stderr)
  const answers: DryRunAnswer[] = []
  for (const { id } of found.deliveries) {
    progress.show(`${answers.length} of ${found.count} judged dry`, answers.length / found.count)
    answers.push((await admin.post(`/deliveries/${encodeURIComponent(id)}/replay`, { dry_run: true })) as DryRunAnswer)
  }
  progress.end()
  if (flags.format === 'json') return print({ ...found, dryRuns: answers })
  const lines = answers.flatMap(({ id, mergeRequests }) => [
    `delivery ${plain(id)}`,
    ...mergeRequests.flatMap(sayBeside).map((line) => `  ${line}`),
  ])
  say([...lines, 'Nothing was sent. With --do they are judged again, and acted on.'])
}

function say(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}
