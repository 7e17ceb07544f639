// `bellhop journal …`: moves the journal to a database, and takes one over.
import { Command, Option } from 'commander'
import { type JournalDatabase, openJournalDatabase } from '../../journal/journal-database.ts'
import { readJournalUrl } from '../../journal/journal-url.ts'
import { moveJournal } from '../../journal/move/move-journal.ts'
import { redisSource } from '../../journal/move/redis-source.ts'
import { changeMove, readMove } from '../../journal/stores/redis-layout.ts'
import { openQueues } from '../../queue/open-queue.ts'
import { isRedisUrl } from '../../queue/redis/target.ts'
import type { Queues, RedisStore } from '../../queue/types.ts'
import { createProgress } from '../output/progress.ts'
import { printLines } from '../output/terminal-text.ts'
import { expectation } from '../settings/setting.ts'
import { settings } from '../settings/settings.ts'
import { UsageError, UserError } from '../user-error.ts'

interface MoveFlags {
  queue: string
  to?: string | true
  cancel?: true
  deleteSource?: true
}

const moveHelp = `
History is copied while everything works on. Then evaluations wait, for some minutes if there are many open merge
requests, while the rest is copied; deliveries are accepted all the time. Afterwards every process must be restarted with
BELLHOP_JOURNAL_URL: until then it waits. A command that was ended is run again, and goes on.

Examples:
  $ BELLHOP_JOURNAL_URL=postgres://bellhop:PASSWORD@db.example.com/bellhop bellhop journal move --to
  $ bellhop journal move --cancel
  $ bellhop journal move --delete-source`

export function journal(): Command {
  const command = new Command()
  command
    .command('move')
    .description('move the journal of a running installation from Redis to PostgreSQL')
    .addOption(queueOption())
    .option('--to [url]', 'the database; BELLHOP_JOURNAL_URL where the address, which other users may see, is left out')
    .option('--cancel', 'give up a move that was not finished: the journal in Redis is used as before')
    .option('--delete-source', 'delete what is left of the journal in Redis after the move')
    .addHelpText('after', moveHelp)
    .action(move)
  command
    .command('take-over')
    .description('make the journal in BELLHOP_JOURNAL_URL the one of this queue, whose own is lost')
    .addOption(queueOption())
    .addOption(
      new Option('--journal <url>', 'the database of the journal')
        .env(settings.journalUrl.variable)
        .makeOptionMandatory(),
    )
    .action(takeOver)
  return command
}

const queueOption = () =>
  new Option('--queue <url>', 'the queue of the installation').env(settings.queueUrl.variable).makeOptionMandatory()

async function move({ queue, to: given, cancel, deleteSource }: MoveFlags): Promise<void> {
  const to = given === true ? (process.env[settings.journalUrl.variable] ?? '') : given
  if ([to, cancel, deleteSource].filter((each) => each !== undefined).length !== 1)
    throw new UsageError('Give --to, --cancel or --delete-source.')
  if (to !== undefined) requireUrl('--to', to)
  await withRedis(queue, async (store, queues) => {
    if (cancel) return cancelUnfinished(store)
    if (deleteSource) return deleteRest(store)
    await moveTo(to ?? '', store, queues)
  })
}

async function moveTo(url: string, { redis, prefix }: RedisStore, queues: Queues): Promise<void> {
  const { shown: to } = readJournalUrl(url)
  const progress = createProgress(process.stderr)
  await withDatabase({ url, queue: queues.store, opening: 'move' }, async (database) => {
    let isWaiting = false
    const isNew = await moveJournal({
      ...{ redis, prefix, database: database.store, to },
      onProgress(stage, done, all) {
        if (stage === 'rest' && !isWaiting) {
          isWaiting = true
          progress.end()
          process.stderr.write('History is copied. Evaluations wait while the rest is; to give up: --cancel.\n')
        }
        if (all === undefined) progress.show(`${done} records`, 0)
        else progress.show(`${done} of ${all} deliveries and decisions`, all === 0 ? 1 : done / all)
      },
    })
    progress.end()
    printLines([
      isNew ? `The journal is now in ${to}.` : `The journal was in ${to} before.`,
      'Restart every process with BELLHOP_JOURNAL_URL: until then evaluations wait, and deliveries are accepted.',
      'To free the memory of Redis afterwards: bellhop journal move --delete-source.',
    ])
  })
}

async function cancelUnfinished({ redis, prefix }: RedisStore): Promise<void> {
  const found = await readMove(redis, prefix)
  if (found === undefined) throw new UserError('No move has begun.')
  if (found.state === 'moved') throw new UserError(`The journal is in ${found.to}: that cannot be given up.`)
  if (!(await changeMove(redis, prefix, { from: found, to: undefined })))
    throw new UserError('The move has ended, or another run of it has begun: nothing is given up.')
  printLines(['The move is given up: the journal in Redis is used as before.'])
}

async function deleteRest(store: RedisStore): Promise<void> {
  const { redis, prefix } = store
  if ((await readMove(redis, prefix))?.state !== 'moved')
    throw new UserError('The journal is in Redis: nothing is deleted.')
  const progress = createProgress(process.stderr)
  let deleted = 0
  for await (const count of redisSource(redis, prefix).remove()) {
    deleted += count
    progress.show(`${deleted} keys`, 0)
  }
  progress.end()
  printLines([`${deleted} keys deleted.`])
}

async function takeOver({ queue, journal: url }: { queue: string; journal: string }): Promise<void> {
  requireUrl('--journal', url)
  await withRedis(queue, (_, queues) =>
    withDatabase({ url, queue: queues.store, opening: 'take_over' }, async () =>
      printLines([`The journal in ${readJournalUrl(url).shown} is now the one of this queue.`]),
    ),
  )
}

function requireUrl(flag: string, url: string): void {
  try {
    readJournalUrl(url)
  } catch (error) {
    throw new UsageError(`${flag}: ${expectation(error)}.`)
  }
}

/** The queue is closed afterwards. Throws UserError. */
async function withRedis(url: string, does: (store: RedisStore, queues: Queues) => Promise<void>): Promise<void> {
  if (!isRedisUrl(url)) throw new UsageError('The queue must be in Redis: BELLHOP_QUEUE_URL=redis://… or --queue.')
  const queues = await openQueues({ url }).catch(asUserError)
  try {
    if (queues.store.kind === 'redis') await does(queues.store, queues)
  } catch (error) {
    asUserError(error)
  } finally {
    await queues.close()
  }
}

async function withDatabase(
  given: Parameters<typeof openJournalDatabase>[0],
  does: (database: JournalDatabase) => Promise<void>,
): Promise<void> {
  const database = await openJournalDatabase(given)
  try {
    await does(database)
  } finally {
    await database.close()
  }
}

function asUserError(error: unknown): never {
  if (error instanceof UserError) throw error
  throw new UserError(error instanceof Error ? error.message : String(error), { cause: error })
}
