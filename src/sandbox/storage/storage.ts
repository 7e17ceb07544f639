// The sandbox's storage: records in memory, written to its folder in transactions; repositories and uploads as files.
import { access, constants, mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { DirectoryInUse } from '../../embedded-postgres/directory-lock.ts'
import { openRecordStore, type RecordStore } from './record-store.ts'
import { createTransactions } from './transactions.ts'
import { createState } from './world.ts'

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
  await mkdir(folder, { recursive: true })
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
