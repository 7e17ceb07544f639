// A sandbox's folder on disk; its records are in one table of an embedded PostgreSQL, written in transactions.
import { AsyncLocalStorage } from 'node:async_hooks'
import { existsSync } from 'node:fs'
import { access, constants, mkdir, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { DirectoryInUse } from '../../embedded-postgres/errors.ts'
import { allCollections, type State } from './world.ts'

/** A record to write: its JSON, or null for one that was removed. */
export interface RecordChange {
  collection: string
  id: number | string
  body: string | null
}
export interface Store {
  /** Writes all of it or nothing. */
  write(changes: readonly RecordChange[]): Promise<void>
  close(): Promise<void>
}

// `json` keeps the text; `jsonb` refuses NUL, which a title may contain.
const table =
  'CREATE TABLE IF NOT EXISTS records (collection text, id text, body json NOT NULL, PRIMARY KEY (collection, id))'
const put = `INSERT INTO records SELECT * FROM unnest($1::text[], $2::text[], $3::json[])
  ON CONFLICT (collection, id) DO UPDATE SET body = excluded.body`
const remove =
  'DELETE FROM records USING unnest($1::text[], $2::text[]) AS removed (c, i) WHERE collection = c AND id = i'

/** Opens the directory and fills the empty state from it. Throws DirectoryInUse when another sandbox has it. */
export async function openStore(directory: string, state: State): Promise<Store> {
  // Loaded here: a sandbox that keeps nothing starts without the database.
  const { openDatabase } = await import('../../embedded-postgres/open-database.ts')
  const { db, close } = await openDatabase({ directory })
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
    write: (changes) =>
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

export interface Transactions {
  /** Runs a task; settles as it does, once its changes are written. Rejects when a write fails or failed. */
  run<T>(task: () => Promise<T>): Promise<T>
  /** Refuses new tasks, and writes nothing of those that still run: their git processes may be ended. */
  stop(): void
  /** How many tasks run. */
  readonly running: number
  /** Resolves when the tasks that run now have ended. */
  ended(): Promise<void>
  /** Resolves with the reason when a write fails. From then on every task is refused: memory is ahead of the disk. */
  readonly failed: Promise<Error>
}

/** One transaction for each task, written one after the other; without `write`, tasks only run. */
export function createTransactions(
  state: State,
  write: ((changes: readonly RecordChange[]) => Promise<void>) | undefined,
): Transactions {
  const running = new Set<Promise<unknown>>()
  const present = new AsyncLocalStorage<{ changed: Map<string, () => RecordChange> | undefined }>()
  let fail: (reason: Error) => void = () => undefined
  const failed = new Promise<Error>((resolve) => {
    fail = resolve
  })
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
  async function commit(changed: ReadonlyMap<string, () => RecordChange>): Promise<void> {
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
    async run(task) {
      if (refusal !== undefined) throw refusal
      const ran = runTask(task).finally(() => running.delete(ran))
      running.add(ran)
      return ran
    },
    stop() {
      refusal ??= new Error('The sandbox is stopping.')
    },
    get running() {
      return running.size
    },
    ended: async () => void (await Promise.allSettled(running)),
    failed,
  }
}

export interface Folders {
  /** Bare repositories, `<project id>.git`. */
  repositories: string
  /** Uploaded files and avatars. */
  uploads: string
  /** The database, when records are kept. */
  records: string
}

export function foldersIn(folder: string): Folders {
  const at = resolve(folder)
  return { repositories: join(at, 'repositories'), uploads: join(at, 'uploads'), records: join(at, 'records') }
}

/** Makes the folders and, to keep records, opens their store. Errors are one line that names the folder. */
export async function openFolder(folder: string, state: State, keep: boolean): Promise<Store | undefined> {
  const { repositories, uploads, records } = foldersIn(folder)
  let store: Store | undefined
  try {
    await makeFolder(resolve(folder))
    store = keep ? await openStore(records, state) : undefined
    await makeFolder(repositories)
    await makeFolder(uploads)
    return store
  } catch (error) {
    await store?.close()
    throw folderProblem(folder, error)
  }
}

async function makeFolder(folder: string): Promise<void> {
  // Step by step: Node's recursive mkdir never ends where a file system takes no folders, as in /proc.
  if (!existsSync(folder)) {
    if (!existsSync(dirname(folder))) await makeFolder(dirname(folder))
    await mkdir(folder)
  }
  await access(folder, constants.W_OK | constants.X_OK)
  if (!(await stat(folder)).isDirectory())
    throw Object.assign(new Error(`${folder} is not a folder`), { code: 'ENOTDIR' })
}

function folderProblem(folder: string, error: unknown): unknown {
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
