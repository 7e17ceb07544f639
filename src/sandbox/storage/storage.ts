// The sandbox's storage: records in memory and on disk, written in transactions, one for each task, as a whole or not at
// all; repositories and uploads as files.
import { AsyncLocalStorage } from 'node:async_hooks'
import { access, constants } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { DirectoryInUse, makeFolder } from '../../embedded-postgres/directory-lock.ts'
import { deferred } from './schedule.ts'
import { allCollections, createState, type State } from './world.ts'

export type Storage = Awaited<ReturnType<typeof openStorage>>

interface StorageOptions {
  folder: string
  keep?: boolean
  onSlowStart?: () => void
}

/** With `keep`, the records of the last sandbox on this folder. Errors of the folder are one line that names it. */
export async function openStorage({ folder, keep = false, onSlowStart }: StorageOptions) {
  const state = createState()
  const root = resolve(folder)
  const [repositories, uploads] = [join(root, 'repositories'), join(root, 'uploads')]
  let store: RecordStore | undefined
  try {
    await makeWritable(root)
    store = keep ? await openRecordStore(join(root, 'records'), state, onSlowStart) : undefined
    await makeWritable(repositories)
    await makeWritable(uploads)
  } catch (error) {
    await store?.close()
    throw folderError(folder, error)
  }
  const transactions = createTransactions(state, store?.write)
  return {
    state,
    repositories,
    uploads,
    ...transactions,
    /** Waits for all tasks, and ends git processes until no task is left that could start another. */
    async close(endProcesses: () => Promise<void>): Promise<void> {
      const lookAgainMs = 20
      await endProcesses()
      while (transactions.running() > 0) {
        await Promise.race([transactions.ended(), new Promise((resolve) => setTimeout(resolve, lookAgainMs))])
        await endProcesses()
      }
      transactions.close()
      await store?.close()
    },
  }
}

/** Throws if it cannot be written. */
async function makeWritable(folder: string): Promise<void> {
  await makeFolder(folder)
  await access(folder, constants.W_OK | constants.X_OK)
}

/** The error that names the folder in one line, for one that the folder caused. */
function folderError(folder: string, error: unknown): unknown {
  if (error instanceof DirectoryInUse) {
    const advice = 'stop that sandbox, or give this one a folder of its own'
    return new Error(`The folder ${folder} is in use by ${error.holder}: ${advice}.`)
  }
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOENT', 'ENOSPC'].includes(String(code))) {
    return new Error(`The folder ${folder} cannot be written: ${(error as Error).message}`, { cause: error })
  }
  return error
}

/** One transaction for each task, written one after the other; without `write`, tasks only run. */
export function createTransactions(state: State, write: RecordStore['write'] | undefined) {
  const running = new Set<Promise<unknown>>()
  const present = new AsyncLocalStorage<{ changed: Map<string, () => RecordChange> | undefined }>()
  const { promise: failed, resolve: fail } = deferred<Error>()
  let refusal: Error | undefined
  let written = Promise.resolve()

  if (write !== undefined) {
    for (const [collection, records] of allCollections(state)) {
      records.watch((id) => {
        const changed = present.getStore()?.changed
        if (changed === undefined) throw new Error('records were changed outside of a task')
        const body = () => (records.get(id) === undefined ? null : JSON.stringify(records.get(id)))
        changed.set(`${collection} ${id}`, () => ({ collection, id, body: body() }))
      })
    }
  }
  async function commit(changed: ReadonlyMap<string, () => RecordChange>) {
    if (write === undefined || changed.size === 0) return
    if (refusal !== undefined) throw refusal
    written = written.then(async () => write([...changed.values()].map((change) => change())))
    try {
      await written
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause)
      refusal = new Error(`The records cannot be written any more: ${message}`, { cause })
      fail(refusal)
      throw refusal
    }
  }
  async function runTask<T>(task: () => Promise<T>): Promise<T> {
    // Once a local storage is used, Node 20 does work for it at every promise of the process.
    if (write === undefined) return task()
    const changed = new Map<string, () => RecordChange>()
    const unit: { changed: typeof changed | undefined } = { changed }
    try {
      return await present.run(unit, task)
    } finally {
      unit.changed = undefined
      // Also after a failure: its changes stand in memory.
      await commit(changed)
    }
  }

  return {
    /** Runs a task; settles as it does, once its changes are written. Rejects when a write fails or failed. */
    async run<T>(task: () => Promise<T>): Promise<T> {
      if (refusal !== undefined) throw refusal
      const ran = runTask(task).finally(() => running.delete(ran))
      running.add(ran)
      return ran
    },
    /** Refuses new tasks, and writes nothing of those that still run: their git processes may be ended. */
    stop(): void {
      refusal ??= new Error('The sandbox is stopping.')
    },
    running: () => running.size,
    /** For when no task is left. */
    close: () => present.disable(),
    /** Resolves when the tasks that run now have ended. */
    ended: async () => void (await Promise.allSettled(running)),
    /** Resolves with the reason when a write fails. From then on every task is refused: memory is ahead of the disk. */
    failed,
  }
}

/** A record to write: its JSON, or null for one that was removed. */
export interface RecordChange {
  collection: string
  id: number | string
  body: string | null
}
type RecordStore = Awaited<ReturnType<typeof openRecordStore>>

// `json` stores the text as it is; `jsonb` refuses NUL, which a title may contain.
const table =
  'CREATE TABLE IF NOT EXISTS records (collection text, id text, body json NOT NULL, PRIMARY KEY (collection, id))'
const put = `INSERT INTO records SELECT * FROM unnest($1::text[], $2::text[], $3::json[])
  ON CONFLICT (collection, id) DO UPDATE SET body = excluded.body`
const remove =
  'DELETE FROM records USING unnest($1::text[], $2::text[]) AS removed (c, i) WHERE collection = c AND id = i'

/** Opens the directory and fills the empty state from it. Throws DirectoryInUse when another sandbox has it. */
export async function openRecordStore(directory: string, state: State, onSlowStart: () => void = () => undefined) {
  // Loaded here: a sandbox that stores no records starts without the database.
  const { openDatabase } = await import('../../embedded-postgres/open-database.ts')
  const { db, close } = await openDatabase({ directory, onSlowStart })
  try {
    await db.exec(table)
    const { rows } = await db.query<{ collection: string; body: { id: number } }>(
      'SELECT collection, body FROM records',
    )
    const collections = new Map(allCollections(state))
    for (const { collection, body } of rows) {
      const found = collections.get(collection)
      if (!found) throw new Error(`${directory} holds ${collection}, which this version of Bellhop does not know`)
      found.add(body)
    }
  } catch (error) {
    await close()
    throw error
  }
  return {
    close,
    /** Writes all of it or nothing. */
    write: (changes: readonly RecordChange[]): Promise<void> =>
      db.transaction(async (transaction) => {
        const columns = (some: readonly RecordChange[]) => [
          some.map((each) => each.collection),
          some.map(({ id }) => String(id)),
        ]
        await transaction.query(remove, columns(changes))
        const present = changes.filter(({ body }) => body !== null)
        await transaction.query(put, [...columns(present), present.map(({ body }) => body)])
      }),
  }
}
