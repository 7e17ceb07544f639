// The sandbox's storage: records in memory, written to its folder in transactions; repositories and uploads are files there.
import { folderError, foldersIn, makeFolder } from './folder.ts'
import { openRecordStore, type RecordStore } from './record-store.ts'
import { createTransactions } from './transactions.ts'
import { createState, type State } from './world.ts'

export interface Storage extends Pick<ReturnType<typeof createTransactions>, 'run' | 'stop' | 'failed'> {
  state: State
  repositories: string
  uploads: string
  /** Waits for all tasks, and ends git processes until no task is left that could start another. */
  close(endProcesses: () => Promise<void>): Promise<void>
}

interface StorageOptions {
  folder: string
  keep?: boolean
  onSlowStart?: () => void
}

/** With `keep`, the records of the last sandbox on this folder. Errors of the folder are one line that names it. */
export async function openStorage({ folder, keep = false, onSlowStart }: StorageOptions): Promise<Storage> {
  const state = createState()
  const { root, repositories, uploads, records } = foldersIn(folder)
  let store: RecordStore | undefined
  try {
    await makeFolder(root)
    store = keep ? await openRecordStore(records, state, onSlowStart) : undefined
    await makeFolder(repositories)
    await makeFolder(uploads)
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
    async close(endProcesses) {
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
